import type { Approvals } from "../../approvals/index.ts";
import type { Clock } from "../../clock.ts";
import type { Engine } from "../../engine/index.ts";
import type { Metrics } from "../../telemetry/index.ts";
import {
  PENDING,
  type RunPlace,
  type Runs,
  type StepError,
  type StepPlace,
  type StepState,
  type WorkflowRun,
  isEnded,
  placesOf,
  stateOf,
  stepOf,
} from "../../workflow/index.ts";
import type { OwnTurns } from "../own-turns.ts";
import { childOf } from "./changes.ts";
import { failureSummary } from "./failure-summary.ts";
import { runOfSession, runSessionOf, stepSessionOf, workflowKeyOf } from "./keys.ts";
import type { LiveRuns } from "./live-runs.ts";
import type { Progress } from "./progress.ts";
import type { Values } from "./values.ts";
import { takeBack } from "../take-back.ts";
import { waitingSteps } from "./waits.ts";

export interface RunEndsDeps {
  readonly runs: Pick<Runs, "change" | "live">;
  readonly turns: Pick<OwnTurns, "stop">;
  /** Finds and takes back questions that nobody has to answer any more. */
  readonly approvals: Pick<Approvals, "list" | "decide">;
  readonly progress: Pick<Progress, "ended">;
  readonly values: Pick<Values, "hold">;
  /** Asks that another run ends. */
  cancel(runId: string, by: string): Promise<unknown>;
  /** Ends the sub-agents that a conversation handed work to. */
  stopHandedOn(sessionKey: string): Promise<unknown>;
  readonly live: LiveRuns;
  readonly engine: Pick<Engine, "wake">;
  readonly clock: Pick<Clock, "now">;
  readonly metrics: Pick<Metrics, "increment">;
}

/** Ends of runs. */
export type RunEnds = ReturnType<typeof createRunEnds>;

export function createRunEnds(deps: RunEndsDeps) {
  const { runs, turns, approvals, progress, values, cancel, stopHandedOn, live, engine, clock, metrics } = deps;

  async function end(
    run: WorkflowRun,
    status: "failed" | "cancelled",
    error: StepError,
    failedAt?: StepPlace,
  ): Promise<WorkflowRun> {
    await stopChildren(run);
    await stopBegun(run);
    const now = clock.now();
    return runs.change(run.id, (newest) => {
      if (isEnded(newest)) return null;
      const { cancel: _cancel, ...rest } = newest;
      const over = { ...rest, ...withNothingUnderWay(newest), status, error, endedAt: now };
      return { ...over, summary: failureSummary(over, failedAt) };
    });
  }

  /** What it started ends with it: questions, other runs, prompts. */
  async function stopChildren(run: WorkflowRun): Promise<void> {
    for (const { wait } of waitingSteps(run)) {
      if (wait.run !== undefined) await stopRun(run, wait.run);
    }
    for (const place of placesOf(run))
      if (stateOf(run, place.id, place.item).status === "running" && isAsked(run, place.id))
        await turns.stop(stepSessionOf(run.place.agentId, run.id, place));
    await takeBackAsked(run);
  }

  /** Also what a step that does not wait for it has asked: a prompt whose turn was not over, or one that a crash cut off. */
  async function takeBackAsked(run: WorkflowRun): Promise<void> {
    for (const { id, sessionKey } of await approvals.list())
      if (runOfSession(sessionKey) === run.id) await takeBack(approvals, id, "its workflow has ended");
  }

  /** What its prompts and tools began by themselves, which goes on without them: sub-agents in the background, other runs. */
  async function stopBegun(run: WorkflowRun): Promise<void> {
    const { agentId } = run.place;
    await stopHandedOn(runSessionOf(agentId, run.id));
    const asking = placesOf(run).filter((place) => mayHaveBegun(run, place));
    for (const place of asking) await stopHandedOn(stepSessionOf(agentId, run.id, place));
    const startsRuns = run.definition.steps.some((step) => step.run === "tool" && step.tool === "workflow_run");
    if (asking.length === 0 && !startsRuns) return;
    for await (const one of runs.live()) if (isStartedBy(one.place.startedBy, run.id)) await stopRun(run, one.id);
  }

  /** Ends a run that this one started. */
  async function stopRun(run: WorkflowRun, child: string): Promise<void> {
    await cancel(child, `workflow:${run.id}`);
  }

  return {
    stopRun,
    cancelled(run: WorkflowRun): Promise<WorkflowRun> {
      const by = run.cancel?.by ?? "somebody";
      return end(run, "cancelled", { code: "ABORTED", message: `It was cancelled by ${by}` });
    },
    failed: (run: WorkflowRun, error: StepError, at?: StepPlace): Promise<WorkflowRun> => end(run, "failed", error, at),
    async done(run: WorkflowRun, kept: Pick<WorkflowRun, "output" | "artifact">): Promise<WorkflowRun> {
      // Of a step that was cut off in the middle, and left out.
      await takeBackAsked(run);
      return runs.change(run.id, (newest) =>
        isEnded(newest) || newest.cancel ? null : { ...newest, status: "done", ...kept, endedAt: clock.now() },
      );
    },
    /** Tells whoever waits for it, once. */
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

/** A prompt that called tools, or is not over. */
function mayHaveBegun(run: WorkflowRun, { id, item }: StepPlace): boolean {
  const { status, toolCalls = 0 } = stateOf(run, id, item);
  return isAsked(run, id) && (toolCalls > 0 || status === "running" || status === "waiting");
}

function isStartedBy(link: RunPlace["startedBy"], runId: string): boolean {
  return link !== undefined && (runOfSession(link.sessionKey) === runId || isStartedBy(link.startedBy, runId));
}

export function isAsked({ definition }: WorkflowRun, id: string): boolean {
  const kind = stepOf({ definition }, id).run;
  return kind === "prompt" || kind === "skill";
}

/** Steps that were under way are to be done; their attempts stand, so that no key of an effect comes again for another one. */
function withNothingUnderWay({ steps }: WorkflowRun): Pick<WorkflowRun, "steps"> {
  const halted = (state: StepState): StepState => {
    if (state.items) return { ...state, items: state.items.map(halted) };
    const isHeld = state.status === "waiting" && (state.wait?.approval !== undefined || state.wait?.run !== undefined);
    return state.status === "running" || isHeld ? { ...PENDING, attempt: state.attempt, ...childOf(state) } : state;
  };
  return { steps: Object.fromEntries(Object.entries(steps).map(([id, state]) => [id, halted(state)])) };
}
