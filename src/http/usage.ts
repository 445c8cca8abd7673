import * as v from "valibot";
import type { DayUsage, UsageTotals, UsageRecorder } from "../usage/index.ts";
import { type GuardedRoute, checkedQuery, countParameter, json } from "./route.ts";

const UsageQuery = v.object({ days: countParameter(92, "Number of days, including today. Default 7") });

const totals = {
  calls: v.pipe(v.number(), v.description("Model calls")),
  input_tokens: v.number(),
  output_tokens: v.number(),
  cached_input_tokens: v.pipe(v.number(), v.description("Input tokens that the provider read from its cache")),
  cost: v.pipe(
    v.number(),
    v.description("In the currency of the configured prices. Models without a price count as 0"),
  ),
};
const TotalsJson = v.strictObject(totals);

const UsageJson = v.strictObject({
  today: TotalsJson,
  month: TotalsJson,
  days: v.array(
    v.strictObject({
      day: v.string(),
      total: TotalsJson,
      models: v.array(v.strictObject({ model: v.string(), ...totals })),
      users: v.array(v.strictObject({ user: v.string(), ...totals })),
    }),
  ),
  budgets: v.array(
    v.strictObject({
      budget: v.picklist(["daily", "monthly"]),
      kind: v.picklist(["tokens", "cost"]),
      used: v.number(),
      limit: v.number(),
    }),
  ),
  until_ms: v.optional(v.pipe(v.number(), v.description("The budget is used up: no model is called before this time"))),
});

/** Model usage, as the API shows it. */
export type UsagePart = Pick<UsageRecorder, "summary" | "uses" | "check">;

export function usageRoutes(usage: UsagePart): readonly GuardedRoute[] {
  return [
    {
      method: "GET",
      path: "/api/v1/usage",
      summary: "Shows model usage by day, newest first, and how much of each budget is used",
      access: ["owner"],
      query: UsageQuery,
      answers: { 200: { description: "Tokens, costs and budgets", schema: UsageJson } },
      async handle({ query }) {
        const { days = 7 } = checkedQuery(UsageQuery, query);
        const summary = await usage.summary({ days });
        const state = usage.check();
        return json({
          today: totalsJson(summary.today),
          month: totalsJson(summary.month),
          days: summary.days.map(dayJson),
          budgets: usage.uses(),
          ...(!state.ok && { until_ms: state.untilMs }),
        });
      },
    },
  ];
}

function dayJson({ day, total, models, users }: DayUsage) {
  const list = (name: "model" | "user", by: Readonly<Record<string, UsageTotals>>) =>
    Object.entries(by).map(([key, used]) => ({ [name]: key, ...totalsJson(used) }));
  return { day, total: totalsJson(total), models: list("model", models), users: list("user", users) };
}

function totalsJson({ calls, inputTokens, outputTokens, cachedInputTokens, cost }: UsageTotals) {
  return {
    calls,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    cached_input_tokens: cachedInputTokens,
    cost,
  };
}
