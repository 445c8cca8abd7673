import { AssistantError } from "../../errors.ts";

/** Why what a turn did right then was cut off, while the turn itself goes on. */
export class BrokenIntoError extends AssistantError {
  constructor() {
    super("ABORTED", "A new message came in between");
  }
}

/** A turn at work in this process, as those see it who may end it or break into it. */
export interface RunningTurn {
  /** The last record of the session when it began: what a person wants stopped since then is this. */
  readonly beganAt: number;
  /** Whose messages it answers, as `channel:id`. */
  users(): readonly string[];
  /** Ends it for good. @param reason Default: a person asked for it. */
  stop(reason?: AssistantError): void;
  /** Cuts off the model call or the tools that run right now; the turn goes on with what has arrived meanwhile. */
  interrupt(): void;
}

/** The turns at work in this process: at most one a session. */
export type RunningTurns = ReturnType<typeof createRunningTurns>;

export function createRunningTurns() {
  const running = new Map<string, RunningTurn>();
  return {
    /** @returns A function that ends the entry. */
    begin(sessionKey: string, turn: RunningTurn): () => void {
      running.set(sessionKey, turn);
      return () => {
        if (running.get(sessionKey) === turn) running.delete(sessionKey);
      };
    },
    of: (sessionKey: string): RunningTurn | undefined => running.get(sessionKey),
  };
}
