import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { embeddedEngine, memoryStore } from "../../../entry.host.ts";
import { type Script, calls, says } from "../../../src/testing/scripted-model.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { defineTool } from "../../../src/tools/index.ts";
import type { PatternDetector } from "../../../src/proactive/index.ts";
import { type TestAssistantOptions, testAssistant } from "../../support/assistant.ts";
import { settled, watchedEngine } from "../../support/watched-engine.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** At midnight. */
const MONDAY = Date.UTC(2026, 10, 9);
const USER = "memory:42";
const EVIDENCE = ".index/pattern-evidence/memory:42";

const tool = (run: () => string) =>
  defineTool({ description: "x", inputSchema: v.looseObject({}), execute: async () => run() });

/** Uses tools where the message names what they are for, else answers. */
const script: Script = (prompt) => {
  const last = prompt.at(-1);
  // Before the message stands what hooks say.
  const text = JSON.stringify(last?.content).slice(-80);
  if (last?.role === "tool") return says("Done.");
  if (text.includes("crawl")) return calls(["crawl", {}], ["save_table", {}]);
  if (text.includes("ledger")) return calls(["ledger_read", {}]);
  if (text.includes("password")) return says("It is on the router.");
  if (text.includes("forget my")) return calls(["memory_forget", { query: "wifi password office" }]);
  return says("All right.");
};

const WIFI = [
  "What's the wifi password of the office?",
  "office wifi password?",
  "What is the office wifi password again?",
];
const NEWS = "Give me the Reuters headlines please";

/** Lives of weeks: on Node alone, as `recogniser.test.ts` runs everywhere. A person in a direct chat, from a Monday on. */
async function living(options: TestAssistantOptions = {}) {
  const clock = options.clock ?? fakeClock();
  const store = options.store ?? memoryStore();
  const { engine, isIdle } = watchedEngine(embeddedEngine({ store, clock }));
  const t = await testAssistant({
    script,
    tools: {
      crawl: tool(() => "ok"),
      save_table: tool(() => "ok"),
      ledger_read: tool(() => {
        throw new Error("connection refused");
      }),
    },
    queue: { debounceMs: 0 },
    ...options,
    clock,
    store,
    engine,
  });
  const detected: string[] = [];
  t.assistant.events.subscribe("proactive.pattern.detected", ({ payload }) => void detected.push(payload.detector), {
    name: "test",
  });
  const at = (day: number, hour: number) => MONDAY + day * DAY + Math.round(hour * HOUR);
  const rest = (ms = 50_000) => settled(clock, isIdle, { ms, steps: 20, quietSteps: 8 });
  return {
    ...t,
    detected,
    rest,
    /** Says something at an hour of a day, and lets the assistant look at it. */
    async at(day: number, hour: number, text: string) {
      if (at(day, hour) > clock.now()) clock.step(at(day, hour) - clock.now());
      const answer = await t.say(text);
      // What the turn did is in memory before the assistant looks: that takes real time, which the wait for the look must not run past.
      await settled(clock, isIdle, { ms: 0, steps: 0, quietSteps: 8 });
      await rest();
      return answer;
    },
    findings: () => t.assistant.proactive.findings({ user: USER }),
    /** What was said unasked. */
    notices: () => t.channel.textsTo("42").filter((text) => /Shall I|need a look/.test(text)),
  };
}

