import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import { createRuns } from "../../src/schedule/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { calls, fails, says } from "../../src/testing/scripted-model.ts";
import { OWNER_TOKEN, type TestAssistantOptions, testAssistant } from "../support/assistant.ts";
import { until } from "../support/until.ts";
import { MINUTE, eachMinute } from "./minutes.ts";

const HOUR = 60 * MINUTE;
const OWNER = { owner: { ids: ["memory:42"] }, queue: { debounceMs: 0 }, timezone: "Europe/Stockholm" } as const;

/** A model that makes a job of what it is asked for, and says what a job is about when it is due. */
const reminding: TestAssistantOptions["script"] = (prompt) => {
  const last = prompt.at(-1);
  const text = JSON.stringify(last?.content ?? "");
  if (last?.role === "tool") return says(`Made: ${text.slice(0, 600)}`);
  const due = /is due now[^]*\\n\\n(.+?)"/.exec(text)?.[1];
  if (due !== undefined) return due.includes("nothing") ? says("NO_REPLY") : says(`Now: ${due}`);
  const asked = /remind me (.+) to (.+?)"/.exec(text);
  return asked ? calls(["scheduler_create", { schedule: asked[1], task: asked[2] }]) : says("ok");
};

describe("a reminder", () => {
  it("is echoed with its time, and said once in the chat that it was made in", async () => {
    const t = await testAssistant({ ...OWNER, script: reminding });
    expect(await t.say("please remind me in 20 minutes to drink water")).toContain(
      "2026-01-05 09:20 (Europe/Stockholm)",
    );
    await t.clock.advance(20 * MINUTE - 10_000);
    expect(t.channel.textsTo("42")).toHaveLength(1);
    await t.clock.advance(20_000);
    await t.sent(2);
    expect(t.channel.textsTo("42").at(-1)).toBe("Now: drink water");
    await t.clock.advance(HOUR);
    expect(t.channel.textsTo("42")).toHaveLength(2);
    const [made] = await t.assistant.jobs.list();
    expect(made?.job.status).toBe("done");
    expect(await t.assistant.jobs.runs(made?.job.id ?? "")).toMatchObject([
      { status: "success", output: "Now: drink water" },
    ]);
    // The conversation knows what was said.
    await t.say("thanks");
    expect(JSON.stringify(t.model.requests.at(-1)?.prompt)).toContain("Now: drink water");
  });

  it("that came is set to another time, and let go on where there is none", async () => {
    const t = await testAssistant({ ...OWNER, script: reminding });
    const { job } = await t.assistant.jobs.create({ schedule: "in 20 minutes", task: "stretch", user: "memory:42" });
    await t.clock.advance(20 * MINUTE);
    await t.sent(1);
    await until(t.clock, async () => (await t.assistant.jobs.get(job.id)).job.status === "done");
    expect((await t.assistant.jobs.resume(job.id)).job.status).toBe("done");
    expect((await t.assistant.jobs.update(job.id, { schedule: "in 20 minutes" })).next).toHaveLength(1);
    await t.clock.advance(20 * MINUTE);
    await t.sent(2);
  });

  it.each([
    ["it fails", {}],
    ["the budget is used up", { scheduler: { budget: { daily: 0 } } }],
  ])("that was not done since %s is told of, and is not done", async (_title, options) => {
    const t = await testAssistant({ ...OWNER, script: () => fails(400), ...options });
    const { job } = await t.assistant.jobs.create({ schedule: "in 20 minutes", task: "stretch", user: "memory:42" });
    await t.clock.advance(20 * MINUTE);
    await t.sent(1);
    expect(t.channel.textsTo("42")[0]).toContain('The job "stretch" was due but did not run: ');
    const now = async () => (await t.assistant.jobs.get(job.id)).job;
    await until(t.clock, async () => (await now()).status === "error", { stepMs: 10 });
    await expect(t.assistant.jobs.resume(job.id)).rejects.toThrow("has passed in the meantime");
    expect((await t.assistant.jobs.update(job.id, { schedule: "in 20 minutes" })).job.status).toBe("active");
    await t.clock.advance(20 * MINUTE);
    await t.sent(2);
  });

  it("whose time passed while it was paused is not resumed, and stays to be given another", async () => {
    const t = await testAssistant({ ...OWNER, script: reminding });
    const { job } = await t.assistant.jobs.create({ schedule: "in 20 minutes", task: "stretch", user: "memory:42" });
    await t.assistant.jobs.pause(job.id);
    await t.clock.advance(HOUR);
    await expect(t.assistant.jobs.resume(job.id)).rejects.toThrow(
      "2026-01-05T08:20:00.000Z has passed in the meantime",
    );
    expect((await t.assistant.jobs.get(job.id)).job.status).toBe("paused");
    await t.assistant.jobs.update(job.id, { schedule: "in 20 minutes" });
    expect((await t.assistant.jobs.resume(job.id)).next).toHaveLength(1);
  });

  it("says what words about its time leave open", async () => {
    const t = await testAssistant({ ...OWNER, script: reminding });
    const made = t.assistant.jobs.create({ schedule: "tomorrow at 5", task: "stretch" });
    await expect(made).rejects.toThrow(
      'Cannot read the schedule: "tomorrow at 5" can mean two times: is it 5 am or 5 pm?',
    );
  });

  it("of the terminal is in the conversation that the owner has there", async () => {
    const t = await testAssistant({ ...OWNER, script: reminding });
    await t.assistant.jobs.create({ schedule: "in 1 minute", task: "stretch", user: "cli" });
    await eachMinute(t, 2);
    const { sessionKey } = await t.during(t.assistant.send({ user: "cli", text: "what was that?" }));
    const entries = (await t.assistant.sessions.show(sessionKey))?.entries ?? [];
    expect(entries.map((entry) => ("text" in entry ? [entry.type, entry.text.split("\n")[0]] : entry))).toEqual([
      ["note", expect.stringContaining("is due now")],
      ["assistant", "Now: stretch"],
      ["user", "what was that?"],
      ["assistant", "ok"],
    ]);
  });

  it("is refused for a name that has no chat", async () => {
    const t = await testAssistant({ ...OWNER, script: reminding });
    for (const user of ["bad user", "@owner", "memory:", ":42", ""])
      await expect(t.assistant.jobs.create({ schedule: "in 1 minute", task: "stretch", user })).rejects.toThrow(
        `Invalid job: user: expected "channel:id", with both sides of the colon, got ${JSON.stringify(user)}`,
      );
    expect(await t.assistant.jobs.list()).toEqual([]);
    await t.assistant.jobs.create({ schedule: "in 1 minute", task: "stretch", user: "ada" });
  });

  it("stays when it is kept while it runs, and goes with its runs else", async () => {
    const store = memoryStore();
    let letGo = () => {};
    const script = async () => (await new Promise<void>((resolve) => (letGo = resolve)), says("done"));
    const t = await testAssistant({ ...OWNER, store, script });
    const once = { schedule: "in 1 minute", task: "stretch", user: "memory:42", deleteAfterRun: true } as const;
    const [kept, gone] = [await t.assistant.jobs.create(once), await t.assistant.jobs.create(once)];
    await t.clock.advance(MINUTE);
    for (let count = 1; count <= 2; count += 1) {
      await until(t.clock, () => t.model.callCount === count, { stepMs: 10 });
      await t.assistant.jobs.update(kept.job.id, { deleteAfterRun: false });
      letGo();
      await t.sent(count);
    }
    await until(t.clock, async () => (await t.assistant.jobs.list()).length === 1, { stepMs: 10 });
    expect((await t.assistant.jobs.list()).map(({ job }) => job.id)).toEqual([kept.job.id]);
    await until(t.clock, async () => (await store.lastSeq(`jobs/runs/${gone.job.id}.jsonl`)) === 0, { stepMs: 10 });
  });

  it("comes after a restart, also when its time passed meanwhile", async () => {
    const t = await testAssistant({ ...OWNER, script: reminding });
    await t.say("remind me in 20 minutes to drink water");
    await t.during(t.assistant.stop());
    t.clock.step(3 * HOUR);
    const again = await t.restart();
    await again.sent(2);
    expect(again.channel.textsTo("42").at(-1)).toBe("Now: drink water");
  });

  it("that has nothing to say says nothing", async () => {
    const t = await testAssistant({ ...OWNER, script: reminding });
    const { job } = await t.assistant.jobs.create({ schedule: "every hour", task: "nothing", user: "memory:42" });
    await t.clock.advance(HOUR + 1000);
    await until(t.clock, async () => (await t.assistant.jobs.runs(job.id)).some(({ ended }) => ended !== undefined));
    expect(t.channel.sent).toEqual([]);
    expect(await t.assistant.jobs.runs(job.id)).toMatchObject([{ status: "success", output: "" }]);
  });
});

