import type { Artifacts } from "../artifacts/index.ts";
import type { Clock } from "../clock.ts";
import { type Jobs, createOldRuns } from "../schedule/index.ts";
import type { Sessions } from "../session/index.ts";
import type { Store } from "../store/index.ts";
import { createOldAudit } from "../telemetry/index.ts";
import { DEFAULT_KEEP_SUBAGENTS_DAYS, type Subagents, createOldSubagents } from "../subagents/index.ts";
import { DEFAULT_KEEP_RUNS_DAYS, type Runs as WorkflowRuns, createOldWorkflowRuns } from "../workflow/index.ts";
import { KEPT_FOR_EVER } from "./kept.ts";
import { createOldSessions } from "./old-sessions.ts";
import type { RetentionOptions } from "./options.ts";
import { type Sweeps, createSweeps } from "./sweeps.ts";

export interface RetentionDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly artifacts: Pick<Artifacts, "sweep">;
  readonly jobs: Pick<Jobs, "get">;
  readonly workflowRuns: Pick<WorkflowRuns, "all" | "remove">;
  readonly subagents: Pick<Subagents, "all" | "remove">;
  readonly sessions: Pick<Sessions, "list" | "read">;
  /** Removes a session if this is its last record, and reports its end. */
  readonly life: { remove(key: string, newest: number): Promise<boolean> };
  readonly onFailure: (error: unknown) => void;
}

/** @returns Sweeps that remove, once a day, all that is older than the options allow. */
export function createRetention(deps: RetentionDeps, options: RetentionOptions = {}): Sweeps {
  const { audit = KEPT_FOR_EVER, runs = KEPT_FOR_EVER, sessions = KEPT_FOR_EVER } = options;
  const { workflows = DEFAULT_KEEP_RUNS_DAYS, subagents: keptSubagents = DEFAULT_KEEP_SUBAGENTS_DAYS } = options;
  const { artifacts, workflowRuns, subagents, clock, onFailure } = deps;
  return createSweeps({
    // Artifacts have an option of their own, and expired ones are hidden at once.
    sweeps: [
      artifacts.sweep,
      createOldAudit(deps, { days: audit }),
      createOldRuns(deps, { days: runs }),
      createOldWorkflowRuns({ runs: workflowRuns, clock }, { days: workflows }),
      createOldSubagents({ subagents, clock }, { days: keptSubagents }),
      createOldSessions(deps, { days: sessions }),
    ],
    clock,
    onFailure,
  });
}
