import { after, type Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import { BrokenIntoError, type RunningTurns, type SessionLife, TurnLostError } from "../session/index.ts";

/** Ends a turn, or only interrupts its current work. */
export interface TurnStop {
  /** Aborts when the turn ends early: the engine stops, the time is over, all callers left, or a person stopped it. */
  readonly signal: AbortSignal;
  /** Aborts also when a new message interrupts. */
  readonly phase: AbortSignal;
  abort(reason: unknown): void;
  /** Cuts off the turn's current work, at most `MAX_INTERRUPTIONS` times, so that the turn comes to a result. */
  interrupt(): void;
  /**
   * Continues after an interruption.
   * @returns Whether there was one.
   */
  goOn(): boolean;
  /** Sets the time limit of the turn, counted from now. */
  limit(seconds: number): void;
  release(): void;
}

const MAX_INTERRUPTIONS = 20;

export function createTurnStop(clock: Clock, engineSignal: AbortSignal): TurnStop {
  const turn = new AbortController();
  let phase = new AbortController();
  let interruptions = 0;
  let cancelTimer = () => {};
  const abort = (reason: unknown) => {
    turn.abort(reason);
    phase.abort(reason);
  };
  const onEngineStop = () => abort(engineSignal.reason);
  engineSignal.addEventListener("abort", onEngineStop, { once: true });
  if (engineSignal.aborted) onEngineStop();
  return {
    signal: turn.signal,
    get phase() {
      return phase.signal;
    },
    abort,
    interrupt() {
      if (phase.signal.aborted || interruptions === MAX_INTERRUPTIONS) return;
      interruptions += 1;
      phase.abort(new BrokenIntoError());
    },
    goOn() {
      if (turn.signal.aborted || !phase.signal.aborted) return false;
      phase = new AbortController();
      return true;
    },
    limit(seconds) {
      cancelTimer();
      cancelTimer = after(clock, seconds * 1000, () =>
        abort(new AssistantError("TURN_TIMEOUT", `The turn took longer than ${seconds} s`)),
      );
    },
    release() {
      cancelTimer();
      engineSignal.removeEventListener("abort", onEngineStop);
    },
  };
}

/** The reason of a turn that `/stop` ended. */
export function stoppedByPerson(): AssistantError {
  return new AssistantError("ABORTED", "Stopped by a person");
}

/** The reason of a turn whose session is removed with its person. Its end is not published. */
export const REMOVED = new AssistantError("ABORTED", "The conversation was removed");

export interface StopRemovedDeps {
  readonly life: Pick<SessionLife, "forget">;
  readonly running: Pick<RunningTurns, "of">;
}

/** Ends the running turn of a session that is removed, or from which a person is removed. */
export function createStopRemoved({ life, running }: StopRemovedDeps) {
  /**
   * @param isUser Ends only a turn that answers these users alone; a turn that also answers others goes on. Default:
   * ends any turn, and the session's end is not published.
   */
  return function stopRemoved(sessionKey: string, isUser?: (user: string) => boolean): void {
    if (!isUser) life.forget(sessionKey);
    const atWork = running.of(sessionKey);
    if (!isUser || atWork?.users().every(isUser)) atWork?.stop(REMOVED);
  };
}

/**
 * Whether nothing more may be written here: the store failed, or another process took the turn.
 * The log shows what to do later.
 */
export function isLeftForLater(error: unknown): boolean {
  return (
    error instanceof TurnLostError ||
    (AssistantError.is(error) && (error.code === "CONFLICT" || error.code.startsWith("STORE_")))
  );
}
