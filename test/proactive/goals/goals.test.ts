import { describe, expect, it } from "vitest";
import { cadenceProblem } from "../../../src/proactive/index.ts";
import { memoryStore } from "../../../src/store/index.ts";
import { type Script, calls, says } from "../../../src/testing/scripted-model.ts";
import { type TestAssistant, testAssistant } from "../../support/assistant.ts";
import { until } from "../../support/until.ts";

const DAY = 86_400_000;
const OWNER = { owner: { ids: ["memory:42"] }, queue: { debounceMs: 0 } } as const;
const GOALS = `goals:
  - objective: Write the thesis
    current_focus: chapter 3
    review_cadence: weekly
    key_results:
      - { metric: chapters, target: 8, current: 2 }
  - objective: Run a marathon
`;
const FILE = "goals/@owner.yaml";

const writing = (input: object): { readonly script: Script } => ({
  script: (prompt) => (prompt.at(-1)?.role === "tool" ? says("noted") : calls(["okr_write", input])),
});
const lastPrompt = (t: TestAssistant) => JSON.stringify(t.model.requests.at(-1)?.prompt);
const resultOf = (t: TestAssistant) => JSON.stringify(t.model.requests.at(-1)?.prompt.at(-1));
const reviews = async (t: TestAssistant) =>
  (await t.assistant.jobs.list()).map(({ job }) => job).filter(({ source }) => source === "okr");
const untilReviews = (t: TestAssistant, count: number) =>
  until(t.clock, async () => (await reviews(t)).length === count);

async function kept(text = GOALS, options: object = {}) {
  const t = await testAssistant({ ...OWNER, ...options, start: false });
  await t.store.put(FILE, text);
  await t.during(t.assistant.start());
  return t;
}

describe("okr_write and okr_read", () => {
  it("keep a goal of the person who speaks, and echo what changed", async () => {
    const t = await testAssistant({
      ...OWNER,
      ...writing({ objective: "Read more", key_results: [{ metric: "books", target: 12, current: 3 }] }),
    });
    await t.say("my goal is to read 12 books");
    expect(resultOf(t)).toContain('"added":{"objective":"Read more"');
    expect(resultOf(t)).toContain("25%");
    expect((await t.store.get(FILE))?.value).toContain("- objective: Read more");
    await t.say("again");
    expect(resultOf(t)).toContain("unchanged");
  });

  it("are each person's own", async () => {
    const t = await testAssistant({ ...OWNER, script: () => says("ok") });
    await t.assistant.goals.write({ user: "memory:42", goals: { goals: [{ objective: "Secret", keyResults: [] }] } });
    const mine = await t.assistant.tools.run("okr_read", {}, { user: "memory:42" });
    expect(JSON.stringify(mine)).toContain("Secret");
    for (const user of ["memory:9", "telegram:42"])
      expect(await t.assistant.tools.run("okr_read", {}, { user })).toEqual({ ok: true, output: { goals: [] } });
    await t.assistant.tools.run("okr_write", { objective: "Secret", remove: true }, { user: "memory:9" });
    expect((await t.assistant.goals.read({ user: "memory:42" }))?.goals.goals).toHaveLength(1);
  });

  it("are neither shown nor run in a group, whatever the policy allows there", async () => {
    const t = await testAssistant({
      ...OWNER,
      policy: { version: 1, profiles: [{ name: "all", match: {}, policy: { deny: [], allow: [] } }] },
      ...writing({ objective: "Read more" }),
    });
    await t.store.put(FILE, GOALS);
    await t.store.put("goals/group:memory:-1.yaml", GOALS);
    await t.say("my goal is to read more", { group: "-1", mentioned: true });
    expect(JSON.stringify(t.model.requests[0]?.tools)).not.toContain("okr_");
    expect(lastPrompt(t)).not.toContain("thesis");
    expect((await t.store.get(FILE))?.value).toBe(GOALS);
    await t.say("my goal is to read more");
    expect(JSON.stringify(t.model.requests.at(-1)?.tools)).toContain("okr_write");
    expect((await t.store.get(FILE))?.value).toContain("Read more");
  });

  it("say what is wrong with a file that cannot be read, and leave it", async () => {
    const t = await kept("goals:\n  - objectiv: x\n", writing({ objective: "Read more" }));
    await t.say("my goal is to read more");
    expect(resultOf(t)).toContain("goals/@owner.yaml:2");
    expect((await t.store.get(FILE))?.value).toBe("goals:\n  - objectiv: x\n");
  });

  it("refuse a cadence that comes too often, or once", async () => {
    const t = await testAssistant({ ...OWNER });
    for (const review_cadence of ["every 5 minutes", "2027-01-01T09:00", "sometimes"])
      expect(
        await t.assistant.tools.run("okr_write", { objective: "x", review_cadence }, { user: "memory:42" }),
      ).toMatchObject({ ok: false, error: { code: "OPTION_INVALID" } });
    expect(await reviews(t)).toEqual([]);
  });
});

