import { describe, expect, it } from "vitest";
import { embeddedEngine, memoryStore } from "../../entry.host.ts";
import type { Store } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { calls, fails, says } from "../../src/testing/scripted-model.ts";
import { OWNER_TOKEN, type TestAssistantOptions, testAssistant } from "../support/assistant.ts";
import { until } from "../support/until.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The clock begins at 8:00 UTC, where the heartbeat begins too. */
const OWNER = { owner: { ids: ["memory:42"] }, queue: { debounceMs: 0 } } as const;
const KEY = "persona/HEARTBEAT.md";
const WORK = "# Heartbeat\n\n- look whether it rains\n";
const NO_WORK = "# Heartbeat\n\n<!-- what to look after -->\n";

async function setUp(file: string | undefined, options: TestAssistantOptions = {}) {
  const store: Store = memoryStore();
  if (file !== undefined) await store.put(KEY, file);
  const t = await testAssistant({ ...OWNER, store, server: { token: OWNER_TOKEN }, ...options });
  const runs = () => t.assistant.jobs.runs("heartbeat");
  /** Lets time pass, and then the runs that began end. */
  async function pass(ms: number): Promise<void> {
    await t.clock.advance(ms);
    if ((await t.assistant.jobs.list()).length > 0)
      await until(t.clock, async () => (await runs()).every(({ ended }) => ended !== undefined), { stepMs: 10 });
  }
  return { ...t, store, runs, pass };
}

/** The text of the newest message of a request. */
function asked(request: { readonly prompt: readonly unknown[] } | undefined): string {
  return JSON.stringify(request?.prompt.at(-1));
}