describe("a fortnight", () => {
  it("in which five habits are lived finds each of them, and nothing else", async () => {
    const t = await living();
    const plain = [
      "How heavy is a cello?",
      "Translate harbour into Finnish",
      "I had a long day",
      "Write a limerick about lighthouses",
      "Thanks!",
      "What does a notary do?",
      "Compare tulips and orchids",
      "Good morning",
      "Who painted the Night Watch?",
      "Plan a picnic for nine",
      "Is basalt older than granite?",
      "Draft a toast for Ingrid",
      "How are sails sewn?",
      "Rename my playlist",
    ];
    const sites = ["crawl the site of Volvo", "crawl the pages of Saab", "please crawl Scania"];
    const ledgers = ["Sum up the ledger of Kiruna", "ledger entries of Malmö?", "Who signed the Uppsala ledger?"];
    const habits: readonly (readonly [days: readonly number[], hour: number, texts: readonly string[]])[] = [
      [[1, 4, 9], 15, WIFI],
      [[2, 5, 10], 17, sites],
      [[3, 6, 11], 20, ledgers],
    ];
    await t.at(0, 7, "I'll send the pension forms to Anna by Friday");
    for (const [day, text] of plain.entries()) {
      if (day % 7 < 5) await t.at(day, 8.1 + (day % 3) / 10, NEWS);
      await t.at(day, 11 + ((day * 5) % 9) / 3, text);
      for (const [days, hour, texts] of habits)
        if (days.includes(day)) await t.at(day, hour + day / 10, texts[days.indexOf(day)]!);
    }
    const found = await t.findings();
    expect(found.map(({ detector }) => detector).toSorted()).toEqual([
      "repeated_question",
      "stale_commitment",
      "time_routine",
      "tool_failure_pattern",
      "workflow_sequence",
    ]);
    expect(t.detected.toSorted()).toEqual(found.map(({ detector }) => detector).toSorted());
    expect(t.notices()).toHaveLength(5);
    expect(t.model.requests.length).toBe(14 + 10 + 3 + 3 * 2 + 3 * 2 + 1);
  }, 60_000);

  it("in which nothing is said has no wake, and the promise that turns stale has one", async () => {
    const t = await living();
    await t.at(0, 10, "I'll send the pension forms to Anna by Friday");
    await t.rest(3 * DAY);
    expect(t.notices()).toEqual([]);
    await t.rest(10 * DAY);
    expect(t.notices()).toEqual([
      "You said: “I'll send the pension forms to Anna by Friday”. That was due on 2026-11-13. Shall I remind you tomorrow at nine?",
    ]);
    expect(t.model.requests).toHaveLength(1);
    const [finding] = await t.findings();
    expect(finding?.raisedAt).toBe(Date.UTC(2026, 10, 14));
  });
});

async function askedThrice(options: TestAssistantOptions = {}) {
  const t = await living(options);
  for (const [index, text] of WIFI.entries()) await t.at(2 * index, 9 + 3 * index, text);
  return t;
}