describe("goals before a turn", () => {
  it("are what the person works on now, once in what the prompt shows", async () => {
    const t = await kept();
    await t.say("hello");
    expect(lastPrompt(t)).toContain("Write the thesis; now: chapter 3; chapters: 2 of 8 (25%)");
    expect(lastPrompt(t)).not.toContain("marathon");
    await t.say("and now?");
    expect(lastPrompt(t).split("now: chapter 3")).toHaveLength(2);
    await t.store.put(FILE, GOALS.replace("chapter 3", "chapter 4"));
    await t.clock.advance(2000);
    await t.say("and now?");
    expect(lastPrompt(t)).toContain("now: chapter 4");
  });

  it("are not there for those who have none, or where goals are off", async () => {
    const prompts = async (options: object) => {
      const t = await testAssistant({ ...OWNER, ...options });
      await t.say("hello");
      return lastPrompt(t);
    };
    expect(await prompts({})).toBe(await prompts({ goals: { enabled: false } }));
    const off = await kept(GOALS, { goals: { enabled: false } });
    await off.say("hello");
    expect(lastPrompt(off)).not.toContain("thesis");
    expect(JSON.stringify(off.model.requests[0]?.tools)).not.toContain("okr_");
  });

  it("are not there for others", async () => {
    const t = await kept();
    await t.say("hello", { from: "9" });
    expect(lastPrompt(t)).not.toContain("thesis");
  });

  it("keep within their tokens, goal by goal", async () => {
    const many = Array.from({ length: 20 }, (_, n) => `  - objective: ${"long words ".repeat(8)}${n}\n`).join("");
    const t = await kept(`goals:\n${many}`, { goals: { maxTokens: 60 } });
    await t.say("hello");
    expect(lastPrompt(t)).toContain("long words 0");
    expect(lastPrompt(t)).not.toContain("long words 5");
  });

  it("are not there in a turn of a job", async () => {
    const t = await kept();
    await t.assistant.jobs.create({ schedule: "in 5 minutes", task: "stretch", user: "memory:42", mode: "isolated" });
    await t.clock.advance(6 * 60_000);
    await t.sent(1);
    expect(lastPrompt(t)).toContain("stretch");
    expect(lastPrompt(t)).not.toContain("chapter 3");
  });
});

