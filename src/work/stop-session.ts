import type { Engine } from "../engine/index.ts";
import { type RunningTurns, type Sessions, sessionWakeKey } from "../session/index.ts";

export interface StopSessionDeps {
  readonly sessions: Pick<Sessions, "append">;
  readonly running: Pick<RunningTurns, "of">;
  readonly engine: Pick<Engine, "wake">;
}

export interface StopWorkDeps {
  /** Stops all work in a session. Durable when it resolves. */
  stopSession(sessionKey: string): Promise<void>;
  /** Cancels the workflows that were started in a session. Durable when it resolves. */
  cancelRunsBegunIn(sessionKey: string, by: string): Promise<void>;
}

/**
 * @returns A function that ends the work of a session for good: its turn and the workflows started there. Durable when
 * it resolves.
 */
export function createStopWork({ stopSession, cancelRunsBegunIn }: StopWorkDeps) {
  return async function stopWork(sessionKey: string, by: string): Promise<void> {
    await stopSession(sessionKey);
    await cancelRunsBegunIn(sessionKey, by);
  };
}

/**
 * @returns A function that ends all that runs and waits in a session, as `/stop` does, also in another process. Durable
 * when it resolves.
 */
export function createStopSession({ sessions, running, engine }: StopSessionDeps) {
  return async function stopSession(sessionKey: string): Promise<void> {
    const { seq } = await sessions.append(sessionKey, { type: "stop", by: "runtime" });
    const turn = running.of(sessionKey);
    if (turn && turn.beganAt < seq) turn.stop();
    await engine.wake(sessionWakeKey(sessionKey));
  };
}
