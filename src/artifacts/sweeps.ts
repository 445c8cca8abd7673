import type { Clock } from "../clock.ts";
import type { Artifacts } from "./artifacts.ts";

export interface ArtifactSweeps {
  /** Begins a round in the background when none runs and the last one began a day ago or never did. Costs nothing otherwise, and never throws. */
  look(): void;
  /** Ends a round that runs. */
  stop(): void;
}

const DAY_MS = 86_400_000;
const AFTER_FAILURE_MS = 3_600_000;
/** Between two parts of a round. */
const PAUSE_MS = 1000;

/**
 * Removes artifacts whose days are over, also those of sessions that nobody uses any more: a part of the sessions at a time.
 *
 * Source: docs/artifacts.md, "Limits and how long they stay".
 */
export function createArtifactSweeps(options: {
  readonly artifacts: Pick<Artifacts, "sweep">;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}): ArtifactSweeps {
  const { artifacts, clock, onFailure } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let nextAtMs = -Infinity;
  let isRunning = false;

  async function round(): Promise<void> {
    let after: string | undefined;
    do {
      if (after !== undefined) await clock.sleep(PAUSE_MS, signal, { idle: true });
      ({ next: after } = await artifacts.sweep({ signal, ...(after !== undefined && { after }) }));
    } while (after !== undefined && !signal.aborted);
  }

  return {
    // No timer of a day: it would keep a program from ending that has nothing else to do.
    look() {
      const nowMs = clock.now();
      // A clock that was set back must not put the next one off for as long.
      if (isRunning || signal.aborted || (nowMs < nextAtMs && nextAtMs <= nowMs + DAY_MS)) return;
      isRunning = true;
      nextAtMs = nowMs + DAY_MS;
      round()
        .catch((error: unknown) => {
          if (signal.aborted) return;
          nextAtMs = nowMs + AFTER_FAILURE_MS;
          onFailure(error);
        })
        .finally(() => {
          isRunning = false;
        });
    },
    stop() {
      stopping.abort();
    },
  };
}