describe("reviews of goals", () => {
  it.each(["daily", "weekly"])(
    "that were missed come once when the time zone is another by then: %s",
    async (cadence) => {
      const goals = GOALS.replace("review_cadence: weekly", `review_cadence: ${cadence}`);
      const t = await kept(goals, { timezone: "Europe/Stockholm", script: () => says("NO_REPLY") });
      await untilReviews(t, 1);
      const [review] = await reviews(t);
      const { id = "", nextRunAt } = review ?? {};
      const due = nextRunAt?.getTime() ?? 0;
      await t.during(t.assistant.stop());
      t.clock.step(due + 7_200_000 - t.clock.now());
      const there = await t.restart({ timezone: "America/New_York", start: true });
      const ended = async () => (await there.assistant.jobs.runs(id)).filter((run) => run.ended !== undefined);
      await until(there.clock, async () => (await ended()).length > 0, { stepMs: 10 });
      // Behind nine o'clock in New York of the same day.
      await until(there.clock, () => there.clock.now() > due + 8 * 3_600_000, { stepMs: 600_000 });
      expect((await ended()).map((run) => run.planned.getTime())).toEqual([due]);
      // Nine o'clock in New York of the next day, or week.
      const [next] = await reviews(there);
      expect(next?.nextRunAt?.getTime()).toBe(due + 6 * 3_600_000 + (cadence === "daily" ? DAY : 7 * DAY));
    },
  );

  it("are jobs of their own, made once, and gone with the goal", async () => {
    const t = await kept();
    await untilReviews(t, 1);
    const [job] = await reviews(t);
    expect(job).toMatchObject({
      name: "Review: Write the thesis",
      user: "memory:42",
      channel: "memory",
      status: "active",
    });
    const again = await t.restart({ start: true });
    await again.clock.advance(DAY);
    expect((await reviews(again)).map(({ id }) => id)).toEqual([job?.id]);
    await again.assistant.goals.write({ user: "memory:42", goals: {} });
    expect(await reviews(again)).toEqual([]);
  });

  it("speak where the goal was set, and ask for the goal's tools", async () => {
    const t = await testAssistant({
      ...OWNER,
      script: (prompt) =>
        JSON.stringify(prompt.at(-1)).includes("Review the goal")
          ? says("How is the thesis going?")
          : prompt.at(-1)?.role === "tool"
            ? says("noted")
            : calls(["okr_write", { objective: "Thesis", review_cadence: "every day at 9am" }]),
    });
    await t.say("my goal is a thesis", { from: "7" });
    const [job] = await reviews(t);
    expect(job).toMatchObject({ user: "memory:7", session: "agent:main:memory:direct:7", roles: ["user"] });
    await t.clock.advance(DAY);
    await t.sent(2, "7");
    expect(t.channel.textsTo("7").at(-1)).toBe("How is the thesis going?");
    expect(lastPrompt(t)).toContain("okr_read");
  });

  const reviewing: Script = (prompt) =>
    says(JSON.stringify(prompt.at(-1)).includes("Review the goal") ? "How is the thesis going?" : "noted");
  const everyDay = (at: string) => GOALS.replace("review_cadence: weekly", `review_cadence: every day at ${at}`);

  it("wait for the morning when their time is at night", async () => {
    const t = await kept(everyDay("6am"), { script: reviewing });
    await untilReviews(t, 1);
    await t.clock.advance(22 * 3_600_000 + 60_000);
    await until(t.clock, () => t.model.callCount === 1);
    expect(t.channel.textsTo("42")).toEqual([]);
    await t.clock.advance(2 * 3_600_000);
    await t.sent(1);
    expect(t.channel.textsTo("42")).toEqual(["How is the thesis going?"]);
  });

  it("cost nothing where nothing of them would be said", async () => {
    const attention = { channels: { memory: { enabled: false } } };
    const t = await kept(everyDay("9am"), { script: reviewing, attention });
    await untilReviews(t, 1);
    await t.clock.advance(2 * DAY);
    const [job] = await reviews(t);
    expect(await t.assistant.jobs.runs(job?.id ?? "")).toMatchObject([
      { status: "skipped", reason: "nothing of it would be said: channel_disabled" },
      { status: "skipped" },
    ]);
    expect(t.model.callCount).toBe(0);
  });

  it("of an owner whom the configuration does not name wait for them at the terminal, and are about their own goals", async () => {
    const t = await kept(GOALS, {
      owner: {},
      channels: [],
      script: ((prompt) =>
        prompt.at(-1)?.role === "tool" ? says("How is it?") : calls(["okr_read", {}])) satisfies Script,
    });
    await untilReviews(t, 1);
    expect(await reviews(t)).toMatchObject([{ user: "cli", channel: "cli", roles: ["owner"] }]);
    await t.clock.advance(8 * DAY);
    await until(t.clock, () => t.model.callCount >= 2);
    expect(resultOf(t)).toContain("Write the thesis");
  });

  it("stay paused, through changes of the goal and a restart, and are changed by no conversation", async () => {
    const t = await kept();
    await untilReviews(t, 1);
    const { id = "" } = (await reviews(t))[0] ?? {};
    await t.assistant.jobs.pause(id);
    for (const work of [
      () => t.assistant.jobs.update(id, { task: "something else" }),
      () => t.assistant.jobs.remove(id),
    ])
      await expect(work()).rejects.toMatchObject({ code: "FORBIDDEN" });
    const user = { user: "memory:42" };
    await t.assistant.tools.run("okr_write", { objective: "Write the thesis", review_cadence: "monthly" }, user);
    const again = await t.restart({ start: true });
    await again.clock.advance(60_000);
    expect(await reviews(again)).toMatchObject([
      { id, status: "paused", nextRunAt: null, schedule: { cron: "0 9 1 * *" } },
    ]);
    await again.assistant.tools.run("scheduler_pause", { id, paused: false }, user);
    expect(await reviews(again)).toMatchObject([{ id, status: "active" }]);
  });

  it("follow an edit by hand within five minutes, and at the person's next message", async () => {
    const t = await kept();
    await untilReviews(t, 1);
    await t.store.put(FILE, `${GOALS}    review_cadence: monthly\n`);
    await t.clock.advance(5 * 60_000 + 1000);
    await untilReviews(t, 2);
    await t.store.put("goals/memory:9.yaml", GOALS);
    await t.say("hello", { from: "9" });
    await untilReviews(t, 3);
    await t.store.remove(FILE);
    await t.clock.advance(5 * 60_000 + 1000);
    await untilReviews(t, 1);
  });

  it("follow an edit by hand at once where the store hears of it, and nothing else is woken", async () => {
    const heard: (() => void)[] = [];
    const store = {
      ...memoryStore(),
      async *watch(prefix: string, signal: AbortSignal) {
        if (prefix === "goals/")
          while (!signal.aborted)
            yield {
              key: await new Promise<string>((next) => {
                heard.push(() => next(FILE));
                signal.addEventListener("abort", () => next(FILE));
              }),
            };
      },
    };
    const t = await kept("goals:\n  - objective: x\n", { store });
    await until(t.clock, () => heard.length > 0);
    await store.put(FILE, GOALS);
    heard[0]?.();
    await untilReviews(t, 1);
    expect(JSON.stringify(await t.records("engine/"))).not.toContain("goals:reviews");
  });

  it("of a file that cannot be read stay as they are", async () => {
    const t = await kept();
    await untilReviews(t, 1);
    await t.store.put(FILE, "goals: [\n");
    await t.clock.advance(11 * 60_000);
    expect(await reviews(t)).toHaveLength(1);
    const again = await t.restart({ start: true });
    await again.clock.advance(60_000);
    expect(await reviews(again)).toHaveLength(1);
  });

  it.each([
    { title: "goals without a review", text: "goals:\n  - objective: x\n" },
    { title: "a file that cannot be read", text: "goals: [\n" },
  ])("begin within five minutes of an edit by hand of $title", async ({ text }) => {
    const t = await kept(text);
    await t.clock.advance(11 * 60_000);
    expect(await reviews(t)).toEqual([]);
    await t.store.put(FILE, GOALS);
    await t.clock.advance(5 * 60_000 + 1000);
    await untilReviews(t, 1);
    expect(t.model.requests).toEqual([]);
  });

  it("wake nothing where nobody has goals, nor any more when the last file has gone", async () => {
    const wakes = async (t: TestAssistant) => JSON.stringify(await t.records("engine/"));
    const t = await testAssistant(OWNER);
    await t.say("hello");
    await t.clock.advance(11 * 60_000);
    expect(await wakes(t)).not.toContain("goals:reviews");
    await t.assistant.tools.run("okr_write", { objective: "x" }, { user: "memory:42" });
    expect(await wakes(t)).toContain("goals:reviews");
    await t.store.remove(FILE);
    await until(t.clock, async () => (await wakes(t)).includes('"goals:reviews","done"'), { stepMs: 60_000 });
    const asked = (await wakes(t)).split("goals:reviews").length;
    await t.clock.advance(DAY);
    expect((await wakes(t)).split("goals:reviews")).toHaveLength(asked);
  });

  it("wake nothing in a store that nobody else can write", async () => {
    const store = memoryStore();
    const t = await testAssistant({ ...OWNER, store: { ...store, caps: { ...store.caps, exclusive: true } } });
    await t.assistant.tools.run("okr_write", { objective: "x", review_cadence: "weekly" }, { user: "memory:42" });
    await untilReviews(t, 1);
    await t.clock.advance(11 * 60_000);
    expect(JSON.stringify(await t.records("engine/"))).not.toContain("goals:reviews");
  });

  it("go where goals or jobs are off, and when the person is forgotten", async () => {
    const t = await kept();
    await untilReviews(t, 1);
    const off = await t.restart({ start: true, goals: { enabled: false } });
    await until(off.clock, async () => (await reviews(off)).length === 0);
    const on = await off.restart({ goals: { enabled: true } });
    await untilReviews(on, 1);
    await on.assistant.jobs.create({ schedule: "every day at 9am", task: "stretch", user: "memory:42" });
    await on.during(on.assistant.memory.forget({ userId: "memory:42" }));
    expect(await on.assistant.jobs.list()).toEqual([]);
    expect(await on.store.get(FILE)).toBeNull();
  });
});

