import type { Engine } from "../engine/index.ts";
import { type RunningTurns, type Sessions, sessionWakeKey } from "../session/index.ts";

export interface StopSessionDeps {
  readonly sessions: Pick<Sessions, "append">;
  readonly running: Pick<RunningTurns, "of">;
  readonly engine: Pick<Engine, "wake">;
}

/** @returns What ends all that runs and waits in a session, as `/stop` does, also in another process. Durable when it resolves. */
export function createStopSession({ sessions, running, engine }: StopSessionDeps) {
  return async function stopSession(sessionKey: string): Promise<void> {
    const { seq } = await sessions.append(sessionKey, { type: "stop", by: "runtime" });
    const turn = running.of(sessionKey);
    if (turn && turn.beganAt < seq) turn.stop();
    await engine.wake(sessionWakeKey(sessionKey));
  };
}
