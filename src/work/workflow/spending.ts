import { AssistantError } from "../../errors.ts";
import type { Session, Sessions } from "../../session/index.ts";
import type { CallerLink } from "../../speaker.ts";
import type { Subagent, Subagents } from "../../subagents/index.ts";
import {
  type Runs,
  type Spent,
  type StepPlace,
  type WorkflowRun,
  budgetUsedUp,
  placesOf,
  stateOf,
} from "../../workflow/index.ts";
import { effectKeyOf, runOfSession, runSessionOf, stepSessionOf } from "./keys.ts";
import { isAsked } from "./run-children.ts";
import { NOTHING, sumOf, usedSince } from "./spent.ts";

export interface SpendingDeps {
  readonly runs: Pick<Runs, "find">;
  readonly sessions: Pick<Sessions, "load">;
  readonly subagents: Pick<Subagents, "ofRoot">;
}

/** A session of work, and the chain that started it. */
type Worker = Pick<CallerLink, "sessionKey" | "startedBy">;

/** Counts what runs and sub-agents use while steps are under way: parallel steps share one budget. */
export type Spending = ReturnType<typeof createSpending>;

export function createSpending({ runs, sessions, subagents }: SpendingDeps) {
  /** The written use of a run, plus what its prompts under way and other runs have used since. */
  async function spentBy(run: WorkflowRun): Promise<Spent> {
    let { spent } = run;
    for (const id of run.begun ?? []) {
      const other = await runs.find(id);
      if (other) spent = sumOf(spent, await spentBy(other));
    }
    for (const place of placesOf(run)) {
      const { status, wait, child, attempt } = stateOf(run, place.id, place.item);
      if (wait?.run !== undefined) {
        const other = await runs.find(wait.run);
        if (other) spent = sumOf(spent, usedSince(await spentBy(other), child?.counted));
      } else if (status === "running") spent = sumOf(spent, await usedByTry(run, place, attempt));
    }
    return spent;
  }

  /** What a try under way has used so far, with its sub-agents. */
  async function usedByTry(run: WorkflowRun, place: StepPlace, attempt: number): Promise<Spent> {
    const { agentId } = run.place;
    if (!isAsked(run, place.id)) return handedOn(runSessionOf(agentId, run.id), effectKeyOf(run.id, place, attempt));
    const session = stepSessionOf(agentId, run.id, place);
    const { open } = await sessions.load(session);
    const own = usedIn(open);
    return open && own.toolCalls > 0 ? sumOf(own, await handedOn(session, open.id)) : own;
  }

  /** What sub-agents have used so far for one turn of a conversation, or for one call of a run's step. */
  async function handedOn(sessionKey: string, work: string): Promise<Spent> {
    // Nested sub-agents have the same root and work, so they are included.
    const all = (await subagents.ofRoot(sessionKey)).filter((one) => one.work === work);
    return (await Promise.all(all.map(usedBySubagent))).reduce(sumOf, NOTHING);
  }

  /** What a sub-agent itself has used so far. */
  async function usedBySubagent({
    state,
    sessionKey,
    tokens,
    toolCalls = 0,
  }: Pick<Subagent, "state" | "sessionKey" | "tokens" | "toolCalls">): Promise<Spent> {
    if (state === "running") return usedIn((await sessions.load(sessionKey)).open);
    return { ...NOTHING, tokens, toolCalls };
  }

  /** The run whose budget this one shares: its parent, or the run within which it was started. */
  async function above({ parent, place }: Pick<WorkflowRun, "parent" | "place">): Promise<WorkflowRun | undefined> {
    return parent ? runs.find(parent.run) : runWith(place.startedBy);
  }

  /** The run of a session, or of the nearest session in the chain that started it; undefined: none. */
  async function runWith(worker: Worker | undefined): Promise<WorkflowRun | undefined> {
    let id: string | undefined;
    for (let link = worker; id === undefined && link; link = link.startedBy) id = runOfSession(link.sessionKey);
    return id === undefined ? undefined : runs.find(id);
  }

  /**
   * The used-up part of the budget of a run, or of a run whose budget it shares; undefined: none.
   * @param calls Number of calls that are not counted.
   */
  async function usedUp(run: WorkflowRun, calls = 0): Promise<string | undefined> {
    const spent = await spentBy(run);
    const own = budgetUsedUp(run.budget, { ...spent, toolCalls: spent.toolCalls - calls });
    const parent = own === undefined ? await above(run) : undefined;
    return parent ? usedUp(parent, calls) : own;
  }

  async function tokensLeft(run: WorkflowRun): Promise<number> {
    const left = run.budget.maxTokens - (await spentBy(run)).tokens;
    const parent = await above(run);
    return parent ? Math.min(left, await tokensLeft(parent)) : left;
  }

  return {
    above,
    usedUp,
    handedOn,
    usedBySubagent,
    /**
     * Checks whether a prompt of a run, or a sub-agent, may take another step.
     * @throws {AssistantError} `BUDGET_EXCEEDED`.
     */
    async check(worker: Worker): Promise<void> {
      const run = await runWith(worker);
      // The model still gets to answer the result of the last call that the budget allows.
      const part = run && (await usedUp(run, 1));
      if (part !== undefined) throw new AssistantError("BUDGET_EXCEEDED", `The budget is used up: ${part}`);
    },
    /** Whether the worker may make this many more calls. */
    async mayCall(worker: Worker, calls: number): Promise<boolean> {
      const run = await runWith(worker);
      return run === undefined || (await usedUp(run, 1 - calls)) === undefined;
    },
    /** Tokens left of the run that the worker belongs to; undefined: it belongs to none. */
    async leftOf(worker: Worker): Promise<number | undefined> {
      const run = await runWith(worker);
      return run && tokensLeft(run);
    },
  };
}

function usedIn(open: Session["open"]): Spent {
  let { tokens, toolCalls } = NOTHING;
  for (const { usage, calls } of open?.steps ?? []) {
    tokens += usage.inputTokens + usage.outputTokens;
    toolCalls += calls.length;
  }
  return { ...NOTHING, tokens, toolCalls };
}