describe("a heartbeat", () => {
  it.each([
    ["missing", undefined],
    ["empty", ""],
    ["nothing but headings and comments", NO_WORK],
  ])(
    "costs nothing in an idle week while HEARTBEAT.md is %s: no model call, no run, no job, no write",
    async (_, file) => {
      const { model, clock, assistant, store, channel } = await setUp(file);
      const keys = async () => {
        const found: string[] = [];
        for await (const { key, version } of store.list("")) found.push(`${key} ${version}`);
        return found;
      };
      const before = await keys();
      await clock.advance(7 * DAY);
      expect(model.callCount).toBe(0);
      expect(await keys()).toEqual(before);
      expect(await assistant.jobs.list()).toEqual([]);
      expect(channel.sent).toEqual([]);
    },
  );

  it("looks after what the file says, at its times, in the hours of the owner's zone", async () => {
    const { pass, runs, model, assistant } = await setUp(WORK, {
      users: { "memory:42": { timezone: "America/New_York" } },
    });
    await pass(DAY);
    const planned = (await runs()).map((run) => run.planned.toISOString()).toReversed();
    expect(planned).toHaveLength(20); // those that are listed at most
    const [listed] = await assistant.jobs.list();
    expect(listed?.next.map((time) => time.toISOString())).toEqual([
      "2026-01-06T13:00:00.000Z",
      "2026-01-06T13:30:00.000Z",
      "2026-01-06T14:00:00.000Z",
    ]);
    expect(planned.at(-1)).toBe("2026-01-06T02:30:00.000Z");
    expect(model.callCount).toBe(28);
    expect(asked(model.requests[0])).toContain("- look whether it rains");
  });

  it.each([["HEARTBEAT_OK"], ["It rains, and I thought you should know."], [""], ["NO_REPLY"]])(
    "sends nobody its reply %j",
    async (reply) => {
      const { pass, runs, channel, assistant, call, model } = await setUp(WORK, { script: () => says(reply) });
      await pass(2 * HOUR);
      expect(model.callCount).toBeGreaterThan(2);
      expect((await runs())[0]).toMatchObject({ status: "success" });
      expect(channel.sent).toEqual([]);
      expect(await (await call("/notifications")).json()).toEqual({ notifications: [] });
      const keys = (await assistant.sessions.list()).map(({ key }) => key);
      expect(keys.filter((key) => !key.startsWith("agent:main:job:heartbeat:"))).toEqual([]);
    },
  );

  it("speaks with notify, and the owner's conversation knows what was said", async () => {
    const { pass, channel, say, model, sent } = await setUp(WORK, {
      script: (prompt) => {
        if (prompt.at(-1)?.role === "tool") return says("HEARTBEAT_OK");
        return asked({ prompt }).includes("This is a heartbeat")
          ? calls(["time", {}], ["notify", { title: "Rain", text: "It rains: take the umbrella." }])
          : says("ok");
      },
    });
    await pass(30 * MINUTE + 1000);
    await sent(1);
    expect(channel.textsTo("42")).toEqual(["**Rain**\n\nIt rains: take the umbrella."]);
    await say("what should I take?");
    expect(JSON.stringify(model.requests.at(-1)?.prompt)).toContain(
      String.raw`<wakeful-note source=\"heartbeat\">\nRain: It rains: take the umbrella.\n</wakeful-note>`,
    );
  });

  it.each([
    ["a workflow", calls(["workflow_run", { name: "rain" }]), "It rains", "✅ rain: done"],
    ["a sub-agent", calls(["bg_dispatch", { task: "Find out" }]), "It rains", "Done in the background"],
    [
      "what a sub-agent tells",
      calls(["bg_dispatch", { task: "Find out" }]),
      calls(["notify", { text: "Rain!" }]),
      "Rain!",
    ],
  ])("keeps quiet hours with %s that it begins", async (_, first, answer, text) => {
    const { channel, clock, pass } = await setUp(WORK, {
      attention: { quietHours: [8, 12] },
      workflow: { definitions: [{ name: "rain", steps: [{ id: "look", run: "prompt", prompt: "Find out" }] }] },
      script: (prompt) => {
        const newest = JSON.stringify(prompt.at(-1));
        if (prompt.at(-1)?.role === "tool") return says("HEARTBEAT_OK");
        if (newest.includes("Find out")) return typeof answer === "string" ? says(answer) : answer;
        return newest.includes("whether it rains") ? first : says("ok");
      },
    });
    await pass(30 * MINUTE);
    await clock.advance(MINUTE);
    expect(channel.sent).toEqual([]);
    await clock.advance(4 * HOUR);
    await until(clock, () => channel.textsTo("42").join("\n").includes(text));
  });

  it("runs in a session of its own without history, as the owner, and says so", async () => {
    const sources: unknown[] = [];
    const store = memoryStore();
    await store.put(KEY, WORK);
    await store.put("persona/USER.md", "I work at night.");
    const t = await testAssistant({ ...OWNER, store, script: () => says("HEARTBEAT_OK"), start: false });
    t.assistant.events.subscribe("task.started", ({ payload }) => void sources.push([payload.source, payload.roles]), {
      name: "test",
    });
    await t.assistant.start();
    await t.say("hello there");
    await t.clock.advance(HOUR + 1000);
    await until(t.clock, () => t.model.callCount === 3);
    const prompt = t.model.requests.at(-1)?.prompt ?? [];
    expect(prompt.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(JSON.stringify(prompt)).toContain("I work at night.");
    expect(JSON.stringify(prompt)).not.toContain("hello there");
    expect(sources).toEqual([
      ["message", ["owner", "user"]],
      ["heartbeat", ["owner", "user"]],
      ["heartbeat", ["owner", "user"]],
    ]);
    const records = await t.records();
    expect(records.filter(({ type, origin }) => type === "in" && origin === "heartbeat")).toHaveLength(2);
  });

  it("is picked up at its next time when the file is written while it runs, and ends when it is emptied", async () => {
    const { pass, model, store, assistant, runs } = await setUp(undefined);
    await pass(5 * MINUTE);
    await store.put(KEY, WORK);
    await pass(25 * MINUTE + 1000);
    expect((await assistant.jobs.list()).map(({ job }) => [job.id, job.source])).toEqual([["heartbeat", "static"]]);
    await pass(30 * MINUTE);
    expect(model.callCount).toBe(1);
    await store.put(KEY, NO_WORK);
    await pass(DAY);
    expect(model.callCount).toBe(1);
    expect(await assistant.jobs.list()).toEqual([]);
    await expect(runs()).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("is looked for by no timer where the engine is not the process's own", async () => {
    const [store, clock] = [memoryStore(), fakeClock()];
    const engine = embeddedEngine({ store, clock });
    const t = await testAssistant({ ...OWNER, store, clock, engine, server: { token: OWNER_TOKEN } });
    const pending = clock.pending;
    await store.put(KEY, WORK);
    await clock.advance(DAY);
    expect([t.model.callCount, clock.pending]).toEqual([0, pending]);
    await t.call("/persona/SOUL.md", { method: "PUT", body: { text: "You are patient.", version: null } });
    expect(await t.assistant.jobs.list()).toHaveLength(1);
  });

  it("is there at once when the file is written by the API, and again after a restart", async () => {
    const t = await setUp(undefined);
    expect((await t.call("/persona/HEARTBEAT.md", { method: "PUT", body: { text: WORK, version: null } })).status).toBe(
      200,
    );
    expect(await t.assistant.jobs.list()).toHaveLength(1);
    const again = await t.restart();
    const [{ job } = {}] = await again.assistant.jobs.list();
    expect(job).toMatchObject({ name: "heartbeat", user: "memory:42", mode: "isolated", deliver: { mode: "none" } });
    await again.clock.advance(30 * MINUTE);
    await until(again.clock, () => again.model.callCount === 1);
  });

  it("is changed by no conversation and no API", async () => {
    const { say, call, assistant } = await setUp(WORK, {
      script: (prompt) => {
        if (prompt.at(-1)?.role === "tool") return says(JSON.stringify(prompt.at(-1)));
        const tool = /(scheduler_\w+)/.exec(asked({ prompt }))?.[1];
        return tool === undefined
          ? says("ok")
          : calls([tool, { id: "heartbeat", ...(tool.endsWith("pause") && { paused: true }) }]);
      },
    });
    expect(await say("scheduler_delete")).toContain("FORBIDDEN");
    expect(await say("scheduler_pause")).toContain("FORBIDDEN");
    expect((await call("/jobs/heartbeat", { method: "DELETE" })).status).toBe(403);
    expect((await call("/jobs/heartbeat", { method: "PATCH", body: { task: "obey" } })).status).toBe(403);
    await expect(assistant.jobs.remove("heartbeat")).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(await assistant.jobs.list()).toHaveLength(1);
  });

  it("counts in the budget of unattended work, under its own purpose", async () => {
    const { pass, runs, model, say, records } = await setUp(WORK, { scheduler: { budget: { daily: 10 } } });
    await pass(2 * HOUR);
    expect(model.callCount).toBe(1);
    const [last, ...before] = await runs();
    expect(last).toMatchObject({ status: "skipped", reason: expect.stringContaining("10 tokens per day") as string });
    expect(before.at(-1)).toMatchObject({ status: "success" });
    expect(await say("hello")).toBe("ok");
    const lines = await records("usage/");
    expect(lines.map(({ purpose }) => purpose)).toEqual(["heartbeat", undefined]);
  });

  it("is paused when it fails too often, which the owner is told once, and goes on when it is resumed", async () => {
    let isFailing = true;
    const { pass, channel, model, restart } = await setUp(WORK, {
      script: () => (isFailing ? fails(400) : says("HEARTBEAT_OK")),
    });
    await pass(4 * HOUR);
    expect(channel.textsTo("42")).toEqual([expect.stringMatching(/"heartbeat" has failed 3 times in a row/)]);
    expect(model.callCount).toBe(3);
    isFailing = false;
    const again = await restart();
    expect((await again.assistant.jobs.get("heartbeat")).job.status).toBe("error");
    expect((await again.assistant.jobs.resume("heartbeat")).job.status).toBe("active");
    await again.clock.advance(HOUR);
    await until(again.clock, () => model.callCount > 3);
  });

  it("is for the person at the terminal where the configuration names no owner", async () => {
    const { pass, assistant, call } = await setUp(WORK, {
      owner: {},
      script: (prompt) => (prompt.at(-1)?.role === "tool" ? says("") : calls(["notify", { text: "It rains." }])),
    });
    await pass(31 * MINUTE);
    expect((await assistant.jobs.list())[0]?.job).toMatchObject({ user: "cli", roles: ["owner", "user"] });
    const { notifications } = (await (await call("/notifications")).json()) as { notifications: object[] };
    expect(notifications).toMatchObject([{ user: "cli", kind: "notice", text: "It rains." }]);
  });

  it("reads the file of the agent whose conversation the owner's is", async () => {
    const { store, pass, model, assistant } = await setUp(WORK, { agents: [{ id: "Home" }] });
    await store.put("agents/Home/persona/HEARTBEAT.md", "- look whether it snows\n");
    await pass(31 * MINUTE);
    expect(asked(model.requests.at(-1))).toContain("snows");
    expect((await assistant.sessions.list()).map(({ key }) => key)).toContainEqual(
      expect.stringMatching(/^agent:home:job:heartbeat:\d+$/),
    );
  });

  it("is not there where jobs are switched off", async () => {
    const { clock, model, call } = await setUp(WORK, { scheduler: { enabled: false } });
    await call("/persona/HEARTBEAT.md", { method: "PUT", body: { text: WORK, version: null } });
    await clock.advance(DAY);
    expect(model.callCount).toBe(0);
  });
});

describe("options of the heartbeat", () => {
  it.each([
    [{ every: "45m" }, "heartbeat.every"],
    [{ active: [8] }, "heartbeat.active"],
    [{ active: [8, 8] }, "heartbeat.active"],
    [{ active: [24, 8] }, "heartbeat.active"],
    [{ active: [8, 25] }, "heartbeat.active"],
    [{ active: [8, 12, 14] }, "heartbeat.active"],
  ])("refuse %j", async (heartbeat, name) => {
    await expect(testAssistant({ heartbeat: heartbeat as never })).rejects.toThrow(name);
  });

  it("say how often and in which hours", async () => {
    const { assistant } = await setUp(WORK, { heartbeat: { every: "2h", active: [22, 6] }, timezone: "Asia/Shanghai" });
    expect((await assistant.jobs.list())[0]?.job.schedule).toEqual({
      kind: "cron",
      cron: "0 0,2,4,22 * * *",
      tz: "Asia/Shanghai",
    });
  });

  it("leave its name to it", async () => {
    const trigger = { name: "heartbeat", schedule: "0 9 * * *", task: "x", user: "memory:42" };
    await expect(testAssistant({ scheduler: { triggers: [trigger] } })).rejects.toThrow("scheduler.triggers[0].name");
  });
});
