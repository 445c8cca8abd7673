import { describe, expect, it } from "vitest";
import { testAssistant } from "../support/assistant.ts";
import { until } from "../support/until.ts";
import { DEPLOY, OWNER } from "./deployment.ts";

describe("a job that needs approval", () => {
  it("asks once while a run waits, and runs when they agree, however many of its times came meanwhile", async () => {
    const t = await testAssistant({ ...OWNER, approvals: { timeoutMinutes: 300 } });
    const { job } = await t.assistant.jobs.create({ ...DEPLOY, schedule: "* * * * *" });
    await t.clock.advance(60_000);
    await t.sent(1);
    for (let skipped = 1; skipped <= 160; skipped += 1) {
      await t.clock.advance(60_000);
      const lines = () => t.store.lastSeq(`jobs/runs/${job.id}.jsonl`);
      await until(t.clock, async () => (await lines()) === 1 + 2 * skipped, { stepMs: 1 });
    }
    const [request, ...more] = await t.assistant.approvals.list();
    expect(more).toEqual([]);
    await t.during(t.assistant.approvals.answer(request?.code ?? "", { answer: "once", user: "memory:42" }));
    await t.sent(2);
    expect(t.channel.textsTo("42").filter((text) => text === "Deployed")).toHaveLength(1);
    expect((await t.assistant.jobs.runs(job.id, { limit: 100 })).every(({ status }) => status === "skipped")).toBe(
      true,
    );
  });
});
