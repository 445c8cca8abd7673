import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool, toolOutcome } from "../../entry.host.ts";
import { calls, fails, says } from "../../src/testing/scripted-model.ts";
import { type TestAssistant, type TestAssistantOptions, testAssistant } from "../support/assistant.ts";
import { until } from "../support/until.ts";

const HOUR = 3_600_000;
const HOME = "agent:main:memory:direct:";

/** An assistant with a job that wipes a disk each hour, which the owner is asked about, and one that renders, whose result comes later. */
async function setUp(options: TestAssistantOptions = {}) {
  const ids: string[] = [];
  const wipe = defineTool({
    description: "wipes a disk",
    inputSchema: v.object({}),
    execute: () => "wiped",
    meta: { dangerous: true },
  });
  const render = defineTool({
    description: "renders",
    inputSchema: v.object({}),
    execute(_, { callId }) {
      ids.push(callId);
      return toolOutcome({ forModel: "started", pending: "elsewhere" });
    },
  });
  const t = await testAssistant({
    owner: { ids: ["memory:42"] },
    session: { ownerMain: false },
    queue: { debounceMs: 0 },
    tools: { wipe, render },
    script(prompt) {
      const last = prompt.at(-1);
      const text = JSON.stringify(last?.content ?? "");
      if (last?.role === "tool") return says("I began");
      if (text.includes("is due now")) return calls([/wipe|render/.exec(text)?.[0] ?? "", {}]);
      return says(/Result: wiped/.test(text) ? "It is wiped" : "ok");
    },
    ...options,
  });
  return { ...t, ids };
}

const job = (task: string, user = "memory:42") => ({ schedule: "every hour", task, user, mode: "isolated" }) as const;

async function asked(t: TestAssistant) {
  await t.clock.advance(HOUR);
  await until(t.clock, async () => (await t.assistant.approvals.list()).length === 1);
  const [request] = await t.assistant.approvals.list();
  if (request === undefined) throw new Error("nothing was asked");
  return request;
}

describe("what a job's run asks the owner", () => {
  for (const mode of ["isolated", "main"] as const)
    it(`is asked in the owner's chat, and its outcome is answered there: ${mode}`, async () => {
      const t = await setUp();
      await t.assistant.jobs.create({ ...job("wipe the disk"), mode });
      const { code, sessionKey } = await asked(t);
      expect(sessionKey).toMatch(mode === "main" ? /direct:42$/ : /:job:/);
      await until(t.clock, () => t.channel.sent.some(({ message }) => message.buttons !== undefined));
      const shown = t.channel.sent.filter(({ message }) => message.buttons !== undefined);
      expect(shown.map(({ target, message }) => [target.chat, message.text.includes(code)])).toEqual([["42", true]]);
      await t.receive(`/approve ${code}`);
      await until(t.clock, () => t.channel.textsTo("42").includes("It is wiped"));
      expect(JSON.stringify(await t.assistant.sessions.show(`${HOME}42`))).toContain("It is wiped");
      for await (const { key } of t.store.list("notifications/")) expect.unreachable(`${key} waits for the host`);
    });

  it("is told in the chat of whose job it is, and asked in the owner's", async () => {
    const t = await setUp();
    await t.assistant.jobs.create(job("wipe the disk", "memory:7"));
    const { code } = await asked(t);
    await until(t.clock, () => t.channel.textsTo("7").some((text) => text.includes(code)));
    await until(t.clock, () => t.channel.textsTo("42").some((text) => text.includes(code)));
    expect(
      t.channel.sent.filter(({ message }) => message.buttons !== undefined).map(({ target }) => target.chat),
    ).toEqual(["42"]);
    await t.receive(`/approve ${code}`);
    await until(t.clock, () => t.channel.textsTo("7").includes("It is wiped"));
    expect(t.channel.textsTo("42")).not.toContain("It is wiped");
  });

  it("is told in the chat that the job speaks in", async () => {
    const t = await setUp();
    await t.assistant.jobs.create({ ...job("wipe the disk", "memory:7"), chat: "room" });
    const { code } = await asked(t);
    await until(t.clock, () => t.channel.textsTo("room").some((text) => text.includes(code)));
    await t.receive(`/approve ${code}`);
    await until(t.clock, () => t.channel.textsTo("room").includes("It is wiped"));
    expect(t.channel.textsTo("7")).toEqual([]);
  });
});

describe("a result that comes after a job's run", () => {
  it("is said in the job's chat, and known in its conversation", async () => {
    const t = await setUp();
    await t.assistant.jobs.create({ ...job("render the film"), chat: "room" });
    await t.clock.advance(HOUR);
    await t.sent(1, "room");
    await t.assistant.tools.complete(t.ids[0] ?? "", { output: "film.mp4" });
    await t.sent(2, "room");
    expect(t.channel.textsTo("room")).toEqual(["I began", "render: film.mp4"]);
    await t.say("what came of it?");
    expect(JSON.stringify(t.model.requests.at(-1)?.prompt)).toContain("film.mp4");
  });
});

