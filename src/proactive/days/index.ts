export { type DailySummary, type DailySummaryParts, createDailySummary, dayWakeKey } from "./daily-summary.ts";
