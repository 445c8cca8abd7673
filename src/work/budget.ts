import type { UsageRecorder } from "../usage/index.ts";
import type { WorkBudgetOptions } from "./options.ts";

/** Tokens that all jobs may use on one day, in one month, and those of one person on one day. */
export const DEFAULT_DAILY_TOKENS = 500_000;
export const DEFAULT_MONTHLY_TOKENS = 5_000_000;
export const DEFAULT_PERSON_DAILY_TOKENS = 50_000;

export interface WorkBudgetDeps {
  readonly usage: Pick<UsageRecorder, "unattended">;
  isOwner(user: string): boolean;
}

/** @returns Why no unattended work is done for a person now; undefined: it may be. Work that is under way goes on: its tokens are known when it has ended. */
export function createWorkBudget({ usage, isOwner }: WorkBudgetDeps, options: WorkBudgetOptions = {}) {
  const {
    daily = DEFAULT_DAILY_TOKENS,
    monthly = DEFAULT_MONTHLY_TOKENS,
    perPersonDaily = DEFAULT_PERSON_DAILY_TOKENS,
  } = options;
  return function whyNot(user: string): string | undefined {
    const used = usage.unattended(user);
    if (used.monthTokens >= monthly) return `the budget of all jobs, ${monthly} tokens a month, is used up`;
    if (used.dayTokens >= daily) return `the budget of all jobs, ${daily} tokens a day, is used up`;
    if (!isOwner(user) && used.personDayTokens >= perPersonDaily)
      return `the budget of this person's jobs, ${perPersonDaily} tokens a day, is used up`;
    return undefined;
  };
}