describe("a job", () => {
  it("runs once for each planned time, and none that was missed when it does not make up for it", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    const t = await testAssistant({ ...OWNER, clock, store, script: reminding });
    const { job, next } = await t.assistant.jobs.create({ schedule: "0 * * * *", task: "stretch", user: "memory:42" });
    expect(next.map((time) => time.toISOString().slice(11, 16))).toEqual(["09:00", "10:00", "11:00"]);
    // To each time and no further: what is sent must not wait for hours.
    await clock.advance(HOUR);
    await t.sent(1);
    await clock.advance(HOUR);
    await t.sent(2);
    await t.during(t.assistant.stop());
    clock.step(5.5 * HOUR);
    const again = await t.restart();
    await again.clock.advance(30 * MINUTE);
    await again.sent(3);
    const runs = await again.assistant.jobs.runs(job.id);
    expect(runs.map(({ planned, status }) => `${planned.toISOString().slice(11, 16)} ${status}`)).toEqual([
      "16:00 success",
      "11:00 skipped",
      "10:00 success",
      "09:00 success",
    ]);
    expect(again.channel.textsTo("42")).toHaveLength(3);
  });

  it("is moved to the clock of another zone, where it has one", async () => {
    const t = await testAssistant({ ...OWNER, script: reminding });
    const { job } = await t.assistant.jobs.create({ schedule: "0 9 * * *", task: "stretch", user: "memory:42" });
    const moved = await t.assistant.jobs.update(job.id, { timezone: "Asia/Tokyo" });
    expect(moved.job.schedule).toEqual({ kind: "cron", cron: "0 9 * * *", tz: "Asia/Tokyo" });
    expect(moved.next[0]?.toISOString()).toBe("2026-01-06T00:00:00.000Z");
    await expect(t.assistant.jobs.update(job.id, { timezone: "Mars/X" })).rejects.toThrow('"Mars/X" is not known');
    const once = await t.assistant.jobs.update(job.id, { schedule: "2026-01-06T09:00" });
    expect(once.job).toMatchObject({ schedule: { kind: "at" }, catchUp: "once" });
    await expect(t.assistant.jobs.update(job.id, { timezone: "Asia/Tokyo" })).rejects.toThrow(
      "give the schedule again",
    );
    expect((await t.assistant.jobs.update(job.id, { schedule: "every day at 9" })).job.catchUp).toBe("skip");
  });

  it("is not run again when a clock is set back", async () => {
    const t = await testAssistant({ ...OWNER, script: reminding });
    await t.assistant.jobs.create({ schedule: "0 * * * *", task: "stretch", user: "memory:42" });
    await t.clock.advance(HOUR + 1000);
    await t.sent(1);
    t.clock.step(-30 * MINUTE);
    await t.clock.advance(40 * MINUTE);
    expect(t.channel.textsTo("42")).toHaveLength(1);
    await t.clock.advance(51 * MINUTE);
    await t.sent(2);
  });

  it("is tried again with its back-off, and paused when it fails too often, which is said once", async () => {
    let failing = true;
    const t = await testAssistant({ ...OWNER, script: () => (failing ? fails(400) : says("done")) });
    const { job } = await t.assistant.jobs.create({
      schedule: "0 * * * *",
      task: "stretch",
      user: "memory:42",
      retryPolicy: { maxRetries: 1, backoffSeconds: 30 },
      maxConsecFailures: 2,
    });
    await t.clock.advance(HOUR);
    await until(t.clock, async () => (await t.assistant.jobs.get(job.id)).job.consecFailures === 1, { stepMs: 1000 });
    expect(t.model.callCount).toBe(2);
    await t.clock.advance(HOUR);
    await t.sent(1);
    expect(t.channel.textsTo("42")[0]).toMatch(/has failed 2 times in a row and is paused/);
    expect((await t.assistant.jobs.get(job.id)).job).toMatchObject({ status: "error", nextRunAt: null });
    await t.clock.advance(3 * HOUR);
    expect(t.model.callCount).toBe(4);
    failing = false;
    await t.assistant.jobs.resume(job.id);
    await t.clock.advance(HOUR);
    await t.sent(2);
    expect((await t.assistant.jobs.get(job.id)).job).toMatchObject({ status: "active", consecFailures: 0 });
  });

  it.each([
    ["somebody's", "memory:7", 1],
    ["the owner's", "memory:42", 0],
  ])("that is %s is paused, and the owner, who has two accounts, is told once", async (_whose, user, elsewhere) => {
    const owner = { ids: ["memory:41", "memory:42"] };
    const t = await testAssistant({ ...OWNER, owner, script: () => fails(400) });
    await t.assistant.jobs.create({ schedule: "0 * * * *", task: "stretch", user, maxConsecFailures: 1 });
    await t.clock.advance(HOUR);
    await t.sent(1, user.slice("memory:".length));
    await t.clock.advance(HOUR);
    const told = ["41", "42", "7"].flatMap((chat) => t.channel.textsTo(chat).map(() => `memory:${chat}`));
    expect(told).toEqual(elsewhere === 1 ? ["memory:41", user] : [user]);
  });

  it("whose file names no zone is due by the zone that the assistant has now, and a single time comes once", async () => {
    const t = await testAssistant({ ...OWNER, script: () => says("NO_REPLY") });
    const file = (schedule: string) => `schedule: "${schedule}"\ntask: stretch\nuser_id: memory:42\nchannel: memory\n`;
    await t.store.put("jobs/daily.yaml", file("0 9 * * *"));
    await t.store.put("jobs/once.yaml", file("2026-01-06T09:00"));
    await t.assistant.jobs.list();
    const moved = await t.restart({ timezone: "America/New_York" });
    const planned = async (id: string) => (await moved.assistant.jobs.runs(id)).map((run) => run.planned.toISOString());
    await moved.clock.advance(6 * HOUR);
    await until(t.clock, async () => (await planned("daily")).length > 0, { stepMs: 1000 });
    expect(await planned("daily")).toEqual(["2026-01-05T14:00:00.000Z"]);
    await moved.clock.advance(19 * HOUR);
    expect(await planned("once")).toEqual([]);
    await moved.clock.advance(5 * HOUR);
    await until(t.clock, async () => (await planned("once")).length > 0, { stepMs: 1000 });
    expect(await planned("once")).toEqual(["2026-01-06T14:00:00.000Z"]);
  });

  it("is paused when its results reach nobody, as of a person who blocked the bot, and the owner is told once", async () => {
    const t = await testAssistant({ ...OWNER, script: () => says("stretch!") });
    const refused = { retryable: false, message: "Forbidden: bot was blocked by the user" };
    t.channel.script([refused, null, ...Array.from({ length: 20 }, () => refused)], { chat: "7" });
    const { job } = await t.assistant.jobs.create({ schedule: "0 * * * *", task: "stretch", user: "memory:7" });
    const now = async () => (await t.assistant.jobs.get(job.id)).job;
    const counted = async (failures: number, tries: number) => {
      const { lastRunId } = await now();
      await t.clock.advance(HOUR);
      const isCounted = async () => t.channel.tries.length === tries && (await now()).lastRunId !== lastRunId;
      await until(t.clock, isCounted, { stepMs: 1 });
      expect((await now()).consecFailures).toBe(failures);
    };
    await counted(0, 1);
    await counted(1, 2);
    // One that arrives begins the count anew.
    await counted(0, 3);
    await counted(1, 4);
    await counted(2, 5);
    await t.clock.advance(HOUR);
    await t.sent(1, "42");
    await until(t.clock, async () => (await now()).status === "error", { stepMs: 1 });
    expect(await now()).toMatchObject({ nextRunAt: null, consecFailures: 3 });
    await t.clock.advance(5 * HOUR);
    expect(t.channel.textsTo("42")).toEqual([expect.stringContaining("Forbidden: bot was blocked by the user")]);
    expect(t.model.callCount).toBe(6);
    await t.assistant.jobs.resume(job.id);
    await t.clock.advance(HOUR);
    await until(t.clock, () => t.model.callCount === 7, { stepMs: 1 });
  });

  it("has a session of its own for each run when it is isolated, and its conversation is told", async () => {
    const t = await testAssistant({ ...OWNER, script: reminding });
    await t.assistant.jobs.create({ schedule: "0 * * * *", task: "look around", user: "memory:42", mode: "isolated" });
    await t.clock.advance(HOUR + 1000);
    await t.sent(1);
    expect((await t.assistant.sessions.list()).map(({ key }) => key)).toContainEqual(
      expect.stringMatching(/^agent:main:job:/),
    );
    await t.say("what was that?");
    expect(JSON.stringify(t.model.requests.at(-1)?.prompt)).toContain("Now: look around");
  });

  it("knows nothing of its person alone when a group reads the result, also in a session of its own", async () => {
    const t = await testAssistant({
      owner: { ids: ["memory:42"] },
      queue: { debounceMs: 0 },
      channel: { access: { groups: "mention" } },
      script: (prompt) => {
        if (prompt.at(-1)?.role === "tool") return says("made");
        const last = JSON.stringify(prompt.at(-1)?.content);
        const job = { schedule: "every hour", task: "look around", mode: "isolated" };
        return last.includes("look around") ? says("looked") : calls(["scheduler_create", job]);
      },
    });
    await t.store.put("persona/USER.md", "Takes a medicine.");
    await t.say("every hour, please", { from: "42", group: "g" });
    await t.clock.advance(HOUR + 1000);
    await until(t.clock, () => t.channel.textsTo("g").includes("looked"));
    const prompt = JSON.stringify(t.model.requests.at(-1)?.prompt);
    expect(prompt).toContain("look around");
    expect(prompt).not.toContain("medicine");
  });

  it("has at most the rights of whoever made it", async () => {
    const t = await testAssistant({
      ...OWNER,
      script: (prompt) =>
        prompt.at(-1)?.role === "tool" ? says("tried") : calls(["message", { text: "hi", to: "memory:7" }]),
    });
    const roles = async (user: string) => {
      await t.assistant.jobs.create({ schedule: "in 1 minute", task: "write to memory:7", user });
      await t.clock.advance(2 * MINUTE);
      await t.sent(1, user.slice(7));
    };
    await roles("memory:9");
    expect(t.channel.textsTo("7")).toEqual([]);
    await roles("memory:42");
    expect(t.channel.textsTo("7")).toEqual(["hi"]);
  });

  it.each([
    { who: "the owner's token", body: {} },
    { who: "the person at the terminal", body: { user: "cli" } },
  ])("made over HTTP by $who has the owner's rights and memory", async ({ body }) => {
    const t = await testAssistant({
      ...OWNER,
      server: { token: OWNER_TOKEN },
      script: (prompt) =>
        prompt.at(-1)?.role === "tool" ? says("kept") : calls(["memory_write", { content: "Prefers oat milk" }]),
    });
    await t.call("/jobs", { body: { schedule: "in 1 minute", task: "remember what I like", ...body } });
    await t.clock.advance(2 * MINUTE);
    await until(t.clock, async () => (await t.assistant.jobs.list()).every(({ job }) => job.status === "done"));
    const { entries } = (await (await t.call("/memory/entries?user=@owner")).json()) as { entries: object[] };
    expect(entries).toContainEqual(expect.objectContaining({ content: "Prefers oat milk" }));
  });

  it("of an owner who is none any more has not an owner's rights", async () => {
    const t = await testAssistant({
      ...OWNER,
      script: (prompt) =>
        prompt.at(-1)?.role === "tool" ? says("tried") : calls(["message", { text: "hi", to: "memory:7" }]),
    });
    await t.assistant.jobs.create({ schedule: "in 10 minutes", task: "write to memory:7", user: "memory:42" });
    const again = await t.restart({ owner: { ids: ["memory:1"] } });
    await again.clock.advance(11 * MINUTE);
    await again.sent(1);
    expect(again.channel.textsTo("7")).toEqual([]);
  });

  it("is one of twenty for somebody who is no owner, and of any number for the owner", async () => {
    const tokens = [{ token: "ada-token-01234567890", role: "user", user: "memory:9" }] as const;
    const t = await testAssistant({ ...OWNER, script: reminding, server: { tokens } });
    const make = () =>
      t.call("/jobs", { token: tokens[0].token, body: { schedule: "every day at 9", task: "stretch" } });
    for (let count = 0; count < 20; count += 1) expect((await make()).status).toBe(201);
    expect((await make()).status).toBe(403);
    await t.assistant.jobs.create({ schedule: "every day at 9", task: "stretch", user: "memory:42" });
  });

  it("of many is on one page of their list, each once, in the order in which they were made", async () => {
    const token = "ada-token-01234567890";
    const t = await testAssistant({
      ...OWNER,
      script: reminding,
      server: { tokens: [{ token, role: "user", user: "memory:9" }] },
    });
    const made: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      const user = count === 3 ? "memory:42" : "memory:9";
      const { job } = await t.assistant.jobs.create({ schedule: "every day at 9", task: `stretch ${count}`, user });
      if (user === "memory:9") made.push(job.id);
    }
    const pages: (readonly string[])[] = [];
    for (let after: string | undefined = ""; after !== undefined;) {
      const answer = await t.call(`/jobs?limit=3&after=${after}`, { token });
      const page = (await answer.json()) as { jobs: { id: string }[]; next_after?: string };
      pages.push(page.jobs.map(({ id }) => id));
      after = page.next_after;
    }
    expect(pages).toEqual([made.slice(0, 3), made.slice(3)]);
    const all = (await (await t.call("/jobs", { token })).json()) as { jobs: unknown[] };
    expect(all.jobs).toHaveLength(6);
    expect(all).not.toHaveProperty("next_after");
    expect((await t.call("/jobs?limit=0", { token })).status).toBe(400);
  });

  it("of a person is seen and changed by them and the owner alone", async () => {
    const tokens = [
      { token: "owner-token-0123456789", role: "owner" },
      { token: "ada-token-01234567890", role: "user", user: "memory:9" },
      { token: "bob-token-01234567890", role: "user", user: "memory:8" },
    ] as const;
    const t = await testAssistant({ ...OWNER, script: reminding, server: { tokens } });
    const made = await t.call("/jobs", {
      token: tokens[1].token,
      body: { schedule: "every day at 9", task: "stretch" },
    });
    expect(made.status).toBe(201);
    const { id, user } = (await made.json()) as { id: string; user: string };
    expect(user).toBe("memory:9");
    const seen = async (token: string) =>
      ((await (await t.call("/jobs", { token })).json()) as { jobs: { id: string }[] }).jobs.map((job) => job.id);
    expect([await seen(tokens[0].token), await seen(tokens[1].token), await seen(tokens[2].token)]).toEqual([
      [id],
      [id],
      [],
    ]);
    for (const [method, path] of [
      ["GET", ""],
      ["DELETE", ""],
      ["PATCH", ""],
      ["POST", "/run"],
      ["GET", "/runs"],
    ] as const) {
      const body = method === "PATCH" ? { body: { status: "paused" } } : {};
      expect((await t.call(`/jobs/${id}${path}`, { token: tokens[2].token, method, ...body })).status).toBe(404);
    }
    const paused = await t.call(`/jobs/${id}`, { token: tokens[1].token, method: "PATCH", body: { status: "paused" } });
    expect(await paused.json()).toMatchObject({ status: "paused", next_run_at: null });
    for (const [enabled, status] of [
      [true, "active"],
      [false, "paused"],
    ] as const) {
      const changed = await t.call(`/jobs/${id}`, { token: tokens[1].token, method: "PATCH", body: { enabled } });
      expect(await changed.json()).toMatchObject({ status });
    }
    expect((await t.call(`/jobs/${id}/run`, { token: tokens[1].token, method: "POST" })).status).toBe(202);
    await t.sent(1, "9");
    expect((await t.call(`/jobs/${id}`, { token: tokens[1].token, method: "DELETE" })).status).toBe(204);
    expect(await seen(tokens[0].token)).toEqual([]);
  });

  it.each(["scheduler_list", "schedule_task"])("of a person alone is not told to a group by %s", async (tool) => {
    const t = await testAssistant({
      ...OWNER,
      channel: { access: { groups: "mention" } },
      script: (prompt) => {
        const last = prompt.at(-1);
        const text = JSON.stringify(last?.content);
        if (last?.role === "tool") return says(text);
        if (text.includes("remind us"))
          return calls(["scheduler_create", { schedule: "every day at 9", task: "our meal" }]);
        const id = /get (\S+?)"/.exec(text)?.[1];
        if (tool === "scheduler_list") return calls([tool, {}]);
        return calls([tool, id === undefined ? { action: "list" } : { action: "get", job: { id } }]);
      },
    });
    const { job } = await t.assistant.jobs.create({ schedule: "0 9 * * *", task: "a medicine", user: "memory:42" });
    await t.say("remind us", { from: "42", group: "g" });
    const inGroup = await t.say("list them", { from: "42", group: "g" });
    expect(inGroup).toContain("our meal");
    expect(inGroup).not.toContain("medicine");
    expect(await t.say(`get ${job.id}`, { from: "42", group: "g" })).not.toContain("medicine");
    expect(await t.say("list them")).toContain("medicine");
  });

  it("goes on with a run that was claimed and never woken", async () => {
    const store = memoryStore();
    const t = await testAssistant({ ...OWNER, store, script: reminding });
    const { job } = await t.assistant.jobs.create({ schedule: "every hour", task: "stretch", user: "memory:42" });
    await createRuns({ store, clock: t.clock }).claim(job.id, t.clock.now(), true);
    await t.clock.advance(HOUR);
    await t.sent(1);
    await t.clock.advance(HOUR);
    await t.sent(2);
    const runs = await t.assistant.jobs.runs(job.id);
    expect(runs.map(({ status }) => status).slice(1)).toEqual(["skipped", "success"]);
  });

  it("never runs again within two seconds", async () => {
    const t = await testAssistant({ ...OWNER, script: reminding, scheduler: { minIntervalMs: 500 } });
    const schedule = { kind: "every", everyMs: 1500 };
    const { job } = await t.assistant.jobs.create({ schedule, task: "stretch", user: "memory:42" });
    const ended = async () => (await t.assistant.jobs.runs(job.id)).filter((run) => run.ended !== undefined).length;
    await until(t.clock, async () => (await ended()) >= 4, { stepMs: 50 });
    const runs = (await t.assistant.jobs.runs(job.id)).toReversed().slice(0, 4);
    expect(runs.map(({ status }) => status)).toEqual(["success", "skipped", "success", "skipped"]);
  });

  it("cools down for as long as it says, however many of its times lie in between", async () => {
    const t = await testAssistant({ ...OWNER, script: () => says("NO_REPLY") });
    const every = { schedule: "* * * * *", task: "stretch", user: "memory:42" };
    const { job } = await t.assistant.jobs.create({ ...every, cooldownSeconds: 3600 });
    for (let minutes = 1; minutes <= 61; minutes += 1) {
      await t.clock.advance(MINUTE);
      // Each has two lines: it was claimed, and it ended.
      const lines = () => t.store.lastSeq(`jobs/runs/${job.id}.jsonl`);
      await until(t.clock, async () => (await lines()) === 2 * minutes, { stepMs: 1 });
    }
    const runs = (await t.assistant.jobs.runs(job.id, { limit: 100 })).toReversed();
    expect(runs.flatMap(({ status }, minute) => (status === "success" ? [minute] : []))).toEqual([0, 60]);
  });

  it("stops at the budget of unattended work, and conversations go on", async () => {
    const t = await testAssistant({ ...OWNER, script: reminding, scheduler: { budget: { daily: 10 } } });
    const { job } = await t.assistant.jobs.create({ schedule: "every hour", task: "stretch", user: "memory:42" });
    await t.clock.advance(2 * HOUR + 1000);
    await until(t.clock, async () => (await t.assistant.jobs.runs(job.id)).filter(({ ended }) => ended).length === 2);
    const [second, first] = await t.assistant.jobs.runs(job.id);
    expect(first).toMatchObject({ status: "success" });
    expect(second).toMatchObject({ status: "skipped", reason: expect.stringContaining("10 tokens per day") as string });
    expect(await t.say("hello")).toBe("ok");
    // Asking for it again and again spends nothing more.
    const runId = await t.assistant.jobs.run(job.id);
    const asked = async () => (await t.assistant.jobs.runs(job.id)).find((run) => run.runId === runId);
    await until(t.clock, async () => (await asked())?.ended !== undefined);
    expect(await asked()).toMatchObject({ status: "skipped" });
  });

  it.each([
    ["the budget is used up", { scheduler: { budget: { daily: 0 } } }, "budget"],
    ["it is paused", {}, "it is paused"],
  ])("is not tried again when %s", async (_title, options, reason) => {
    const t = await testAssistant({ ...OWNER, script: () => fails(400) });
    const { job } = await t.assistant.jobs.create({
      schedule: "every hour",
      task: "stretch",
      user: "memory:42",
      retryPolicy: { maxRetries: 5, backoffSeconds: 600 },
    });
    await t.clock.advance(HOUR);
    await until(t.clock, () => t.model.callCount === 1, { stepMs: 10 });
    await t.clock.advance(1000);
    if (reason === "it is paused") await t.assistant.jobs.pause(job.id);
    const again = await t.restart(options);
    const before = again.model.callCount;
    await again.clock.advance(10 * MINUTE);
    const ended = async () => (await again.assistant.jobs.runs(job.id)).at(-1);
    await until(again.clock, async () => (await ended())?.ended !== undefined);
    expect(await ended()).toMatchObject({ status: "skipped", reason: expect.stringContaining(reason) as string });
    expect(again.model.callCount).toBe(before);
  });
});

