export { costOf } from "./price.ts";
export type { Budget, BudgetLimit, ModelPrice } from "./options.ts";
export type { BudgetState, BudgetUse, BudgetPeriod } from "./budget.ts";
export { USAGE_FILES } from "./day-store.ts";
export { createUsage } from "./usage.ts";
export type { ModelUse, UsageOptions, UsageRecorder } from "./usage.ts";
export type { DayUsage, UsageSummary, UsageTotals } from "./totals.ts";
export { createUsageErasure } from "./erasure.ts";
