export { type DailySummary, createDailySummary, dayWakeKey } from "./daily-summary.ts";
