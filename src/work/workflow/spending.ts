import { AssistantError } from "../../errors.ts";
import type { Sessions } from "../../session/index.ts";
import { type Runs, type Spent, type WorkflowRun, budgetUsedUp, placesOf, stateOf } from "../../workflow/index.ts";
import { runOfSession, stepSessionOf } from "./keys.ts";
import { isAsked } from "./run-ends.ts";
import { sumOf, usedSince } from "./spent.ts";

export interface SpendingDeps {
  readonly runs: Pick<Runs, "find">;
  readonly sessions: Pick<Sessions, "load">;
}

/** What runs use while steps are under way: those side by side share one budget. */
export type Spending = ReturnType<typeof createSpending>;

export function createSpending({ runs, sessions }: SpendingDeps) {
  /** What is written, and what prompts and other runs under way have used since. */
  async function spentBy(run: WorkflowRun): Promise<Spent> {
    let { spent } = run;
    for (const place of placesOf(run)) {
      const { status, wait, child } = stateOf(run, place.id, place.item);
      if (wait?.run !== undefined) {
        const other = await runs.find(wait.run);
        if (other) spent = sumOf(spent, usedSince(await spentBy(other), child?.counted));
      } else if (status === "running" && isAsked(run, place.id)) {
        const { open } = await sessions.load(stepSessionOf(run.place.agentId, run.id, place));
        for (const { usage, calls } of open?.steps ?? []) {
          const tokens = usage.inputTokens + usage.outputTokens;
          spent = sumOf(spent, { tokens, toolCalls: calls.length, activeMs: 0 });
        }
      }
    }
    return spent;
  }

  /** Which part is used up of the budget of a run, or of one that it is a step of; undefined: none. @param calls Those that may be one too many. */
  async function usedUp(run: WorkflowRun, calls = 0): Promise<string | undefined> {
    const spent = await spentBy(run);
    const own = budgetUsedUp(run.budget, { ...spent, toolCalls: spent.toolCalls - calls });
    const parent = own === undefined && run.parent ? await runs.find(run.parent.run) : undefined;
    return parent ? usedUp(parent, calls) : own;
  }

  return {
    usedUp,
    /** May the prompt of this conversation take another step? @throws {AssistantError} `BUDGET_EXCEEDED`. */
    async check(sessionKey: string): Promise<void> {
      const id = runOfSession(sessionKey);
      const run = id === undefined ? undefined : await runs.find(id);
      // The last call that a budget allows is answered.
      const part = run && (await usedUp(run, 1));
      if (part !== undefined) throw new AssistantError("BUDGET_EXCEEDED", `The budget is used up: ${part}`);
    },
  };
}
