import { AssistantError } from "../../errors.ts";

/** The reason with which a turn's current work is cut off, while the turn itself goes on. */
export class BrokenIntoError extends AssistantError {
  constructor() {
    super("ABORTED", "A new message came in between");
  }
}

/** A turn that runs in this process, for callers that stop or interrupt it. */
export interface RunningTurn {
  /** The session's last record when the turn began. A later stop request means this turn. */
  readonly beganAt: number;
  /** Users whose messages it answers, as `channel:id`. */
  users(): readonly string[];
  /**
   * Ends the turn for good.
   * @param reason Default: a person asked for it.
   */
  stop(reason?: AssistantError): void;
  /** Cuts off the running model call or tools. The turn goes on with the messages that have arrived. */
  interrupt(): void;
}

/** The turns that run in this process, at most one per session. */
export type RunningTurns = ReturnType<typeof createRunningTurns>;

export function createRunningTurns() {
  const running = new Map<string, RunningTurn>();
  return {
    /**
     * Registers a turn.
     * @returns A function that removes it.
     */
    begin(sessionKey: string, turn: RunningTurn): () => void {
      running.set(sessionKey, turn);
      return () => {
        if (running.get(sessionKey) === turn) running.delete(sessionKey);
      };
    },
    of: (sessionKey: string): RunningTurn | undefined => running.get(sessionKey),
  };
}