describe("a question that was asked three times", () => {
  it("leads to one notice, however often it is asked then", async () => {
    const t = await askedThrice();
    const [found] = await t.findings();
    expect(found).toMatchObject({ detector: "repeated_question", state: "open", told: true, raised: 1, frequency: 3 });
    expect(t.notices()).toHaveLength(1);
    for (let day = 5; day < 12; day += 1) await t.at(day, 9 + day, WIFI[day % 3]!);
    expect(t.notices()).toHaveLength(1);
  });

  it("is told as a notice of its own type with three answers", async () => {
    const t = await askedThrice();
    expect(t.channel.sent.at(-1)).toMatchObject({ target: { chat: "42" } });
    expect(t.notices()[0]).toContain("asked “What is the office wifi password again?” 3 times");
  });

  it("is told again after a fortnight, three times in all", async () => {
    const t = await askedThrice();
    const notices = [];
    for (let week = 2; week < 12; week += 2) {
      await t.at(7 * week, 9 + week, WIFI[week % 3]!);
      await t.at(7 * week + 1, 3 + week, WIFI[(week + 1) % 3]!);
      notices.push(t.notices().length);
    }
    expect(notices).toEqual([1, 2, 3, 3, 3]);
  });

  it.each([
    { title: "is remembered with its answer after a yes", answer: "yes", state: "accepted", kept: 1 },
    { title: "is never brought up again after a no", answer: "no", state: "declined", kept: 0 },
  ] as const)("$title", async ({ answer, state, kept }) => {
    const t = await askedThrice();
    const [found] = await t.findings();
    const line = await t.assistant.proactive.answer({ user: USER, finding: found!.id, answer });
    expect(line).toMatch(answer === "yes" ? /keep it in mind/ : /not bring it up again/);
    expect(await t.findings()).toMatchObject([{ state }]);
    const entries = [];
    for await (const { content } of t.assistant.memory.list(USER, { slots: { source: "pattern" } }))
      entries.push(content);
    expect(entries).toEqual(kept ? ["What is the office wifi password again?\nIt is on the router."] : []);
    expect(await t.assistant.proactive.answer({ user: USER, finding: found!.id, answer: "yes" })).toMatch(/already/);
    for (const day of [20, 21, 22, 40, 41, 42]) await t.at(day, 9, WIFI[day % 3]!);
    expect(t.notices()).toHaveLength(1);
  });

  it("is put off for a fortnight by a later", async () => {
    const t = await askedThrice();
    const [found] = await t.findings();
    await t.at(10, 9, "Hello there");
    await t.assistant.proactive.answer({ user: USER, finding: found!.id, answer: "later" });
    await t.at(20, 9, WIFI[0]!);
    expect(t.notices()).toHaveLength(1);
    await t.at(25, 9, WIFI[1]!);
    expect(t.notices()).toHaveLength(2);
  });

  it("is not found where patterns are off", async () => {
    const t = await askedThrice({ proactive: { patterns: { enabled: false } } });
    expect([await t.findings(), t.notices()]).toEqual([[], []]);
  });

  it("is not found once it was to be forgotten", async () => {
    const t = await living();
    await t.at(0, 9, WIFI[0]!);
    await t.at(2, 12, WIFI[1]!);
    await t.at(3, 12, "forget my office questions");
    await t.at(4, 15, WIFI[2]!);
    expect(await t.findings()).toEqual([]);
    const kept = (await t.store.get(EVIDENCE))?.value as { readonly said: readonly { readonly text: string }[] };
    expect(kept.said.map(({ text }) => text)).toEqual([WIFI[2]]);
  });

  it("is no finding any more once it was to be forgotten", async () => {
    const t = await askedThrice();
    await t.at(6, 12, "forget my office questions");
    expect(await t.findings()).toEqual([]);
  });

  it("is found of each person alone, and in no group", async () => {
    // One conversation for everybody who writes directly.
    const t = await living({ session: { dmScope: "main" } });
    for (const [index, text] of WIFI.entries()) {
      t.clock.step(2 * DAY + 3 * HOUR);
      await t.say(text, { from: String(41 + index) });
      await t.say(text, { group: "g", mentioned: true });
      await t.rest();
    }
    for (const id of [41, 42, 43]) expect(await t.assistant.proactive.findings({ user: `memory:${id}` })).toEqual([]);
    expect(t.channel.textsTo("g").filter((text) => text.includes("Shall I"))).toEqual([]);
  });

  it("goes when its person is forgotten, and is looked for again", async () => {
    const t = await askedThrice();
    await t.during(t.assistant.memory.forget({ userId: USER }));
    await t.rest();
    expect(await t.findings()).toEqual([]);
    for (const [index, text] of WIFI.entries()) await t.at(8 + 2 * index, 9 + 3 * index, text);
    expect(await t.findings()).toMatchObject([{ frequency: 3 }]);
    expect(t.notices()).toHaveLength(2);
  });

  it("follows a message that was edited, and one that was deleted", async () => {
    const t = await living();
    t.clock.step(MONDAY - t.clock.now());
    for (const [index, text] of WIFI.entries()) {
      t.clock.step(2 * DAY + 3 * HOUR);
      await t.say(text, { messageId: `m${index}` });
      await t.receive(index === 0 ? "How tall is a giraffe?" : "", {
        id: `change-${index}`,
        kind: index === 0 ? "edit" : "deletion",
        messageId: `m${index}`,
      });
    }
    await t.rest();
    await t.at(20, 9, "Hello");
    expect(await t.findings()).toEqual([]);
    const kept = JSON.stringify((await t.store.get(EVIDENCE))?.value);
    expect(kept).toContain("giraffe");
    expect(kept).not.toContain("wifi password?");
    expect(kept).not.toContain("router");
  });

  it("holds no secret", async () => {
    const t = await living({ secrets: ["hunter-2-secret"] });
    await t.at(0, 9, "What is the hunter-2-secret of the office wifi?");
    const kept = JSON.stringify((await t.store.get(EVIDENCE))?.value);
    expect(kept).toContain("of the office wifi");
    expect(kept).not.toContain("hunter-2-secret");
  });

  it("is found when the process ends in between", async () => {
    const t = await living();
    await t.at(0, 9, WIFI[0]!);
    await t.at(2, 12, WIFI[1]!);
    t.clock.step(2 * DAY);
    await t.say(WIFI[2]!);
    await t.during(t.assistant.stop());
    const again = await living({ store: t.store, clock: t.clock, channel: t.channel });
    await again.rest(60_000);
    expect(await again.findings()).toMatchObject([{ detector: "repeated_question", told: true }]);
    expect(again.notices()).toHaveLength(1);
  });
});

