import type { Engine } from "../engine/index.ts";
import { type RunningTurns, type Sessions, sessionWakeKey } from "../session/index.ts";

export interface StopSessionDeps {
  readonly sessions: Pick<Sessions, "append">;
  readonly running: Pick<RunningTurns, "of">;
  readonly engine: Pick<Engine, "wake">;
}

export interface StopWorkDeps {
  /** Ends what runs in a session. Durable when it resolves. */
  stopSession(sessionKey: string): Promise<void>;
  /** Ends the workflows that were begun in a session. Durable when it resolves. */
  cancelRunsBegunIn(sessionKey: string, by: string): Promise<void>;
}

/** @returns What ends the work of a session that is stopped for good: its turn, and what that began. Durable when it resolves. */
export function createStopWork({ stopSession, cancelRunsBegunIn }: StopWorkDeps) {
  return async function stopWork(sessionKey: string, by: string): Promise<void> {
    await stopSession(sessionKey);
    await cancelRunsBegunIn(sessionKey, by);
  };
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
