import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool, memoryStore } from "../../mod.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { calls, fails, says } from "../../src/testing/scripted-model.ts";
import { type TestAssistant, testAssistant } from "../support/assistant.ts";
import { beginLifeUpToApprovedCall } from "../support/life.ts";
import { until } from "../support/until.ts";
import { DEPLOY, OWNER } from "./deployment.ts";

const HOUR = 3_600_000;

/** A job whose first run was asked for. @returns Its id and the request's code. */
async function asked(t: TestAssistant) {
  const { job } = await t.assistant.jobs.create(DEPLOY);
  await t.clock.advance(HOUR);
  await t.sent(1);
  const [request] = await t.assistant.approvals.list();
  return { id: job.id, code: request?.code ?? "" };
}

const lastRun = async (t: TestAssistant, id: string) => (await t.assistant.jobs.runs(id)).at(-1);

describe("a job that needs approval", () => {
  it("asks the owner before each run, and runs once when they agree", async () => {
    const t = await testAssistant(OWNER);
    const { id, code } = await asked(t);
    expect(t.channel.textsTo("42")[0]).toContain("deploy the site");
    await t.clock.advance(10 * 60_000);
    expect(t.model.requests).toHaveLength(0);
    expect(await lastRun(t, id)).toMatchObject({ status: "waiting" });
    await t.during(t.assistant.approvals.answer(code, { answer: "once", user: "memory:42" }));
    await t.sent(2);
    await t.clock.advance(30 * 60_000);
    expect(t.channel.textsTo("42").filter((text) => text === "Deployed")).toHaveLength(1);
    expect(await lastRun(t, id)).toMatchObject({ status: "success" });
    // The next one asks anew.
    await t.clock.advance(20 * 60_000);
    await until(t.clock, async () => (await t.assistant.approvals.list()).length === 1);
  });

  it("runs not when they say no, and says why", async () => {
    const t = await testAssistant(OWNER);
    const { id, code } = await asked(t);
    await t.assistant.approvals.answer(code, { answer: "deny", reason: "not on a Friday", user: "memory:42" });
    await until(t.clock, async () => (await lastRun(t, id))?.ended !== undefined);
    expect(await lastRun(t, id)).toMatchObject({
      status: "skipped",
      reason: "it was not approved: not on a Friday",
    });
    expect(t.model.requests).toHaveLength(0);
  });

  it("runs not when nobody answers", async () => {
    const t = await testAssistant(OWNER);
    const { id } = await asked(t);
    await t.clock.advance(32 * 60_000);
    await until(t.clock, async () => (await lastRun(t, id))?.ended !== undefined);
    expect(await lastRun(t, id)).toMatchObject({
      status: "skipped",
      reason: "it was not approved: no one answered in time",
    });
    expect(t.model.requests).toHaveLength(0);
  });

  it("waits over a restart, and asks no second time for the same run", async () => {
    const t = await testAssistant(OWNER);
    const { id, code } = await asked(t);
    const again = await t.restart();
    await again.clock.advance(5 * 60_000);
    expect(await again.assistant.approvals.list()).toHaveLength(1);
    await again.during(again.assistant.approvals.answer(code, { answer: "once", user: "memory:42" }));
    await until(again.clock, async () => (await lastRun(again, id))?.ended !== undefined);
    expect(await lastRun(again, id)).toMatchObject({ status: "success" });
    expect(again.channel.textsTo("42").filter((text) => text === "Deployed")).toHaveLength(1);
  });

  it("runs when they agreed, whatever a kill cut off after that", async () => {
    const store = memoryStore();
    const clock = fakeClock();
    const life = beginLifeUpToApprovedCall(store, clock);
    const t = await testAssistant({ ...OWNER, life, store, clock });
    const { id, code } = await asked(t);
    void t.assistant.approvals.answer(code, { answer: "once", user: "memory:42" });
    await until(clock, () => life.killed);
    const next = await testAssistant({ ...OWNER, store, clock });
    await until(clock, async () => (await lastRun(next, id))?.ended !== undefined);
    expect(await lastRun(next, id)).toMatchObject({ status: "success" });
  });

  it("does not do another task than the owner agreed to", async () => {
    const t = await testAssistant(OWNER);
    const { id, code } = await asked(t);
    await t.assistant.jobs.update(id, { task: "delete the site" });
    await t.during(t.assistant.approvals.answer(code, { answer: "once", user: "memory:42" }));
    await until(t.clock, async () => (await lastRun(t, id))?.ended !== undefined);
    expect(await lastRun(t, id)).toMatchObject({
      status: "skipped",
      reason: "its task is not the one that was approved",
    });
    expect(t.model.requests).toHaveLength(0);
  });

  it("does not run when it was paused before they agreed", async () => {
    const t = await testAssistant(OWNER);
    const { id, code } = await asked(t);
    await t.assistant.jobs.pause(id);
    await t.during(t.assistant.approvals.answer(code, { answer: "once", user: "memory:42" }));
    await until(t.clock, async () => (await lastRun(t, id))?.ended !== undefined);
    expect(await lastRun(t, id)).toMatchObject({ status: "skipped", reason: "it is paused" });
  });

  it("stays so for everybody but the owner", async () => {
    const t = await testAssistant({
      ...OWNER,
      server: { tokens: [{ token: "t".repeat(32), role: "user", user: "app:ada" }] },
    });
    const { job } = await t.assistant.jobs.create({ ...DEPLOY, user: "app:ada", channel: "app" });
    const change = { method: "PATCH", body: { approval_required: false } };
    const refused = await t.call(`/jobs/${job.id}`, { ...change, token: "t".repeat(32) });
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("Only an owner")]);
  });
});

describe("what a try of a run asked the owner", () => {
  it.each(["main", "isolated"] as const)("is taken back when it is tried again, in mode %s", async (mode) => {
    const ran: string[] = [];
    const wipe = defineTool({
      description: "Wipes a disk",
      inputSchema: v.object({ disk: v.string() }),
      execute: ({ disk }) => void ran.push(disk),
      meta: { dangerous: true },
    });
    let tries = 0;
    const t = await testAssistant({
      ...OWNER,
      tools: { wipe },
      script(prompt) {
        if (prompt.at(-1)?.role === "tool") return tries === 1 ? fails(400) : says("I asked");
        if (!JSON.stringify(prompt.at(-1)).includes("is due now")) return says("ok");
        return calls(["wipe", { disk: `sd${(tries += 1)}` }]);
      },
    });
    const retryPolicy = { maxRetries: 1, backoffSeconds: 60 };
    await t.assistant.jobs.create({ ...DEPLOY, approvalRequired: false, mode, retryPolicy });
    await t.clock.advance(HOUR);
    await t.sent(3);
    const [first, second] = await t.assistant.approvals.list({ all: true });
    expect(first?.outcome).toMatchObject({ verdict: "denied", reason: "its try failed" });
    expect(await t.assistant.approvals.list()).toMatchObject([{ code: second?.code, state: "open" }]);
    // The next try knows, and no turn begins with it.
    expect(JSON.stringify(t.model.requests.at(-2)?.prompt)).toContain(`Taken back (${first?.code})`);
    expect(t.model.callCount).toBe(4);
    await t.during(t.assistant.approvals.answer(second?.code ?? "", { answer: "once", user: "memory:42" }));
    expect(ran).toEqual(["sd2"]);
  });
});
