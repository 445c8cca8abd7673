import type { Subagents } from "../../subagents/index.ts";
import {
  type RunPlace,
  type Runs,
  type StepPlace,
  type WorkflowRun,
  placesOf,
  stateOf,
  stepOf,
} from "../../workflow/index.ts";
import type { OwnTurns } from "../own-turns.ts";
import type { WorkApprovals } from "../work-approvals.ts";
import { runOfSession, runSessionOf, stepSessionOf } from "./keys.ts";
import { waitingSteps } from "./waits.ts";

export interface RunChildrenDeps {
  readonly runs: Pick<Runs, "live">;
  readonly turns: Pick<OwnTurns, "stop">;
  /** Takes back open questions. */
  readonly approvals: Pick<WorkApprovals, "takeBackAsked">;
  /** Asks another run to end. */
  cancel(runId: string, by: string): Promise<unknown>;
  /** Ends the sub-agents of a conversation. */
  stopHandedOn(sessionKey: string): Promise<unknown>;
  readonly subagents: Pick<Subagents, "ofRoot">;
}

const ENDED = "its workflow has ended";

/** Ends what runs have started. */
export type RunChildren = ReturnType<typeof createRunChildren>;

export function createRunChildren(deps: RunChildrenDeps) {
  const { runs, turns, approvals, cancel, stopHandedOn, subagents } = deps;

  /** Ends what the run waits for: questions, other runs, prompts. */
  async function stopChildren(run: WorkflowRun): Promise<void> {
    for (const { wait } of waitingSteps(run)) {
      if (wait.run !== undefined) await stopRun(run, wait.run);
    }
    for (const place of placesOf(run))
      if (stateOf(run, place.id, place.item).status === "running" && isAsked(run, place.id))
        await turns.stop(stepSessionOf(run.place.agentId, run.id, place));
    await takeBackOwn(run);
  }

  /**
   * Takes back all questions of the run. This includes steps that do not wait for an answer: a prompt whose turn is not
   * over, or one that a crash cut off.
   */
  function takeBackOwn(run: WorkflowRun): Promise<void> {
    return approvals.takeBackAsked((sessionKey) => runOfSession(sessionKey) === run.id, ENDED);
  }

  /**
   * Ends sub-agents and takes back their questions, also those of finished sub-agents: the effect is no longer wanted.
   */
  async function stopSubagents(sessionKey: string): Promise<void> {
    await stopHandedOn(sessionKey);
    const sessions = new Set((await subagents.ofRoot(sessionKey)).map((one) => one.sessionKey));
    if (sessions.size > 0) await approvals.takeBackAsked((asking) => sessions.has(asking), ENDED);
  }

  /** Ends what the run's prompts and tools started in the background: sub-agents and other runs. */
  async function stopBegun(run: WorkflowRun): Promise<void> {
    const { agentId } = run.place;
    await stopSubagents(runSessionOf(agentId, run.id));
    const asking = placesOf(run).filter((place) => mayHaveBegun(run, place));
    for (const place of asking) await stopSubagents(stepSessionOf(agentId, run.id, place));
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
    takeBackAsked: takeBackOwn,
    /** Ends all that a run has started. */
    async stop(run: WorkflowRun): Promise<void> {
      await stopChildren(run);
      await stopBegun(run);
    },
  };
}

/** Whether a prompt called tools or is not over, so that it may have started work. */
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
