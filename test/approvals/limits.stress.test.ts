import { describe, expect, it } from "vitest";
import { until } from "../support/until.ts";
import { OWNER, setUp } from "./wiping.ts";

const DAY = 24 * 60 * 60 * 1000;

describe("many requests", () => {
  it("go when they have been kept for 30 days, with their codes", async () => {
    const t = await setUp();
    await t.run("sda");
    const [request] = await t.open();
    await t.assistant.approvals.answer(request?.code ?? "", { answer: "deny", user: OWNER });
    await until(t.clock, () => t.seen.length === 1);
    await t.clock.advance(29 * DAY);
    expect((await t.assistant.approvals.list({ all: true })).length).toBe(1);
    await t.clock.advance(2 * DAY);
    const keys = async () => {
      const found: string[] = [];
      for await (const { key } of t.store.list("approvals/")) found.push(key);
      return found;
    };
    await until(t.clock, async () => (await keys()).length === 0);
    expect(await keys()).toEqual([]);
  });
});
