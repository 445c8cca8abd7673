import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { type Assistant, AssistantError, memoryStore } from "../../entry.host.ts";
import { silentLogger } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { type Script, calls, says } from "../../src/testing/scripted-model.ts";
import { defineTool } from "../../src/tools/index.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";
import { until } from "../support/until.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MONDAY = Date.UTC(2026, 10, 9);
const NEWS = "Give me the Reuters headlines please";
const WIFI = [
  "What's the wifi password of the office?",
  "office wifi password?",
  "What is the office wifi password again?",
];

const script: Script = (prompt) => {
  const text = JSON.stringify(prompt.at(-1)?.content);
  if (text.includes("password")) return says("It is on the router.");
  return says(text.includes("headlines") ? "Quiet on all fronts." : "Which one do you mean, shall I delete it?");
};

/** A person who writes at hours of days, with all timers of the days in between. */
async function life(options: TestAssistantOptions = {}) {
  const t = await testAssistant({ script, queue: { debounceMs: 0 }, clock: fakeClock(MONDAY), ...options });
  async function at(day: number, hour: number, text: string): Promise<string> {
    await t.clock.advance(Math.max(0, MONDAY + day * DAY_MS + hour * HOUR_MS - t.clock.now()));
    return t.say(text);
  }
  const offers = () => t.channel.textsTo("42").filter((text) => text.includes("Shall I"));
  return {
    ...t,
    at,
    /** Asks for the news on three days, and waits for the offer. */
    async thrice(): Promise<void> {
      for (const day of [0, 1, 2]) await at(day, 9 + day / 10, NEWS);
      await until(t.clock, () => offers().length > 0);
    },
    /** Asks for the password on three days, and waits for the offer. */
    async wifi(): Promise<void> {
      for (const [day, text] of WIFI.entries()) await at(day, 9 + 3 * day, text);
      await until(t.clock, () => offers().length > 0);
    },
    offers,
    said: () => t.channel.textsTo("42"),
    jobs: async () => (await t.assistant.jobs.list({ user: "memory:42" })).map(({ job }) => job),
  };
}

type Life = Awaited<ReturnType<typeof life>>;

