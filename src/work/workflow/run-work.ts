import { type Runs, type WorkflowRun, isEnded } from "../../workflow/index.ts";
import { told } from "./changes.ts";
import { runIdOfKey } from "./keys.ts";
import type { LiveRuns } from "./live-runs.ts";
import { type RunSignals, createChanges } from "./run-at-work.ts";
import type { RunEnds } from "./run-ends.ts";
import type { Values } from "./values.ts";

export interface RunWorkDeps {
  readonly runs: Pick<Runs, "find" | "change">;
  /** Resolves when the writes issued with a wake of the key can be read. */
  landed(key: string): Promise<unknown>;
  readonly live: Pick<LiveRuns, "enter">;
  readonly values: Pick<Values, "hold">;
  readonly ends: Pick<RunEnds, "settle">;
  /** Does what can be done of a run now. See `createAdvance`. */
  advance(run: WorkflowRun, signals: RunSignals): Promise<WorkflowRun>;
}

/**
 * @returns The handler of `workflow:` keys. It reads the run's document, does what is ready, and schedules wakes for
 * what has a time.
 * Each step is written before and after it is done. A step that a crash cut off is repeated under the same key; no
 * other step is.
 *
 * Source: docs/workflows.md, "A run is a document".
 */
export function createRunWork({ runs, landed, live, values, ends, advance }: RunWorkDeps) {
  return async function handle(key: string, signal: AbortSignal): Promise<void> {
    const id = runIdOfKey(key);
    await landed(key);
    let run = await runs.find(id);
    if (run === undefined) return;
    if (!isEnded(run)) {
      // An earlier version stored events without the steps that got them: the waiting steps get them now.
      const { events, heard } = run;
      if (events && !heard)
        run = await runs.change(id, (newest) =>
          newest.heard ? null : Object.entries(events).reduce((next, [event, data]) => told(next, event, data), newest),
        );
      await values.hold(run);
      const changes = createChanges();
      const leave = live.enter(id, changes.tell);
      try {
        run = await advance(run, { signal, changes });
      } finally {
        leave();
      }
    }
    if (isEnded(run)) await ends.settle(run);
  };
}