describe("jobs that are due together", () => {
  it("have a turn and a result each, apart from what people say meanwhile", async () => {
    const t = await testAssistant({ ...OWNER, script: reminding, queue: { mode: "collect", debounceMs: 1000 } });
    for (const task of ["one", "two", "three"])
      await t.assistant.jobs.create({ schedule: "in 1 minute", task, user: "memory:42" });
    await t.clock.advance(MINUTE - 100);
    await t.receive("hello");
    await t.clock.advance(100);
    await t.receive("are you there?");
    await t.sent(5);
    expect(t.channel.textsTo("42").toSorted()).toEqual(["Now: one", "Now: three", "Now: two", "ok", "ok"]);
    for (const { job } of await t.assistant.jobs.list())
      expect(await t.assistant.jobs.runs(job.id)).toMatchObject([{ output: `Now: ${job.task}` }]);
  });

  it.each(["steer", "interrupt"] as const)(
    "are not joined by what people say while they run, under %s",
    async (mode) => {
      let letGo = () => {};
      const t = await testAssistant({
        ...OWNER,
        queue: { mode, debounceMs: 0 },
        script: async (prompt) => {
          if (!JSON.stringify(prompt.at(-1)).includes("is due now")) return says("hello to you");
          await new Promise<void>((resolve) => (letGo = resolve));
          return says("done");
        },
      });
      await t.assistant.jobs.create({ schedule: "in 1 minute", task: "work", user: "memory:42" });
      await t.clock.advance(MINUTE);
      await until(t.clock, () => t.model.callCount === 1, { stepMs: 10 });
      await t.receive("hello");
      await t.clock.advance(100);
      letGo();
      await t.sent(2);
      expect(t.channel.textsTo("42").toSorted()).toEqual(["done", "hello to you"]);
    },
  );
});

