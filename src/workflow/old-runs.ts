import type { Clock } from "../clock.ts";
import { isEnded } from "./run.ts";
import type { Runs } from "./runs.ts";

const DAY_MS = 86_400_000;

export interface OldRunsDeps {
  readonly runs: Pick<Runs, "all" | "remove">;
  readonly clock: Pick<Clock, "now">;
}

/** @returns A function that removes runs that ended more than `days` ago. 0 days: none. */
export function createOldWorkflowRuns({ runs, clock }: OldRunsDeps, { days }: { readonly days: number }) {
  return async function sweep({ signal }: { readonly signal: AbortSignal }): Promise<Record<string, never>> {
    if (days === 0) return {};
    const since = clock.now() - days * DAY_MS;
    for await (const run of runs.all()) {
      if (signal.aborted) return {};
      if (isEnded(run) && (run.endedAt ?? 0) < since) await runs.remove(run);
    }
    return {};
  };
}
