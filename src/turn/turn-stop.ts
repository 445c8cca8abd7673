import { after, type Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import { BrokenIntoError, type RunningTurns, type SessionLife, TurnLostError } from "../session/index.ts";

/** What ends a turn, and what only breaks into it. */
export interface TurnStop {
  /** Aborts when the turn ends early: its engine stops, its time is over, nobody waits any more, or a person stopped it. */
  readonly signal: AbortSignal;
  /** Aborts also when a new message breaks in. */
  readonly phase: AbortSignal;
  abort(reason: unknown): void;
  /** Cuts off what the turn does right now; a turn that was cut off too often is left to come to a result. */
  interrupt(): void;
  /** Goes on after an interruption. @returns Whether there was one. */
  goOn(): boolean;
  /** The turn may take so long from now on. */
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

/** The reason of a turn whose conversation goes with its person: nothing is told of it. */
export const REMOVED = new AssistantError("ABORTED", "The conversation was removed");

export interface StopRemovedDeps {
  readonly life: Pick<SessionLife, "forget">;
  readonly running: Pick<RunningTurns, "of">;
}

/** Ends the turn at work in a conversation that goes, or of which a person goes. */
export function createStopRemoved({ life, running }: StopRemovedDeps) {
  /** @param isUser Only a turn that is for them alone: what others asked for is answered. Default: whoever's it is, and the session is not told of any more. */
  return function stopRemoved(sessionKey: string, isUser?: (user: string) => boolean): void {
    if (!isUser) life.forget(sessionKey);
    const atWork = running.of(sessionKey);
    if (!isUser || atWork?.users().every(isUser)) atWork?.stop(REMOVED);
  };
}

/** A store that fails, or a turn that another process took: nothing more is written here, and the log tells what to do later. */
export function isLeftForLater(error: unknown): boolean {
  return (
    error instanceof TurnLostError ||
    (AssistantError.is(error) && (error.code === "CONFLICT" || error.code.startsWith("STORE_")))
  );
}
