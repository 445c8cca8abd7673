import { describe, expect, it } from "vitest";
import {
  PATTERN_DETECTORS,
  type PatternDetector,
  type PatternEntry,
  detectPatterns,
} from "../../../src/proactive/index.ts";
import { DAY, HOUR, type History, NOW, histories, randomOf } from "./histories.ts";

const found = ({ entries }: History) => [
  ...new Set(detectPatterns(entries, undefined, { now: NOW, tz: "UTC" }).map(({ detector }) => detector)),
];

describe.each(["first", "second", "held-out"] as const)("detectPatterns() on the %s part of the histories", (part) => {
  const all = histories(part);
  const results = all.map((history) => ({ ...history, found: found(history) }));

  it("has enough of them", () => {
    expect(all.length).toBeGreaterThanOrEqual(60);
  });

  it.each(PATTERN_DETECTORS.map(({ name }) => name))(
    "%s: nine in ten findings are right, and eight in ten habits are found",
    (name) => {
      const named = results.filter((one) => one.found.includes(name));
      const right = named.filter(({ habits }) => habits.includes(name));
      const wanted = results.filter(({ habits }) => habits.includes(name));
      const wrong = [...named.filter((one) => !right.includes(one)), ...wanted.filter((one) => !right.includes(one))];
      const titles = wrong.map((one) => `${one.title}: ${one.found.join(", ") || "nothing"}`);
      expect(right.length / Math.max(1, named.length), titles.join("\n")).toBeGreaterThanOrEqual(0.9);
      expect(right.length / wanted.length, titles.join("\n")).toBeGreaterThanOrEqual(0.8);
    },
  );

  it.each(results.filter(({ entries }) => entries.length >= 500))("$title", (one) => {
    expect(one.found).toEqual([]);
  });
});

const entry = (content: string, daysAgo: number, more: Partial<PatternEntry> = {}): PatternEntry => ({
  id: `${content} ${daysAgo}`,
  content,
  createdAt: NOW - Math.round(daysAgo * DAY),
  ...more,
});
const QUESTION = ["What is the wifi password?", "wifi password?", "What's the wifi password again?"];
const asked = QUESTION.map((text, at) => entry(text, 1 + 3.3 * at));
const failure = (daysAgo: number, slots = {}) =>
  entry("web_fetch failed", daysAgo, { slots: { tool: "web_fetch", error: "TIMEOUT", outcome: "failure", ...slots } });
const news = (days: readonly number[], hour = 8) =>
  days.map((day) =>
    entry("Give me the Reuters headlines", day, {
      id: `news ${day}`,
      createdAt: new Date(Date.UTC(2026, 10, 26 - day, hour)),
    }),
  );
const at = { now: NOW, tz: "UTC" };
const names = (entries: readonly PatternEntry[], more = {}) =>
  detectPatterns(entries, undefined, { ...at, ...more }).map(({ detector }) => detector);

