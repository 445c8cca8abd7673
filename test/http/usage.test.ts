import { describe, expect, it } from "vitest";
import { memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { createUsage } from "../../src/usage/index.ts";
import { ADA, METRICS, bodyOf, call, fakeAssistant } from "./support.ts";

const USED = { input_tokens: 90, output_tokens: 10, cached_input_tokens: 0, cost: 0.0001, calls: 1 };

function setUp() {
  const clock = fakeClock();
  const usage = createUsage({
    store: memoryStore(),
    clock,
    timezone: "UTC",
    budget: { daily: { tokens: 100 } },
    prices: { "p/some_model": { input: 1, output: 1 } },
  });
  return { usage, app: fakeAssistant({ clock, parts: { usage } }).app };
}

describe("GET /api/v1/usage", () => {
  it("shows days, models, people and budgets", async () => {
    const { app, usage } = setUp();
    expect(await bodyOf(await app.request(call("/api/v1/usage")))).toMatchObject({
      days: [],
      budgets: [{ budget: "daily", kind: "tokens", used: 0, limit: 100 }],
    });
    const usageOf = { inputTokens: 90, outputTokens: 10 };
    usage.record({ model: "p/some_model", user: "telegram:4_2", sessionKey: "s", usage: usageOf });
    const response = await app.request(call("/api/v1/usage?days=3"));
    expect(response.status).toBe(200);
    expect(await bodyOf(response)).toEqual({
      today: USED,
      month: USED,
      days: [
        {
          day: "2026-01-05",
          total: USED,
          models: [{ model: "p/some_model", ...USED }],
          users: [{ user: "telegram:4_2", ...USED }],
        },
      ],
      budgets: [{ budget: "daily", kind: "tokens", used: 100, limit: 100 }],
      until_ms: Date.UTC(2026, 0, 6),
    });
  });

  it.each([
    { title: "a user's token", path: "/api/v1/usage", token: ADA, status: 403 },
    { title: "the token of metrics", path: "/api/v1/usage", token: METRICS, status: 403 },
    { title: "too many days", path: "/api/v1/usage?days=93", token: undefined, status: 400 },
    { title: "no number", path: "/api/v1/usage?days=all", token: undefined, status: 400 },
  ])("refuses $title", async ({ path, token, status }) => {
    const response = await setUp().app.request(call(path, token === undefined ? {} : { token }));
    expect(response.status).toBe(status);
  });
});
