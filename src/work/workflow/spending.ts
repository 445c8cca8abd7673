import { AssistantError } from "../../errors.ts";
import type { Session, Sessions } from "../../session/index.ts";
import type { Subagent, Subagents } from "../../subagents/index.ts";
import { type Runs, type Spent, type WorkflowRun, budgetUsedUp, placesOf, stateOf } from "../../workflow/index.ts";
import { runOfSession, stepSessionOf } from "./keys.ts";
import { isAsked } from "./run-children.ts";
import { sumOf, usedSince } from "./spent.ts";

export interface SpendingDeps {
  readonly runs: Pick<Runs, "find">;
  readonly sessions: Pick<Sessions, "load">;
  readonly subagents: Pick<Subagents, "ofRoot">;
}

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
      const { status, wait, child } = stateOf(run, place.id, place.item);
      if (wait?.run !== undefined) {
        const other = await runs.find(wait.run);
        if (other) spent = sumOf(spent, usedSince(await spentBy(other), child?.counted));
      } else if (status === "running" && isAsked(run, place.id)) {
        const session = stepSessionOf(run.place.agentId, run.id, place);
        const { open } = await sessions.load(session);
        const toolCalls = (open?.steps ?? []).reduce((sum, { calls }) => sum + calls.length, 0);
        const others = open && toolCalls > 0 ? await handedOn(session, open.id) : 0;
        spent = sumOf(spent, { tokens: tokensIn(open) + others, toolCalls, activeMs: 0 });
      }
    }
    return spent;
  }

  /** Tokens that ended sub-agents used for one turn of a conversation, or for one call of a run's step. */
  async function handedOn(sessionKey: string, work: string): Promise<number> {
    // Those that these started have the same root and work.
    const all = await subagents.ofRoot(sessionKey);
    return all.reduce((sum, one) => (one.work === work ? sum + one.tokens : sum), 0);
  }

  /** The run whose budget this one shares: it is a step of that, or was begun within one. */
  async function above({ parent, place }: Pick<WorkflowRun, "parent" | "place">): Promise<WorkflowRun | undefined> {
    let id = parent?.run;
    for (let link = place.startedBy; id === undefined && link; link = link.startedBy)
      id = runOfSession(link.sessionKey);
    return id === undefined ? undefined : runs.find(id);
  }

  /** Which part is used up of the budget of a run, or of one whose budget it shares; undefined: none. @param calls Those that may be one too many. */
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

  const runWith = async (sessionKey: string): Promise<WorkflowRun | undefined> => {
    const id = runOfSession(sessionKey);
    return id === undefined ? undefined : runs.find(id);
  };

  return {
    above,
    usedUp,
    handedOn,
    /** May the prompt of this conversation take another step? @throws {AssistantError} `BUDGET_EXCEEDED`. */
    async check(sessionKey: string): Promise<void> {
      const run = await runWith(sessionKey);
      // The last call that a budget allows is answered.
      const part = run && (await usedUp(run, 1));
      if (part !== undefined) throw new AssistantError("BUDGET_EXCEEDED", `The budget is used up: ${part}`);
    },
    /** Tokens that are left of the run whose step this session is; undefined: it is none of a run's. */
    async leftOf(sessionKey: string): Promise<number | undefined> {
      const run = await runWith(sessionKey);
      return run && tokensLeft(run);
    },
    /** What a sub-agent has used so far. */
    async tokensOf({ state, sessionKey, tokens }: Pick<Subagent, "state" | "sessionKey" | "tokens">): Promise<number> {
      return state === "running" ? tokensIn((await sessions.load(sessionKey)).open) : tokens;
    },
  };
}

function tokensIn(open: Session["open"]): number {
  return (open?.steps ?? []).reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0);
}