describe("an offer that is answered by a word", () => {
  it("becomes the job that was promised, and the job does it the next time", async () => {
    const t = await life();
    await t.thrice();
    expect(t.offers()).toHaveLength(1);
    const calls = t.model.callCount;
    expect(await t.say("Yes!")).toBe("Done. Next time: 2026-11-12 09:05.");
    expect(t.model.callCount).toBe(calls);
    expect(await t.jobs()).toMatchObject([{ task: NEWS, status: "active" }]);
    const before = t.said().length;
    await t.clock.advance(DAY_MS);
    await until(t.clock, () => t.said().length > before);
    expect(t.said().at(-1)).toBe("Quiet on all fronts.");
    expect(t.offers()).toHaveLength(1);
  });

  it("comes at a good moment, is kept after 好, and the model knows the answer the next time", async () => {
    const t = await life({ users: { "memory:42": { timezone: "Asia/Shanghai" } } });
    await t.at(0, 3, WIFI[0]!);
    await t.at(1, 7, WIFI[1]!);
    // 23:00 in Shanghai: it is answered, and the offer waits for the morning.
    await t.at(2, 15, WIFI[2]!);
    await t.clock.advance(8 * HOUR_MS);
    expect(t.offers()).toEqual([]);
    await t.clock.advance(HOUR_MS);
    await until(t.clock, () => t.offers().length > 0);
    expect(t.offers()).toHaveLength(1);
    expect(new Date(t.clock.now()).getUTCHours()).toBe(0);
    expect(await t.say("好")).toBe("Done: I keep it in mind.");
    await t.say("/new");
    await t.at(10, 5, "What was that wifi password of the office?");
    expect(JSON.stringify(t.model.requests.at(-1))).toContain("It is on the router.");
    expect(t.offers()).toHaveLength(1);
  });

  it("becomes the skill that was promised, and the next such request follows it", async () => {
    const step = defineTool({ description: "x", inputSchema: v.looseObject({}), execute: () => "ok" });
    const t = await life({
      tools: { crawl: step, save_table: step },
      script: (prompt) => (prompt.at(-1)?.role === "tool" ? says("Saved.") : calls(["crawl", {}], ["save_table", {}])),
    });
    for (const [day, site] of ["Volvo", "Saab", "Scania"].entries())
      await t.at(day, 9 + 3 * day, `crawl the site of ${site}`);
    await until(t.clock, () => t.offers().length > 0);
    const before = t.model.callCount;
    expect(await t.say("yes")).toBe("Done: the skill is called crawl-then-save-table.");
    expect(t.model.callCount).toBe(before);
    const activated: string[] = [];
    t.assistant.events.subscribe(
      "proactive.skill.auto_activated",
      ({ payload }) => void activated.push(...payload.skills.map(({ name }) => name)),
      { name: "test" },
    );
    expect(await t.at(6, 12, "crawl the site of Polestar")).toBe("Saved.");
    expect(activated).toEqual(["crawl-then-save-table"]);
    expect(t.offers()).toHaveLength(1);
  });

  it.each([
    { who: "a linked person", more: { session: { identityLinks: { ada: ["memory:42", "app:ada"] } } } },
    { who: "the owner", more: { owner: { ids: ["memory:42"] } } },
  ])("still counts when its person became $who meanwhile", async ({ more }) => {
    const t = await life();
    await t.thrice();
    const now = await t.restart(more);
    expect(await now.say("yes")).toBe("Done. Next time: 2026-11-12 09:05.");
    expect((await now.assistant.jobs.list({ user: "memory:42" })).map(({ job }) => job.task)).toEqual([NEWS]);
  });

  it.each([
    { title: "a job", off: { scheduler: { enabled: false } }, ask: (t: Life) => t.thrice() },
    { title: "an entry of memory", off: { memory: { enabled: false } }, ask: (t: Life) => t.wifi() },
  ])("promises nothing when $title cannot be made any more", async ({ off, ask }) => {
    const t = await life();
    await ask(t);
    const now = await t.restart(off);
    expect(await now.say("yes")).toBe("That did not work: What it needs is switched off.");
    expect(await now.assistant.jobs.list({ user: "memory:42" })).toEqual([]);
    expect(await t.assistant.proactive.findings({ user: "memory:42" })).toMatchObject([{ state: "open" }]);
  });

  it("is over when what it was about was forgotten, and the messages behind it are answered", async () => {
    const t = await life();
    await t.thrice();
    await t.store.remove("patterns/memory:42");
    expect(await t.say("yes")).toBe("That is over.");
    expect(await t.say("Still there?")).toContain("shall I delete it?");
  });

  it("is acknowledged when what it was about cannot be read, which is said and stays", async () => {
    const store = memoryStore();
    let isDamaged = false;
    const t = await life({
      logger: silentLogger,
      store: {
        ...store,
        async get(key) {
          if (isDamaged && key === "patterns/memory:42")
            throw new AssistantError("STORE_UNSUITABLE", `Cannot read ${key}`);
          return store.get(key);
        },
      },
    });
    await t.thrice();
    isDamaged = true;
    expect(await t.receive("yes")).toBe(200);
    await until(t.clock, () => t.said().at(-1) === "I cannot read the data for this: see the log.");
    expect(await store.get("patterns/memory:42")).not.toBe(null);
    expect(await t.jobs()).toEqual([]);
  });

  it("starts nothing when the word answers another question", async () => {
    const t = await life();
    await t.thrice();
    expect(t.offers()).toHaveLength(1);
    expect(await t.say("That folder of last year")).toContain("shall I delete it?");
    const calls = t.model.callCount;
    await t.say("yes");
    expect(t.model.callCount).toBe(calls + 1);
    expect(await t.jobs()).toEqual([]);
  });

  it.each([
    { title: "waits for its platform", failure: { retryable: true, retryAfterMs: HOUR_MS } },
    { title: "was given up", failure: { retryable: false } },
  ])("starts nothing while the offer $title: its person has not seen it", async ({ failure }) => {
    const t = await life({ logger: silentLogger });
    for (const day of [0, 1, 2]) await t.at(day, 9 + day / 10, NEWS);
    const tried = t.channel.tries.length;
    t.channel.script([failure], { chat: "42" });
    await until(t.clock, () => t.channel.tries.length > tried);
    const calls = t.model.callCount;
    await t.receive("yes");
    await until(t.clock, () => t.model.callCount > calls);
    expect(await t.jobs()).toEqual([]);
  });

  it("starts nothing when another person says it", async () => {
    const t = await life();
    await t.thrice();
    await t.say("yes", { from: "43" });
    expect(await t.jobs()).toEqual([]);
    expect(await t.say("no")).toBe("All right, I will not bring it up again.");
    expect(await t.jobs()).toEqual([]);
  });

  it("tells the model what was said unasked, so that a longer answer makes sense", async () => {
    const t = await life();
    await t.thrice();
    await t.say("yes, but at ten");
    expect(JSON.stringify(t.model.requests.at(-1))).toContain("Shall I do it by myself at that time?");
    expect(await t.jobs()).toEqual([]);
  });
});

