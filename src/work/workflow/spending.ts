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

/** A session at work, and the chain that started it. */
type Worker = Pick<CallerLink, "sessionKey" | "startedBy">;

/** What runs and sub-agents use while steps are under way: those side by side share one budget. */
export type Spending = ReturnType<typeof createSpending>;

export function createSpending({ runs, sessions, subagents }: SpendingDeps) {
  /** What is written, and what prompts and other runs have used besides. */
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

  /** What a try that is under way has used so far, and what it handed on. */
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
    // Those that these started have the same root and work.
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

  /** The run whose budget this one shares: it is a step of that, or was begun within one. */
  async function above({ parent, place }: Pick<WorkflowRun, "parent" | "place">): Promise<WorkflowRun | undefined> {
    return parent ? runs.find(parent.run) : runWith(place.startedBy);
  }

  /** The run that a session belongs to, or the nearest session of the chain that started it; undefined: none does. */
  async function runWith(worker: Worker | undefined): Promise<WorkflowRun | undefined> {
    let id: string | undefined;
    for (let link = worker; id === undefined && link; link = link.startedBy) id = runOfSession(link.sessionKey);
    return id === undefined ? undefined : runs.find(id);
  }

  /** Which part is used up of the budget of a run, or of one whose budget it shares; undefined: none. @param calls How many fewer count as made. */
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
    /** May a prompt of a run, or a sub-agent, take another step? @throws {AssistantError} `BUDGET_EXCEEDED`. */
    async check(worker: Worker): Promise<void> {
      const run = await runWith(worker);
      // The last call that a budget allows is answered.
      const part = run && (await usedUp(run, 1));
      if (part !== undefined) throw new AssistantError("BUDGET_EXCEEDED", `The budget is used up: ${part}`);
    },
    /** May it make this many calls more? */
    async mayCall(worker: Worker, calls: number): Promise<boolean> {
      const run = await runWith(worker);
      return run === undefined || (await usedUp(run, 1 - calls)) === undefined;
    },
    /** Tokens that are left of the run that this is work of; undefined: it is none of a run's. */
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