describe("the session of a job's run", () => {
  /** What is told of sessions of runs from now on: how they began and ended. */
  function heardOf(t: TestAssistant): string[] {
    const heard: string[] = [];
    for (const type of ["session.started", "session.ended"] as const)
      t.assistant.events.subscribe(
        type,
        ({ sessionId, payload }) => {
          if (sessionId?.includes(":job:"))
            heard.push(`${type.slice(8)} ${payload.user} ${payload.reason ?? ""}`.trim());
        },
        { name: "spy" },
      );
    return heard;
  }
  const BEGUN = "started memory:42";
  const DONE = "ended memory:42 done";

  /** A run that is asked for, of a job whose own time is far off. */
  async function begin(t: TestAssistant, task: string, more: object = {}) {
    const { job: made } = await t.assistant.jobs.create({ ...job(task), schedule: "every day at 3am", ...more });
    await t.assistant.jobs.run(made.id);
    return made.id;
  }

  /** As `begin`, up to the run's end. */
  async function runOnce(t: TestAssistant, task: string) {
    const id = await begin(t, task);
    await until(t.clock, async () => (await t.assistant.jobs.runs(id))[0]?.ended !== undefined);
    await t.clock.advance(1000);
  }

  async function answer(t: TestAssistant, given: "once" | "deny") {
    const [request] = await t.assistant.approvals.list();
    await t.during(t.assistant.approvals.answer(request?.code ?? "", { answer: given, user: "memory:42" }));
  }

  it("ends with the run, once, and not by silence", async () => {
    const t = await setUp({ script: () => says("looked") });
    const heard = heardOf(t);
    await runOnce(t, "look around");
    await until(t.clock, () => heard.length === 2);
    await t.clock.advance(3 * HOUR);
    expect(heard).toEqual([BEGUN, DONE]);
  });

  for (const given of ["once", "deny"] as const)
    it(`ends when the outcome of what it asked the owner has been told: ${given}`, async () => {
      const t = await setUp({ approvals: { timeoutMinutes: 600 } });
      const heard = heardOf(t);
      await runOnce(t, "wipe the disk");
      await t.clock.advance(3 * HOUR);
      expect(heard).toEqual([BEGUN]);
      await answer(t, given);
      await until(t.clock, () => heard.length > 1);
      await t.clock.advance(3 * HOUR);
      expect(heard).toEqual([BEGUN, DONE]);
    });

  it("ends when nobody answered in time", async () => {
    const t = await setUp({ approvals: { timeoutMinutes: 120 } });
    const heard = heardOf(t);
    await runOnce(t, "wipe the disk");
    await t.clock.advance(HOUR);
    expect(heard).toEqual([BEGUN]);
    await t.clock.advance(HOUR);
    await until(t.clock, () => heard.length > 1);
    expect(heard).toEqual([BEGUN, DONE]);
  });

  it("ends when its late result has come, also in the next process", async () => {
    const t = await setUp();
    const heard = heardOf(t);
    await runOnce(t, "render the film");
    await t.clock.advance(3 * HOUR);
    expect(heard).toEqual([BEGUN]);
    const again = await t.restart();
    const later = heardOf(again);
    await again.assistant.tools.complete(t.ids[0] ?? "", { output: "film.mp4" });
    await until(again.clock, () => later.length > 0);
    await again.clock.advance(3 * HOUR);
    expect(later).toEqual([DONE]);
  });

  it("goes on while the run is to be tried again, whatever is answered meanwhile", async () => {
    let isBroken = true;
    const answered = Promise.withResolvers<void>();
    const t = await setUp({
      async script(prompt) {
        if (!isBroken || !JSON.stringify(prompt).includes("is due now")) return says("looked");
        if (prompt.at(-1)?.role !== "tool") return calls(["wipe", {}]);
        await answered.promise;
        isBroken = false;
        return fails(400);
      },
    });
    const heard = heardOf(t);
    await begin(t, "look around", { retryPolicy: { maxRetries: 1, backoffSeconds: 7200 } });
    await until(t.clock, () => t.model.callCount > 1);
    await answer(t, "deny");
    answered.resolve();
    await t.clock.advance(HOUR + 60_000);
    expect(heard).toEqual([BEGUN]);
    await t.clock.advance(HOUR);
    await until(t.clock, () => heard.length > 1);
    expect(heard).toEqual([BEGUN, DONE]);
  });

  it("ends also when its job went with the run", async () => {
    const t = await setUp({ script: () => says("looked") });
    const heard = heardOf(t);
    await begin(t, "look around", { deleteAfterRun: true });
    await until(t.clock, () => heard.length === 2);
    expect(heard).toEqual([BEGUN, DONE]);
    expect(await t.assistant.jobs.list()).toEqual([]);
  });
});