describe("an offer that waits for the morning", () => {
  /** The day of a promise ends at midnight, when nothing is said. */
  async function overnight() {
    const t = await life();
    await t.at(0, 10, "I'll send the pension forms to Anna by Friday");
    // It is kept, and looked at, before the days pass.
    const looked = t.clock.now() + 60_000;
    await until(t.clock, () => t.clock.now() >= looked);
    await t.clock.advance(4 * DAY_MS + 15 * HOUR_MS);
    const waits = async (count: number) =>
      until(t.clock, async () => (await t.assistant.attention.view({ user: "memory:42" })).held.length === count);
    await waits(1);
    return {
      ...t,
      async inTheMorning() {
        await waits(0);
        await t.at(5, 8.5, "Good morning");
        return t.offers();
      },
    };
  }

  it("is made then", async () => {
    const t = await overnight();
    await t.clock.advance(7 * HOUR_MS);
    await until(t.clock, () => t.offers().length > 0);
    expect(await t.inTheMorning()).toHaveLength(1);
  });

  it("is of its own kind to who wants less of it, also in a digest", async () => {
    const t = await overnight();
    await t.assistant.attention.notify({ user: "memory:42", text: "The parcel is there", type: "parcel" });
    await t.clock.advance(7 * HOUR_MS);
    await until(t.clock, () => t.offers().length > 0);
    expect(t.offers()).toEqual([expect.stringContaining("The parcel is there")]);
    await t.say("less of this");
    expect((await t.assistant.attention.view({ user: "memory:42" })).less).toEqual({ pattern: 1 });
  });

  it("is not made when what was promised is done before", async () => {
    const t = await overnight();
    await t.at(5, 6, "I sent the pension forms to Anna");
    expect(await t.inTheMorning()).toEqual([]);
  });

  it.each(["no", "later", "yes"] as const)("is not made when the host program answered %s before", async (answer) => {
    const t = await overnight();
    const [found] = await t.assistant.proactive.findings({ user: "memory:42" });
    await t.assistant.proactive.answer({ user: "memory:42", finding: found!.id, answer });
    expect(await t.inTheMorning()).toEqual([]);
  });
});

describe("an offer that its person has not read", () => {
  const told = (t: { readonly model: { readonly requests: readonly { readonly prompt: unknown }[] } }) =>
    JSON.stringify(t.model.requests.at(-1)?.prompt).includes("Shall I do it by myself");
  const OF = { user: "memory:42" };

  it.each([
    { title: "as the night holds it", hour: 22.6, begin: async () => {} },
    {
      title: "as it is muted",
      hour: 9,
      begin: async ({ attention }: Assistant) => attention.mute({ ...OF, until: new Date(MONDAY + 6 * DAY_MS) }),
    },
    {
      title: "as they want less of it",
      hour: 9,
      begin: async ({ attention }: Assistant) => void (await attention.less({ ...OF, type: "pattern", times: 3 })),
    },
  ])("is not brought up by the model instead, $title", async ({ hour, begin }) => {
    const t = await life();
    await t.during(begin(t.assistant));
    for (const day of [0, 1, 2]) await t.at(day, hour + day / 10, NEWS);
    await until(t.clock, async () => (await t.assistant.proactive.findings(OF)).some((one) => one.told));
    // Who had no findings is looked up once a minute.
    await t.clock.advance(HOUR_MS);
    await t.say("How tall is a giraffe?");
    expect(told(t)).toBe(false);
    expect(t.offers()).toEqual([]);
    expect((await t.assistant.proactive.findings(OF)).map(({ said }) => said)).toEqual([undefined]);
  });

  it("is known to have been made once the night has ended", async () => {
    const t = await life();
    for (const day of [0, 1, 2]) await t.at(day, 22.6 + day / 10, NEWS);
    await t.clock.advance(10 * HOUR_MS);
    await until(t.clock, () => t.offers().length > 0);
    await until(t.clock, async () => (await t.assistant.proactive.findings(OF)).some((one) => one.said));
    await t.say("/new");
    await t.say("How tall is a giraffe?");
    expect(told(t)).toBe(true);
  });
});

describe("an idle week", () => {
  it("costs no model call and sends no message", async () => {
    const t = await life({ owner: { ids: ["memory:42"] }, compaction: { flush: true } });
    await t.at(0, 9, "I live in Bergen");
    await t.at(0, 10, WIFI[0]!);
    const [calls, messages] = [t.model.callCount, t.said().length];
    for (let hour = 0; hour < 7 * 24; hour += 1) await t.clock.advance(HOUR_MS);
    expect([t.model.callCount, t.said().length]).toEqual([calls, messages]);
  });
});