describe("a detector of the host's own", () => {
  it("is asked behind the others, and its finding is told", async () => {
    const shouting: PatternDetector = {
      name: "shouting",
      detect(entries) {
        const loud = entries.filter(({ content }) => content.endsWith("!!"));
        if (loud.length < 2) return null;
        const evidenceIds = loud.map(({ id }) => id);
        return { subject: "loud", confidence: 0.9, evidenceIds, frequency: loud.length, language: "en", data: null };
      },
      suggest: () => ({ text: "Shall I mute myself?", priority: 0.8, action: { kind: "hint" } }),
    };
    const t = await living({ proactive: { patterns: { detectors: [shouting] } } });
    await t.at(0, 9, "Be quick!!");
    await t.at(0, 12, "Not like this!!");
    expect(await t.findings()).toMatchObject([{ detector: "shouting", told: true }]);
    expect(t.notices()).toEqual(["Shall I mute myself?"]);
  });

  it("takes nothing from the others when it throws", async () => {
    const broken: PatternDetector = {
      name: "broken",
      detect() {
        throw new Error("boom");
      },
      suggest: () => ({ text: "x", priority: 0.8, action: { kind: "hint" } }),
    };
    const t = await living({ proactive: { patterns: { detectors: [broken] } } });
    for (const [day, text] of WIFI.entries()) await t.at(day, 9 + 3 * day, text);
    expect(await t.findings()).toMatchObject([{ detector: "repeated_question", told: true }]);
  });
});

describe("a routine", () => {
  const routine = async (options: TestAssistantOptions = {}) => {
    const t = await living(options);
    for (const day of [0, 1, 2]) await t.at(day, 8.1 + day / 10, NEWS);
    return t;
  };

  it("becomes a job with its person's rights after a yes, and one alone", async () => {
    const t = await routine({ roles: { editor: [USER] } });
    const [found] = await t.findings();
    expect(found?.suggestion?.text).toBe(
      `You often ask for this on weekdays around 08:10: “${NEWS}”. Shall I do it by myself at that time?`,
    );
    for (const { proactive } of [t.assistant, t.assistant])
      await proactive.answer({ user: USER, finding: found!.id, answer: "yes" });
    const jobs = (await t.assistant.jobs.list({ user: USER })).map(({ job }) => job);
    expect(jobs).toMatchObject([
      {
        task: NEWS,
        schedule: { kind: "cron", cron: "10 8 * * 1-5", tz: "UTC" },
        startedBy: USER,
        roles: ["user", "editor"],
      },
    ]);
    expect(jobs[0]?.chat).toBe("42");
  });

  it("takes no answer that is none for a no", async () => {
    const t = await routine();
    const [found] = await t.findings();
    await expect(
      t.assistant.proactive.answer({ user: USER, finding: found!.id, answer: "maybe" as never }),
    ).rejects.toMatchObject({ code: "OPTION_INVALID", message: 'answer: Expected yes, later, no, got "maybe"' });
    expect(await t.findings()).toMatchObject([{ state: "open" }]);
  });

  it("is not evidence when a job does it", async () => {
    const t = await living();
    await t.at(0, 7, "Hello");
    await t.assistant.jobs.create({ schedule: "10 8 * * *", task: NEWS, user: USER });
    for (let day = 0; day < 5; day += 1) await t.rest(DAY);
    await t.at(5, 12, "Hello again");
    const runs = await t.assistant.jobs.runs((await t.assistant.jobs.list())[0]!.job.id);
    expect(runs.filter(({ status }) => status === "success").length).toBeGreaterThan(3);
    expect(await t.findings()).toEqual([]);
    const kept = (await t.store.get(EVIDENCE))?.value as { readonly said: readonly { readonly text: string }[] };
    expect(kept.said.map(({ text }) => text)).toEqual(["Hello", "Hello again"]);
  });

  it("is not looked for in conversations that jobs have for themselves", async () => {
    const t = await living();
    await t.at(0, 7, "Hello");
    await t.assistant.jobs.create({ schedule: "10 8 * * *", task: NEWS, user: USER, mode: "isolated" });
    await t.rest(2 * DAY);
    const sessions = (await t.assistant.sessions.list()).map(({ key }) => key);
    expect(sessions.some((key) => key.includes(":job:"))).toBe(true);
    const kept = (await t.store.get(EVIDENCE))?.value as { readonly cursors: readonly { readonly session: string }[] };
    expect(kept.cursors.map(({ session }) => session)).toEqual(["agent:main:memory:direct:42"]);
  });

  it("is not offered where there are no jobs", async () => {
    const t = await routine({ scheduler: { enabled: false } });
    expect(await t.findings()).toEqual([]);
  });
});