describe("assistant.goals", () => {
  it("reads and writes goals of a person, with the version that was read", async () => {
    const t = await testAssistant(OWNER);
    expect(await t.assistant.goals.read({ user: "cli" })).toBeNull();
    const goals = { persona: "A coach", goals: [{ objective: "x", keyResults: [] }] };
    const { version } = await t.assistant.goals.write({ user: "memory:42", goals, version: null });
    expect(await t.assistant.goals.read({ user: "cli" })).toMatchObject({ version, goals });
    await t.assistant.goals.write({ user: "cli", goals: { ...goals, persona: "A friend" }, version });
    const late = t.assistant.goals.write({ user: "cli", goals, version });
    await expect(late).rejects.toMatchObject({ code: "CONFLICT" });
  });

  it("writes that there are none where there were none, as often as it is asked to", async () => {
    const t = await testAssistant(OWNER);
    const { version } = await t.assistant.goals.write({ user: "app:ada", goals: { goals: [] }, version: null });
    expect(await t.assistant.goals.write({ user: "app:ada", goals: {} })).toMatchObject({
      version,
      goals: { goals: [] },
    });
    await t.assistant.goals.write({ user: "app:ada", goals: { goals: [{ objective: "Read", keyResults: [] }] } });
    expect((await t.assistant.goals.read({ user: "app:ada" }))?.goals.goals).toHaveLength(1);
  });

  it("of programs without types takes what is left out for none, and names what has another form", async () => {
    const t = await testAssistant(OWNER);
    const write = (goals: unknown) => t.assistant.goals.write({ user: "app:ada", goals: goals as object });
    expect(await write({ goals: [{ objective: "Read" }] })).toMatchObject({
      goals: { goals: [{ objective: "Read", keyResults: [] }] },
    });
    const wrong: readonly (readonly [unknown, string])[] = [
      [undefined, "Invalid goals for goals.write(): expected { goals: [...] }"],
      [[{ objective: "Run" }], "Invalid goals for goals.write(): expected { goals: [...] }"],
      [{ goals: "Run" }, "goals: expected a list"],
      [{ goals: [{}] }, "goals[0].objective: is missing"],
      [{ goals: ["Run"] }, "goals[0]: expected a group of keys"],
      [{ goals: [null] }, "goals[0]: expected a group of keys"],
      [{ goals: [{ objective: "Run", keyResults: "far" }] }, "goals[0].key_results: expected a list"],
      [{ goals: [{ objective: "x".repeat(201) }] }, "goals[0].objective: expected a text of 1 to 200 characters"],
    ];
    for (const [goals, message] of wrong)
      await expect(write(goals), message).rejects.toMatchObject({
        code: "OPTION_INVALID",
        message: expect.stringContaining(message) as unknown,
      });
    expect((await t.assistant.goals.read({ user: "app:ada" }))?.goals.goals).toHaveLength(1);
  });
});

it("a cadence that is none is refused without the options of programs, and one that comes once as that", () => {
  expect(cadenceProblem("some day")).toContain('"some day" is not understood');
  expect(cadenceProblem("some day")).not.toContain("the option now");
  expect(cadenceProblem("in 20 minutes")).toContain('"in 20 minutes" comes once');
  expect(cadenceProblem("every monday at 9")).toBeUndefined();
});
