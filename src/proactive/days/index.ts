export { type DailySummary, type DailySummaryParts, createDailySummary } from "./daily-summary.ts";