describe("a job's file", () => {
  it("is read as people write it, and keeps what they wrote when its state changes", async () => {
    const store = memoryStore();
    const t = await testAssistant({ ...OWNER, store, script: reminding, start: false });
    await store.put(
      "jobs/water.yaml",
      '# my own\nschedule: "0 9 * * *"\ntimezone: Asia/Shanghai\ntask: drink water # often\nuser_id: memory:42\nchannel: memory\n',
    );
    await t.assistant.start();
    await t.clock.advance(24 * HOUR);
    await t.sent(1);
    const text = JSON.parse(JSON.stringify((await store.get("jobs/water.yaml"))?.value)) as string;
    expect(text).toContain("# my own\n");
    expect(text).toContain("task: drink water # often\n");
    expect(text).toContain("last_run_status: success\n");
    expect(text).toContain('next_run_at: "2026-01-07T01:00:00.000Z"\n');
  });

  it("that is damaged is set aside and reported, and the others run", async () => {
    const store = memoryStore();
    const lines: [string, unknown][] = [];
    const ignore = () => {};
    const error = (line: string, fields?: unknown) => void lines.push([line, fields]);
    const t = await testAssistant({
      ...OWNER,
      store,
      script: reminding,
      start: false,
      logger: { debug: ignore, info: ignore, warn: ignore, error },
    });
    await store.put("jobs/good.yaml", 'schedule: "0 9 * * *"\ntask: stretch\nuser_id: memory:42\nchannel: memory\n');
    await store.put(
      "jobs/broken.yaml",
      'schedule: "0 9 * * *"\ntask: stretch\nuser_id: memory:42\nchannel: memory\nmode: sometimes\n',
    );
    await t.assistant.start();
    expect(lines).toEqual([
      [
        "A job's file cannot be read and is set aside",
        { file: "jobs/broken.yaml.bad", line: 5, field: "mode", problem: expect.stringContaining("main") as string },
      ],
    ]);
    expect((await t.assistant.jobs.list()).map(({ job }) => job.id)).toEqual(["good"]);
    expect((await store.get("jobs/broken.yaml.bad"))?.value).toContain("sometimes");
    await t.clock.advance(24 * HOUR);
    await t.sent(1);
  });

  it("of the configuration comes and goes with it", async () => {
    const triggers = [{ name: "standup", schedule: "0 9 * * 1-5", task: "standup", user: "memory:42" }];
    const t = await testAssistant({ ...OWNER, script: reminding, scheduler: { triggers } });
    expect((await t.assistant.jobs.list()).map(({ job }) => [job.id, job.source])).toEqual([["standup", "static"]]);
    await expect(t.assistant.jobs.remove("standup")).rejects.toMatchObject({ code: "FORBIDDEN" });
    const inGroup = await t.restart({ scheduler: { triggers: [{ ...triggers[0]!, chat: "g" }] } });
    expect((await inGroup.assistant.jobs.get("standup")).job.chat).toBe("g");
    const alone = await inGroup.restart({ scheduler: { triggers } });
    expect((await alone.assistant.jobs.get("standup")).job.chat).toBeUndefined();
    const without = await alone.restart({ scheduler: {} });
    expect(await without.assistant.jobs.list()).toEqual([]);
    await expect(
      testAssistant({ scheduler: { triggers: [{ ...triggers[0]!, schedule: "sometimes" }] } }),
    ).rejects.toThrow("scheduler.triggers[0].schedule");
  });

  it("of the configuration may be those of the person at the terminal, who is no channel's", async () => {
    const trigger = { name: "hello", schedule: "every hour", task: "say hello" };
    const server = { token: OWNER_TOKEN };
    const t = await testAssistant({ server, scheduler: { triggers: [{ ...trigger, user: "cli" }] } });
    await t.clock.advance(HOUR);
    const told = async () => (await (await t.call("/notifications")).json()) as { notifications: object[] };
    await until(t.clock, async () => (await told()).notifications.length > 0);
    expect((await told()).notifications).toMatchObject([{ user: "cli", kind: "notice", text: "ok" }]);
    for (const user of ["cli:cli", "ada"])
      await expect(testAssistant({ scheduler: { triggers: [{ ...trigger, user }] } })).rejects.toThrow(
        `scheduler.triggers[0].user: expected a user as "channel:id", for example "telegram:42", or cli or sdk, got "${user}"`,
      );
  });
});