describe("detectPatterns()", () => {
  it("looks back from the newest entry without a time", () => {
    expect(detectPatterns(asked).map(({ key }) => key)).toEqual(
      detectPatterns(asked, undefined, { now: Math.max(...asked.map(({ createdAt }) => Number(createdAt))) }).map(
        ({ key }) => key,
      ),
    );
    expect(detectPatterns(asked)).not.toEqual([]);
    expect(detectPatterns([])).toEqual([]);
  });

  it.each([
    "What's the weather in Oslo?",
    "what time is it in Tokyo?",
    "what are my reminders?",
    "what's the price of bitcoin?",
    "现在东京几点？",
    "我有哪些提醒？",
  ])("offers to keep no answer to %j, which is another every day", (question) => {
    expect(names([1, 4.3, 9.8].map((daysAgo) => entry(question, daysAgo)))).toEqual([]);
  });

  it.each([
    ["Make it shorter", "make it shorter please", "Can you make it a bit shorter?"],
    ["try again", "Can you try again?", "Try again please"],
    ["Translate this", "translate this please", "Can you translate this?"],
    ["Are you sure?", "are you sure about that?", "are you really sure"],
    ["What do you mean by that?", "what do you mean?", "What did you mean by that?"],
    ["改短一点", "再短一点", "改短一点吧"],
    ["你确定吗？", "你真的确定吗", "确定吗？"],
    ["这是什么意思？", "这个是什么意思", "这句是什么意思呢？"],
  ])("takes what is said of the last answer, as %j, for no habit", (...texts) => {
    const daily = texts.map((text, day) => entry(text, 1 + day, { slots: { type: "request", answer: "Yes" } }));
    expect(names(daily)).toEqual([]);
  });

  it.each([
    ["Set a timer for 10 minutes", "Set a timer for 5 minutes", "Set a timer for 20 minutes"],
    ["Convert 5 miles to km", "Convert 8 miles to km", "Convert 100 miles to km"],
    ["Review pull request 812", "Review pull request 833", "Review pull request 840"],
    ["把体重71公斤记下来", "把体重70公斤记下来", "把体重72公斤记下来"],
  ])("offers no job for what has other numbers every day, as %j", (...texts) => {
    expect(names(texts.map((text, day) => entry(text, 1 + day)))).toEqual([]);
  });

  it.each([
    "I'll be 40 on Friday",
    "I'll be in Paris next week",
    "I'm meeting Anna tomorrow",
    "I'm going to cook dinner tonight",
    "I have to work tomorrow",
    "I'll pay by card",
    "I'll try it tomorrow",
    "I'll look at that on Friday",
    "I'll sort it out next week",
    "I'll do some yoga tonight",
    "I have a dentist appointment on Monday",
    "We have guests on Saturday",
    "My train leaves tomorrow at 9",
    "My sister arrives on Friday",
    "Our lease starts next month",
    "I'm going to the cinema tonight",
    "We're going skiing next week",
    "I'll go running tomorrow morning",
    "I'll take the train tomorrow",
    "I'll have the salmon tonight",
    "I'll probably stay in on Saturday",
    "I have to get up at five tomorrow",
    "I'm off on Friday",
    "I'll decide tomorrow",
    "我明天和安娜吃饭",
    "我明天去看看",
    "我周六要去上海",
    "我明天有个会",
    "我妹妹周五来",
    "我明天休息",
    "我明天要上班",
    "我周五过生日",
  ])("does not ask about %j, when its day has passed", (text) => {
    const slots = { type: "statement", kind: "commitment", due: "2026-11-20" };
    expect(names([entry(text, 9, { slots })])).toEqual([]);
  });

  it.each([
    "I'll be done with the tax return by Friday",
    "I have to work on the slides",
    "I have to pay the rent by card tomorrow",
    "I'll try the new backup script tomorrow",
    "I'll look at the contract tomorrow",
    "I'll take the car to the garage on Monday",
    "I'll have the report ready by Monday",
    "I'll go over the budget on Thursday",
    "I'll google the visa rules on Monday",
    "I'm sending the invoice to Acme tomorrow",
    "My essay is due on Friday",
    "I'm going to answer the landlord on Monday",
    "I need to call the bank tomorrow",
    "我周五给安娜买生日蛋糕",
    "我明天去取快递",
    "我下周去办签证",
    "我要在月底前交房租",
  ])("still asks about %j", (text) => {
    const slots = { type: "statement", kind: "commitment", due: "2026-11-20" };
    expect(names([entry(text, 9, { slots })])).toEqual(["stale_commitment"]);
  });

  const owed = (text: string) =>
    entry(text, 9, { slots: { type: "statement", kind: "commitment", due: "2026-11-20" } });

  it.each([
    ["I'll return the library books on Friday", "took the books back to the library"],
    ["I'll pay the rent by Friday", "I don't need to pay the rent any more"],
    ["我周五之前会交房租", "房租我已经交了"],
    ["我周五前要交房租", "房租交了，一共三千"],
    ["我周四之前会把幻灯片发给王芳", "幻灯片发给王芳了"],
    ["我周五之前得续签护照", "护照已经续签好了"],
    ["周五之前我要给妈妈买生日礼物", "给妈妈的生日礼物买好了"],
    ["周五之前我要给妈妈买生日礼物", "我给妈妈买了生日礼物"],
    ["我周五之前会交房租", "我昨天交了房租"],
    ["我周五之前会交房租", "没忘，房租交了"],
    ["I'll finish the slides by Friday", "The slides are done, can't believe it"],
    ["I'll pay the rent by Friday", "I paid the rent yesterday, not late for once"],
    ["I'll send the slides by Friday", "Almost forgot the slides, but sent them"],
    ["我周五之前会把重要文件寄给王芳", "重要文件寄给王芳了"],
    ["我周五之前要写完未来计划", "未来计划写完了"],
  ])("asks about %j no more after %j", (text, later) => {
    expect(names([owed(text), entry(later, 8)])).toEqual([]);
  });

  it.each([
    ["I'll pay the rent by Friday", "I haven't paid the rent yet"],
    ["I'll call the dentist on Friday", "I never called the dentist"],
    ["I'll finish the slides by Friday", "I haven't finished the slides, I need help"],
    ["我周五之前会交房租", "房租还没交，忘了"],
    ["我周五之前会交房租", "房租交了吗？"],
    ["我周五之前会交房租", "明天要交房租了"],
    ["我周五之前会交房租", "我得去交房租了"],
    ["我周五之前会交房租", "房租来不及交了"],
    ["周五之前我要给妈妈买生日礼物", "妈妈的生日礼物买不到了"],
    ["我周五之前会交房租", "我周五之前要续签护照了"],
  ])("still asks about %j after %j", (text, later) => {
    expect(names([owed(text), entry(later, 8)])).toEqual(["stale_commitment"]);
  });

  it.each([
    "Booked the Oslo flights",
    "We reserved a table at Noma for Friday",
    "我已经预约了周五的牙医",
    "我订好了周五的机票",
    "Booked a flight to Oslo for Friday",
    "我订好了周五的会议室",
  ])("does not take %j, which is done, for a commitment", (text) => {
    expect(names([owed(text)])).toEqual([]);
  });

  it.each(["We booked a hotel and I will send you the address by Friday", "我签订了租房合同，周五之前要寄给王芳"])(
    "takes %j, of which something is left to be done, for a commitment",
    (text) => {
      expect(names([owed(text)])).toEqual(["stale_commitment"]);
    },
  );

  it("keeps the newest answer that is one, and offers to keep none where there was none", () => {
    const answered = (...answers: readonly string[]) =>
      detectPatterns(
        asked.toReversed().map((one, index) => ({ ...one, slots: { answer: answers[index] ?? "" } })),
        undefined,
        at,
      ).map(({ suggestion }) => suggestion.action);
    const none = "I did not understand that. Say “help” to see how to ask.";
    expect(answered(none, "It is on the router.", "I don't have that at hand")).toMatchObject([
      { kind: "remember", answer: "It is on the router." },
    ]);
    expect(answered(none, "Sorry, I cannot find it", "我没听懂。")).toEqual([]);
  });

  it("cites its evidence, oldest first, and says how often it was seen", () => {
    expect(detectPatterns(asked, undefined, { now: new Date(NOW) })).toMatchObject([
      {
        detector: "repeated_question",
        key: "repeated_question:password wifi",
        subject: "password wifi",
        frequency: 3,
        evidenceIds: asked.map(({ id }) => id).toReversed(),
        language: "en",
        suggestion: { action: { kind: "remember", question: QUESTION[0] } },
      },
    ]);
  });

  it("gives the same for the same entries in any order", () => {
    const { entries } = histories("first").find(({ habits }) => habits.includes("time_routine"))!;
    const random = randomOf(7);
    const shuffled = entries.map((one) => [random(), one] as const).sort(([a], [b]) => a - b);
    const found = detectPatterns(entries, undefined, at);
    expect(found).not.toEqual([]);
    expect(
      detectPatterns(
        shuffled.map(([, one]) => one),
        undefined,
        at,
      ),
    ).toEqual(found);
  });

  it("takes times as Date, milliseconds and text", () => {
    const written = asked.map((one, index) => ({
      ...one,
      createdAt:
        index === 0 ? new Date(one.createdAt) : index === 1 ? new Date(one.createdAt).toISOString() : one.createdAt,
    }));
    expect(detectPatterns(written, undefined, at)).toEqual(detectPatterns(asked, undefined, at));
  });

  it("counts a merged entry as often as it was made", () => {
    expect(names([entry(QUESTION[0]!, 2, { slots: { merged_ids: ["a", "b"] } })])).toEqual(["repeated_question"]);
    expect(names([entry(QUESTION[0]!, 2, { slots: { merged_ids: ["a"] } })])).toEqual([]);
  });

  it.each([
    { title: "a moment ago", ago: 0, raised: 0 },
    { title: "13 days ago", ago: 13, raised: 0 },
    { title: "14 days ago", ago: 14, raised: 1 },
    { title: "by a clock that was set back", ago: -1, raised: 0 },
  ])("raises $raised of what was raised $title", ({ ago, raised }) => {
    const seen = { "repeated_question:password wifi": NOW - ago * DAY };
    expect(names(asked, { seen })).toHaveLength(raised);
  });

  it("looks at nothing that is yet to come", () => {
    expect(names(asked, { now: NOW - 2 * DAY })).toEqual([]);
  });

  it.each([
    {
      title: "numbers that differ",
      texts: ["Convert 5 stones to kilos?", "Convert 7 stones to kilos?", "Convert 9 stones to kilos?"],
    },
    { title: "greetings", texts: ["Good morning!", "good morning", "Good morning :)".slice(0, 12)] },
    {
      title: "what a person tells",
      texts: ["I fixed the bicycle brakes", "I fixed the bicycle brakes", "I fixed the bicycle brakes"],
    },
    {
      title: "one word among others",
      texts: ["Is python slow?", "Where do I buy a python?", "How do I install python decorators?"],
    },
  ])("finds no question in $title", ({ texts }) => {
    expect(names(texts.map((text, index) => entry(text, 1 + 2.3 * index)))).toEqual([]);
  });

  it("knows a question and what was kept of its turn as one", () => {
    const turn = (index: number) => ({ slots: { type: "request", turn: `t${index}` } });
    const kept = (index: number) => ({ slots: { type: "auto_capture", turn: `t${index}`, outcome: "success" } });
    const twice = [0, 1].flatMap((index) => [
      entry(QUESTION[index]!, 3 + index, turn(index)),
      entry(`Goal: ${QUESTION[index]!}`, 3 + index - 0.01, kept(index)),
    ]);
    expect(names(twice)).toEqual([]);
    expect(names([...twice, entry(QUESTION[2]!, 1, turn(2))])).toEqual(["repeated_question"]);
  });

  it("takes along the newest answer", () => {
    const [newest, ...older] = asked;
    const answered = [{ ...newest!, slots: { type: "request", answer: "hunter-2" } }, ...older];
    expect(detectPatterns(answered, undefined, at)[0]?.suggestion.action).toMatchObject({ answer: "hunter-2" });
  });

  it.each([
    { title: "three times", entries: [1, 2, 3].map((day) => failure(day)), found: 1 },
    { title: "twice", entries: [1, 2].map((day) => failure(day)), found: 0 },
    { title: "three times in one turn", entries: [1, 1.01, 1.02].map((day) => failure(day, { turn: "t1" })), found: 0 },
    { title: "as its owner decided", entries: [1, 2, 3].map((day) => failure(day, { error: "DENIED" })), found: 0 },
    {
      title: "three times of thirteen",
      entries: [
        ...[1, 3, 5].map((day) => failure(day)),
        ...Array.from({ length: 10 }, (_, index) =>
          entry("read it", 4.9 - index / 3, { id: `well ${index}`, slots: { type: "request", tools: ["web_fetch"] } }),
        ),
      ],
      found: 0,
    },
    { title: "last month", entries: [32, 33, 34].map((day) => failure(day)), found: 0 },
  ])("finds $found pattern in a tool that failed $title", ({ entries, found }) => {
    expect(names(entries).filter((name) => name === "tool_failure_pattern")).toHaveLength(found);
  });

  it("reads the codes of errors from traces", () => {
    const trace = (day: number) =>
      entry("web_fetch→bash: failure. x", day, {
        slots: {
          type: "workflow_trace",
          task_id: `t${day}`,
          outcome: "failure",
          steps: [{ name: "web_fetch", success: false, duration_ms: 1, error: "TIMEOUT" }],
        },
      });
    // The failures of a turn stand in its trace and in what was asked in it.
    const traces = [1, 2].flatMap((day) => [trace(day), failure(day, { turn: `t${day}` })]);
    expect(names(traces)).toEqual([]);
    expect(names([...traces, trace(3)])).toEqual(["tool_failure_pattern"]);
  });

  it.each([
    { title: "every day", days: [1, 2, 3, 4, 5, 6, 7], hour: 8, tz: "UTC", schedule: "0 8 * * *" },
    { title: "on working days", days: [1, 2, 3, 6, 7, 8, 9], hour: 8, tz: "UTC", schedule: "0 8 * * 1-5" },
    { title: "on Thursdays", days: [7, 14, 21], hour: 8, tz: "UTC", schedule: "0 8 * * 4" },
    { title: "in the person's zone", days: [1, 2, 3, 4, 5, 6, 7], hour: 20, tz: "Asia/Tokyo", schedule: "0 5 * * *" },
  ])("suggests a job $title", ({ days, hour, tz, schedule }) => {
    const [found] = detectPatterns(news(days, hour), undefined, { now: NOW, tz });
    expect(found).toMatchObject({ detector: "time_routine", frequency: days.length });
    expect(found?.suggestion.action).toEqual({ kind: "job", schedule, tz, task: "Give me the Reuters headlines" });
  });

  it("finds no routine in what is asked for at any time of the day", () => {
    expect(names([1, 2, 3, 4, 5].flatMap((day) => news([day], (day * 7) % 24)))).toEqual([]);
  });

  it("counts the times that the ids of merged entries tell", () => {
    const ids = [2, 3].map((day) => ulidAt(Date.UTC(2026, 10, 26 - day, 8)));
    const [merged] = news([1]).map((one) => ({ ...one, slots: { merged_ids: [one.id, ...ids] } }));
    expect(names([merged!])).toEqual(["time_routine"]);
  });

  it("says of a daily question that it is a routine, and no more", () => {
    const days = [1, 2, 3, 4].map((day) =>
      entry("What is the weather in Oslo today?", day, { createdAt: NOW - (NOW % DAY) - day * DAY + 7 * HOUR }),
    );
    expect(names(days)).toEqual(["time_routine"]);
  });

  const promise = (daysAgo: number, slots = {}) =>
    entry("I'll send the pension forms to Anna", daysAgo, { slots: { type: "commitment", ...slots } });
  it.each([
    { title: "whose day has passed", entries: [promise(9, { due: "2026-11-25" })], found: 1 },
    { title: "whose day it is", entries: [promise(9, { due: "2026-11-26" })], found: 0 },
    { title: "whose hour has passed", entries: [promise(9, { due: "2026-11-26T11:00:00Z" })], found: 1 },
    { title: "that is a week old", entries: [promise(7)], found: 1 },
    { title: "that is six days old", entries: [promise(6)], found: 0 },
    { title: "that is a year old", entries: [promise(365)], found: 0 },
    {
      title: "that was kept",
      entries: [promise(9, { due: "2026-11-24" }), entry("pension forms are sent", 4)],
      found: 0,
    },
    {
      title: "that was spoken of, with a day",
      entries: [promise(9, { due: "2026-11-24" }), entry("where are the pension forms", 4)],
      found: 1,
    },
    {
      title: "that was spoken of, without a day",
      entries: [promise(9), entry("where are the pension forms", 4)],
      found: 0,
    },
    { title: "that holds for good", entries: [promise(9, { lasting: true })], found: 0 },
    {
      title: "about nothing",
      entries: [entry("I'll be right back", 9, { slots: { type: "statement", kind: "commitment" } })],
      found: 0,
    },
  ])("raises $found commitment $title", ({ entries, found }) => {
    expect(names(entries)).toHaveLength(found);
  });

  it("ends a day where the person is", () => {
    const entries = [promise(9, { due: "2026-11-26" })];
    expect(names(entries, { now: Date.UTC(2026, 10, 26, 16), tz: "Asia/Tokyo" })).toEqual(["stale_commitment"]);
    expect(names(entries, { now: Date.UTC(2026, 10, 26, 16), tz: "America/New_York" })).toEqual([]);
  });

  it("speaks the person's language", () => {
    const texts = ["公司VPN密码是多少？", "VPN的密码是什么来着", "告诉我VPN密码是多少"];
    const [found] = detectPatterns(
      texts.map((text, index) => entry(text, 1 + 2.3 * index)),
      undefined,
      at,
    );
    expect(found).toMatchObject({ language: "zh" });
    expect(found?.suggestion.text).toMatch(/您问过 3 次/);
  });

  it("takes detectors of others, and says of an entry what the first one says", () => {
    const mine: PatternDetector = {
      name: "mine",
      detect: (entries) => ({
        subject: "all",
        confidence: 0.9,
        evidenceIds: entries.map(({ id }) => id),
        frequency: entries.length,
        language: "en",
        data: null,
      }),
      suggest: ({ frequency }) => ({ text: `${frequency} in all`, priority: 1, action: { kind: "hint" } }),
    };
    expect(detectPatterns(asked, [mine, ...PATTERN_DETECTORS], at)).toMatchObject([
      { detector: "mine", key: "mine:all", suggestion: { text: "3 in all" } },
    ]);
    expect(detectPatterns(asked, [{ ...mine, detect: () => null }], at)).toEqual([]);
  });
});

/** A ULID of a time. */
function ulidAt(ms: number): string {
  const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  let text = "";
  for (let rest = ms, place = 0; place < 10; place += 1, rest = Math.floor(rest / 32))
    text = digits.charAt(rest % 32) + text;
  return `${text}0000000000000000`;
}
