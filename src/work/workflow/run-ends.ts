import type { Clock } from "../../clock.ts";
import type { Engine } from "../../engine/index.ts";
import type { Metrics } from "../../telemetry/index.ts";
import {
  PENDING,
  type Runs,
  type StepError,
  type StepPlace,
  type StepState,
  type WorkflowRun,
  isEnded,
} from "../../workflow/index.ts";
import { childOf } from "./changes.ts";
import { failureSummary } from "./failure-summary.ts";
import { workflowKeyOf } from "./keys.ts";
import type { LiveRuns } from "./live-runs.ts";
import type { Progress } from "./progress.ts";
import type { RunChildren } from "./run-children.ts";
import type { Values } from "./values.ts";

export interface RunEndsDeps {
  readonly runs: Pick<Runs, "change">;
  readonly children: RunChildren;
  readonly progress: Pick<Progress, "ended">;
  readonly values: Pick<Values, "hold">;
  readonly live: LiveRuns;
  readonly engine: Pick<Engine, "wake">;
  readonly clock: Pick<Clock, "now">;
  readonly metrics: Pick<Metrics, "increment">;
}

/** Ends runs. */
export type RunEnds = ReturnType<typeof createRunEnds>;

export function createRunEnds(deps: RunEndsDeps) {
  const { runs, children, progress, values, live, engine, clock, metrics } = deps;

  async function end(
    run: WorkflowRun,
    status: "failed" | "cancelled",
    error: StepError,
    failedAt?: StepPlace,
  ): Promise<WorkflowRun> {
    await children.stop(run);
    const now = clock.now();
    return runs.change(run.id, (newest) => {
      if (isEnded(newest)) return null;
      const { cancel: _cancel, ...rest } = newest;
      const over = { ...rest, ...withNothingUnderWay(newest), status, error, endedAt: now };
      return { ...over, summary: failureSummary(over, failedAt) };
    });
  }

  return {
    stopRun: children.stopRun,
    cancelled(run: WorkflowRun): Promise<WorkflowRun> {
      const by = run.cancel?.by ?? "someone";
      return end(run, "cancelled", { code: "ABORTED", message: `It was cancelled by ${by}` });
    },
    failed: (run: WorkflowRun, error: StepError, at?: StepPlace): Promise<WorkflowRun> => end(run, "failed", error, at),
    async done(run: WorkflowRun, kept: Pick<WorkflowRun, "output" | "artifact">): Promise<WorkflowRun> {
      // A step that was cut off and then skipped may have left questions.
      await children.takeBackAsked(run);
      return runs.change(run.id, (newest) =>
        isEnded(newest) || newest.cancel ? null : { ...newest, status: "done", ...kept, endedAt: clock.now() },
      );
    },
    /** Reports the end of a run once: to people, the parent run and the metrics. Then resolves its waiters. */
    async settle(run: WorkflowRun): Promise<void> {
      if (run.told !== run.status) {
        await values.hold(run);
        await progress.ended(run);
        if (run.parent) {
          await engine.wake(workflowKeyOf(run.parent.run));
          live.changed(run.parent.run);
        }
        metrics.increment("workflow.run_total", { status: run.status });
        await runs.change(run.id, (newest) => (newest.status === run.status ? { ...newest, told: run.status } : null));
      }
      live.ended(run);
    },
  };
}

/** Resets steps under way to pending. Their attempts stay, so that an effect key is never used for another effect. */
function withNothingUnderWay({ steps }: WorkflowRun): Pick<WorkflowRun, "steps"> {
  const halted = (state: StepState): StepState => {
    if (state.items) return { ...state, items: state.items.map(halted) };
    const isHeld = state.status === "waiting" && (state.wait?.approval !== undefined || state.wait?.run !== undefined);
    return state.status === "running" || isHeld ? { ...PENDING, attempt: state.attempt, ...childOf(state) } : state;
  };
  return { steps: Object.fromEntries(Object.entries(steps).map(([id, state]) => [id, halted(state)])) };
}