describe("a stale commitment", () => {
  it("becomes a reminder of the next morning after a yes", async () => {
    const t = await living();
    await t.at(0, 10, "I'll send the pension forms to Anna by Friday");
    await t.at(6, 10, "Hello");
    const [found] = await t.findings();
    const line = await t.assistant.proactive.answer({ user: USER, finding: found!.id, answer: "yes" });
    expect(line).toBe("Done. Next time: 2026-11-16 09:00.");
    expect((await t.assistant.jobs.list()).map(({ job }) => job.task)).toEqual([
      "Remind me of this: I'll send the pension forms to Anna by Friday",
    ]);
  });
});

describe("steps that are repeated", () => {
  it("are suggested once, and become a skill after a yes", async () => {
    const t = await living();
    for (const [index, site] of ["Volvo", "Saab", "Scania"].entries())
      await t.at(2 * index, 9 + 4 * index, `crawl the site of ${site}`);
    const [found] = await t.findings();
    expect(found).toMatchObject({ detector: "workflow_sequence", told: true });
    await t.at(6, 20, "Hello");
    expect(JSON.stringify(t.model.requests.at(-1)?.prompt)).not.toContain("could become a skill");
    expect(t.notices()).toHaveLength(1);
    const line = await t.assistant.proactive.answer({ user: USER, finding: found!.id, answer: "yes" });
    expect(line).toBe("Done: the skill is called crawl-then-save-table.");
    expect((await t.assistant.skills.suggestions({ user: USER })).map(({ state }) => state)).toEqual(["accepted"]);
  });

  /** Three days with the same steps, the last at an hour. */
  async function crawled(hour = 17) {
    const t = await living();
    for (const [day, site] of ["Volvo", "Saab", "Scania"].entries())
      await t.at(day, day === 2 ? hour : 9 + 4 * day, `crawl the site of ${site}`);
    return {
      ...t,
      toldOfSkill: () => JSON.stringify(t.model.requests.at(-1)?.prompt).includes("could become a skill"),
      answer: async (answer: "later" | "no") => {
        const [found] = await t.findings();
        return t.assistant.proactive.answer({ user: USER, finding: found!.id, answer });
      },
    };
  }

  it("are not brought up by the model either after a no", async () => {
    const t = await crawled();
    expect(await t.answer("no")).toBe("All right, I will not bring it up again.");
    expect((await t.assistant.skills.suggestions({ user: USER })).map(({ state }) => state)).toEqual(["declined"]);
    await t.at(20, 12, "Hello");
    expect(t.toldOfSkill()).toBe(false);
  });

  it("are answered also when the skill was made meanwhile", async () => {
    const t = await crawled();
    const [suggestion] = await t.assistant.skills.suggestions({ user: USER });
    await t.assistant.skills.accept(suggestion!.id, { user: USER });
    expect(await t.answer("no")).toBe("All right, I will not bring it up again.");
    expect((await t.findings()).map(({ state }) => state)).toEqual(["declined"]);
  });

  it("rest as long as it is said when they are put off", async () => {
    const t = await crawled();
    await t.rest(5 * DAY);
    expect(await t.answer("later")).toBe("All right, I will ask again in 7 days at the earliest.");
    await t.at(12, 12, "Hello");
    expect(t.toldOfSkill()).toBe(false);
    await t.at(15, 12, "Hello again");
    expect(t.toldOfSkill()).toBe(true);
  });

  it("are told in the morning, also to who writes once more at night", async () => {
    const t = await crawled(23);
    expect(t.notices()).toEqual([]);
    await t.at(2, 23.5, "Hello");
    await t.rest(10 * HOUR);
    expect(t.notices()).toHaveLength(1);
  });
});
