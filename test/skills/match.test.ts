import fc from "fast-check";
import { estimateTokenCount } from "tokenx";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { createLibrary, explainMatch, matchSkills, re2Patterns } from "./door.ts";
import { type MatchInput, type MatchOptions, type Skill } from "../../src/skills/index.ts";
import { runs } from "../support/thorough.ts";
import { type GivenTriggers, aSkill } from "./a-skill.ts";

const engine = re2Patterns({ RE2JS });
const libraryOf = (...skills: readonly Skill[]) => createLibrary(skills, { engine });
const named = (skills: readonly Skill[], input: MatchInput, options: MatchOptions = {}) =>
  matchSkills(libraryOf(...skills), input, options).map(({ name }) => name);
/** 1.0 for whatever is written, so that a test is about something else. */
const ANY = { intent: ["."], tools: ["t"], keywords: ["go"], slots: { task_type: ["x"] } } as const;
const anyInput = { taskInput: "go", recentTools: ["t"], slots: { task_type: "x" } } as const;

describe("the score of a skill", () => {
  const research: GivenTriggers = {
    intent: ["research|investigate|analy[sz]e", "调研|研究|分析.*趋势"],
    tools: ["web_search", "web_fetch"],
    keywords: ["competitor", "trend", "market share", "竞品"],
    slots: { task_type: ["research", "analysis"], channel: ["slack"] },
  };
  const scoreOf = (triggers: GivenTriggers, input: MatchInput, options: MatchOptions = {}) =>
    matchSkills(libraryOf(aSkill("one", { ...triggers, threshold: 0.001 })), input, options)[0]?.score ?? 0;

  it.each<[string, string, number]>([
    ["an intent pattern", "Please research this", 0.5],
    ["an intent pattern in capitals", "PLEASE RESEARCH THIS", 0.5],
    ["an intent pattern within a word", "researchers say", 0.5],
    ["a class of an intent pattern", "could you analyse it", 0.5],
    ["the other sign of the class", "could you analyze it", 0.5],
    ["two intent patterns: once", "research 调研", 0.5],
    ["a Chinese alternative", "帮我调研一下", 0.5],
    ["a Chinese alternative with a gap", "分析一下今年的趋势", 0.5],
    ["the gap over two lines", "分析一下\n今年的趋势", 0.5],
    ["the wrong order over the gap", "趋势如何分析", 0],
    ["wide letters", "ＲＥＳＥＡＲＣＨ it", 0.5],
    ["a long s", "reſearch it", 0.5],
    ["nothing", "good morning", 0],
    ["the empty text", "", 0],
    ["one keyword of four", "the competitor", 0.0375],
    ["two keywords of four", "competitor and trend", 0.075],
    ["a keyword twice", "trend, trend", 0.0375],
    ["a keyword in capitals", "TREND", 0.0375],
    ["a keyword within a word", "trendy", 0],
    ["a keyword at the end of a word", "downtrend", 0],
    ["a keyword with a digit", "trend2", 0],
    ["a keyword with an underscore", "my_trend", 0],
    ["a keyword between signs", "(trend)!", 0.0375],
    ["a keyword beside Chinese", "看trend吧", 0.0375],
    ["a phrase", "our market share", 0.0375],
    ["a phrase over two lines", "our market\n  share", 0.0375],
    ["a phrase with more between", "market and share", 0],
    ["a Chinese keyword within words", "做竞品表", 0.0375],
    ["an intent and all keywords", "research competitor trend market share 竞品", 0.65],
  ])("of %s", (_, taskInput, score) => {
    expect(scoreOf(research, { taskInput })).toBe(score);
  });

  it.each<[string, Partial<MatchInput>, number]>([
    ["a tool", { recentTools: ["web_search"] }, 0.25],
    ["two tools", { recentTools: ["web_fetch", "web_search"] }, 0.25],
    ["another tool", { recentTools: ["web_searcher", "file_read"] }, 0],
    ["a slot", { slots: { task_type: "research" } }, 0.1],
    ["another value of the slot", { slots: { task_type: "Analysis" } }, 0.1],
    ["a slot with a value that is not named", { slots: { task_type: "chat" } }, 0],
    ["two slots", { slots: { task_type: "research", channel: "slack" } }, 0.2],
    ["a slot that is not known", { slots: { task_type: undefined } }, 0],
    ["a slot that is no text", { slots: { task_type: 5 as unknown as string } }, 0],
    ["a tool and a slot", { recentTools: ["web_search"], slots: { channel: "slack" } }, 0.35],
    [
      "an intent, a tool and a slot",
      { taskInput: "research", recentTools: ["web_search"], slots: { channel: "slack" } },
      0.85,
    ],
    [
      "everything, at most 1",
      {
        taskInput: "research competitor trend market share 竞品",
        recentTools: ["web_search"],
        slots: { task_type: "research", channel: "slack" },
      },
      1,
    ],
  ])("of %s", (_, input, score) => {
    expect(scoreOf(research, { taskInput: "", ...input })).toBe(score);
  });

  it.each<[string, { activations: number; helpful: number; notHelpful: number }, number]>([
    ["rises by a fifth", { activations: 5, helpful: 5, notHelpful: 0 }, 0.6],
    ["stays before five activations", { activations: 4, helpful: 4, notHelpful: 0 }, 0.5],
    ["stays at a rate of 0.8", { activations: 5, helpful: 4, notHelpful: 1 }, 0.5],
    ["rises over 0.8", { activations: 6, helpful: 5, notHelpful: 1 }, 0.6],
    ["falls by two fifths", { activations: 5, helpful: 0, notHelpful: 3 }, 0.3],
    ["stays at two bad voices", { activations: 5, helpful: 0, notHelpful: 2 }, 0.5],
    ["stays at a rate of 0.3", { activations: 10, helpful: 3, notHelpful: 7 }, 0.5],
    ["falls under 0.3", { activations: 11, helpful: 3, notHelpful: 8 }, 0.3],
    ["stays when no one said anything", { activations: 50, helpful: 0, notHelpful: 0 }, 0.5],
  ])("%s with feedback", (_, one, score) => {
    expect(scoreOf({ intent: ["go"] }, { taskInput: "go" }, { feedback: { one } })).toBe(score);
  });

  it("stays at most 1 with feedback", () => {
    const feedback = { one: { activations: 9, helpful: 9, notHelpful: 0 } };
    expect(scoreOf(ANY, anyInput, { feedback })).toBe(1);
  });

  it("is explained by signals", () => {
    const feedback = { one: { activations: 6, helpful: 6, notHelpful: 0 } };
    const input = { taskInput: "Analyse the trend", recentTools: ["web_fetch"], slots: { task_type: "research" } };
    const [result] = matchSkills(libraryOf(aSkill("one", research)), input, { feedback });
    expect(result).toMatchObject({ name: "one", score: 1, isCut: false, includes: ["one"] });
    expect(result?.signals).toEqual([
      { kind: "intent", matched: "research|investigate|analy[sz]e", weight: 0.5 },
      { kind: "tool", matched: "web_fetch", weight: 0.25 },
      { kind: "keywords", matched: "trend", weight: 0.0375 },
      { kind: "slot", matched: "task_type: research", weight: 0.1 },
      { kind: "feedback", matched: "6 of 6 helpful", weight: 0.1125 },
    ]);
  });

  it.each(["constructor", "tostring", "valueof"])("takes nothing from the prototype for a skill called %s", (name) => {
    const skill = aSkill(name, { intent: ["go"], slots: { constructor: ["x"] } }, { cooldown: 60 });
    const options = { feedback: {}, lastActivated: {}, now: 1000 };
    expect(matchSkills(libraryOf(skill), { taskInput: "go", slots: {} }, options)[0]?.score).toBe(0.5);
  });
});

describe("of what is long", () => {
  const skill = aSkill("one", { intent: ["needle"] });

  it.each<[string, string, boolean]>([
    ["the beginning", `needle${" x".repeat(5000)}`, true],
    ["the end", `${"x ".repeat(5000)}needle`, true],
    ["not the middle", `${"x ".repeat(2500)}needle${" x".repeat(2500)}`, false],
  ])("%s is looked at", (_, taskInput, isFound) => {
    expect(named([skill], { taskInput })).toEqual(isFound ? ["one"] : []);
  });

  it("a pattern with a gap is found by the linear engine, and without one in the beginning", () => {
    const gap = aSkill("gap", { intent: ["分析.*趋[势向]"] });
    const near = `分析${"很".repeat(500)}趋势`;
    const far = `分析${"很".repeat(3000)}趋势`;
    const hits = (given: typeof engine | null, taskInput: string) =>
      matchSkills(createLibrary([gap], { engine: given }), { taskInput }).length;
    expect([hits(engine, near), hits(engine, far), hits(null, near), hits(null, far)]).toEqual([1, 1, 1, 0]);
  });

  it.each<[string, string, boolean]>([
    ["分析.*趋势", `分析${"很".repeat(3000)}趋势`, true],
    ["分析.*趋势", `趋势${"很".repeat(3000)}分析`, false],
    ["a.*b.*?c", `A${"\n".repeat(3000)}b c`, true],
    ["a.*ab", `ab${" ".repeat(3000)}b`, false],
    ["1\\.5.*\\$", `1.5 ${"x ".repeat(1400)}$`, true],
    ["1\\.5.*\\$", `1,5 ${"x ".repeat(1400)}$`, false],
    [".*end.*", `${"x ".repeat(1400)}end`, true],
  ])("texts with gaps between, %s, are found without an engine", (intent, taskInput, isFound) => {
    const skills = [aSkill("gap", { intent: [intent] })];
    expect(matchSkills(createLibrary(skills, { engine: null }), { taskInput })).toHaveLength(isFound ? 1 : 0);
  });
});

describe("which skills come", () => {
  it("leaves out those under their threshold", () => {
    const low = aSkill("low", { tools: ["t"], threshold: 0.25 });
    const high = aSkill("high", { tools: ["t"], threshold: 0.26 });
    expect(named([low, high], { taskInput: "", recentTools: ["t"] })).toEqual(["low"]);
  });

  it("reaches a threshold that fractions add up to", () => {
    const triggers = { keywords: ["a", "b", "c"], slots: { x: ["1"], y: ["1"] }, threshold: 0.35 };
    expect(named([aSkill("one", triggers)], { taskInput: "a b c", slots: { x: "1", y: "1" } })).toEqual(["one"]);
  });

  it.each<[string, MatchOptions, boolean]>([
    ["just before its end", { now: 160_999, lastActivated: { one: 101_000 } }, false],
    ["at its end", { now: 161_000, lastActivated: { one: 101_000 } }, true],
    ["of another skill", { now: 101_001, lastActivated: { two: 101_000 } }, true],
    ["without a time", { lastActivated: { one: 101_000 } }, true],
    ["after the clock was set back by a second", { now: 100_000, lastActivated: { one: 101_000 } }, false],
    ["after the clock was set back by a year", { now: 0, lastActivated: { one: 3e10 } }, true],
  ])("keeps the cool-down %s", (_, options, comes) => {
    expect(named([aSkill("one", ANY, { cooldown: 60 })], anyInput, options)).toEqual(comes ? ["one"] : []);
  });

  it("keeps of a group the highest priority, then score, then name", () => {
    const inGroup = (name: string, priority: number, triggers: GivenTriggers = ANY) =>
      aSkill(name, triggers, { priority, exclusiveGroup: "g" });
    expect(named([inGroup("a", 5), inGroup("b", 6, { intent: ["."] })], anyInput)).toEqual(["b"]);
    expect(named([inGroup("a", 5, { intent: ["."] }), inGroup("b", 5)], anyInput)).toEqual(["b"]);
    expect(named([inGroup("b", 5), inGroup("a", 5)], anyInput)).toEqual(["a"]);
  });

  it("lets no skill of a group keep others out while it cools down itself", () => {
    const strong = aSkill("strong", ANY, { priority: 9, exclusiveGroup: "g", cooldown: 60 });
    const weak = aSkill("weak", ANY, { exclusiveGroup: "g" });
    expect(named([strong, weak], anyInput, { now: 5, lastActivated: { strong: 5 } })).toEqual(["weak"]);
  });

  it("takes the empty group for a group, and no group for none", () => {
    const skills = ["a", "b"].map((name) => aSkill(name, ANY, { exclusiveGroup: "" }));
    expect(named([...skills, aSkill("c", ANY)], anyInput)).toEqual(["a", "c"]);
  });

  it("sorts by score, then priority, then name, and keeps three", () => {
    const skills = [
      aSkill("d", ANY),
      aSkill("c", ANY),
      aSkill("e", ANY, { priority: 6 }),
      aSkill("first-by-name", { intent: ["."] }, { priority: 10 }),
    ];
    expect(named(skills, anyInput)).toEqual(["e", "c", "d"]);
    expect(named(skills, anyInput, { maxActivated: 4 })).toEqual(["e", "c", "d", "first-by-name"]);
    expect(named(skills, anyInput, { maxActivated: 0 })).toEqual([]);
  });

  it("skips what does not fit the budget and takes a smaller one", () => {
    const words = (count: number) => "word ".repeat(count);
    const skills = [
      aSkill("a", ANY, { body: words(600) }),
      aSkill("b", ANY, { body: words(600) }),
      aSkill("c", ANY, { body: words(100) }),
    ];
    expect(named(skills, anyInput, { tokenBudget: 800 })).toEqual(["a", "c"]);
    expect(named(skills, anyInput, { tokenBudget: 0 })).toEqual([]);
  });

  it("offers a skill of certain people to them alone", () => {
    const mine = aSkill("mine", ANY, { people: ["telegram:42"] });
    expect(named([mine], { ...anyInput, userId: "telegram:42" })).toEqual(["mine"]);
    expect(named([mine], { ...anyInput, userId: "telegram:4" })).toEqual([]);
    expect(named([mine], anyInput)).toEqual([]);
    const behind = aSkill("behind", ANY, { prerequisites: ["mine"] });
    expect(named([mine, behind], anyInput)).toEqual([]);
  });

  it("leaves out what is not offered, and what needs it", () => {
    const skills = [aSkill("a", ANY), aSkill("b", ANY, { prerequisites: ["a"] }), aSkill("c", ANY)];
    expect(named(skills, anyInput, { isOffered: ({ name }) => name !== "a" })).toEqual(["c"]);
  });

  it.each([-1, Number.NaN])("refuses a budget of %d", (tokenBudget) => {
    expect(() => matchSkills([], anyInput, { tokenBudget })).toThrow(RangeError);
  });

  it("compiles a list once, and again when it changed", () => {
    const skills = [aSkill("a", ANY)];
    const first = matchSkills(skills, anyInput);
    expect(matchSkills(skills, anyInput)).toEqual(first);
    skills.push(aSkill("b", ANY));
    expect(matchSkills(skills, anyInput).map(({ name }) => name)).toEqual(["a", "b"]);
  });
});

describe("the text of a result", () => {
  const paragraphs = (count: number) => Array.from({ length: count }, (_, at) => `Paragraph ${at} has some words.`);
  const textOf = (skills: readonly Skill[], options: MatchOptions = {}) =>
    matchSkills(libraryOf(...skills), anyInput, options)[0];

  it("is the body, cut behind a paragraph to its own tokens", () => {
    const result = textOf([aSkill("a", ANY, { body: paragraphs(40).join("\n\n"), maxTokens: 60 })]);
    expect(result?.isCut).toBe(true);
    expect(result?.tokens).toBeLessThanOrEqual(60);
    expect(result?.tokens).toBeGreaterThan(40);
    expect(result?.text).toMatch(/ words\.\n\n…$/);
  });

  it("does not end within a block of code", () => {
    const body = `First.\n\n\`\`\`sh\n${paragraphs(30).join("\n\n")}\n\`\`\`\n\nLast.`;
    expect(textOf([aSkill("a", ANY, { body, maxTokens: 60 })])?.text).toBe("First.\n\n…");
  });

  it("ends behind a word where the first paragraph is too long", () => {
    const result = textOf([aSkill("a", ANY, { body: "word ".repeat(500), maxTokens: 20 })]);
    expect(result?.text).toMatch(/^(word )+word…$/);
    expect(result?.tokens).toBeLessThanOrEqual(20);
  });

  it("has the prerequisites before it, each once and in order", () => {
    const skills = [
      aSkill("base", undefined),
      aSkill("left", undefined, { prerequisites: ["base"] }),
      aSkill("right", undefined, { prerequisites: ["base"] }),
      aSkill("top", ANY, { prerequisites: ["left", "right"] }),
    ];
    expect(textOf(skills)).toMatchObject({
      text: "Do base.\n\nDo left.\n\nDo right.\n\nDo top.",
      includes: ["base", "left", "right", "top"],
    });
  });

  it("does not repeat what another result has", () => {
    const base = aSkill("base", ANY, { priority: 1 });
    const a = aSkill("a", ANY, { prerequisites: ["base"] });
    const b = aSkill("b", ANY, { prerequisites: ["base"] });
    const { results, leftOut } = explainMatch(libraryOf(base, a, b), anyInput);
    expect(results.map(({ text }) => text)).toEqual(["Do base.\n\nDo a.", "Do b."]);
    expect(leftOut).toMatchObject([{ name: "base", cause: "included" }]);
  });

  it("is the chain written out, within the budget", () => {
    const step = (name: string) => aSkill(name, undefined, { body: paragraphs(300).join("\n\n") });
    const chain = aSkill("chain", ANY, {
      chain: [
        { skill: "one", outputAs: "x" },
        { skill: "two", inputFrom: "x" },
      ],
    });
    const result = textOf([step("one"), step("two"), chain], { tokenBudget: 1000 });
    expect(result?.tokens).toBeLessThanOrEqual(1000);
    expect(result).toMatchObject({ isCut: true, includes: ["one", "two", "chain"] });
    expect(result?.text).toContain("## Step 2: two");
  });

  it("has a step of a chain once, whether the chain or the step comes first, and where a step is taken again", () => {
    const chain = (priority: number) =>
      aSkill("chain", ANY, { priority, chain: [{ skill: "one" }, { skill: "two" }, { skill: "one" }] });
    const match = (priority: number) =>
      explainMatch(libraryOf(aSkill("one", ANY), aSkill("two", undefined), chain(priority)), anyInput);
    const timesIn = (texts: readonly string[]) => texts.join("\n").split("Do one.").length - 1;

    const before = match(9);
    expect(before.results.map(({ name }) => name)).toEqual(["chain"]);
    expect(before.leftOut).toMatchObject([{ name: "one", cause: "included" }]);
    expect(timesIn(before.results.map(({ text }) => text))).toBe(1);

    const behind = match(1).results;
    expect(behind.map(({ name }) => name)).toEqual(["one", "chain"]);
    expect(timesIn(behind.map(({ text }) => text))).toBe(1);
    expect(behind[1]?.text).toContain("Its instructions stand above.");
    expect(timesIn(match(9).results.map(({ text }) => text))).toBe(1); // what was said of one message changes no other
  });
});

describe("explainMatch()", () => {
  it("says why each skill that something spoke for does not come", () => {
    const library = libraryOf(
      aSkill("best", ANY, { body: "word ".repeat(100) }),
      aSkill("cooling", ANY, { cooldown: 60 }),
      aSkill("group-one", ANY, { exclusiveGroup: "g", priority: 9 }),
      aSkill("group-two", ANY, { exclusiveGroup: "g" }),
      aSkill("large", ANY, { body: "word ".repeat(400) }),
      aSkill("hidden", ANY, { people: ["@owner"] }),
      aSkill("weak", { tools: ["t"] }),
      aSkill("silent", { intent: ["never said"] }),
      aSkill("zzz", ANY),
    );
    const { results, leftOut } = explainMatch(library, anyInput, {
      now: 31_000,
      lastActivated: { cooling: 1000 },
      tokenBudget: 300,
    });
    expect(results.map(({ name }) => name)).toEqual(["group-one", "best"]);
    expect(Object.fromEntries(leftOut.map(({ name, cause, reason }) => [name, `${cause}: ${reason}`]))).toEqual({
      cooling: "cool-down: It is cooling down: it was activated 30 of 60 seconds ago",
      "group-two": "group: group-one comes from the group g",
      large: expect.stringMatching(/^budget: It has \d+ tokens, and \d+ of 300 are left$/) as string,
      hidden: "not-offered: It is not offered here",
      weak: "threshold: 0.25 is less than 0.5",
      zzz: "limit: 3 others are better, and at most 3 are activated",
    });
  });
});

describe("matchSkills() (property)", () => {
  const word = fc.constantFrom("research", "Trend", "分析", "report", "竞品", "a", "x.*y", "(a+)+$", "[sz]");
  const skill = fc
    .record({
      intent: fc.array(word, { maxLength: 3 }),
      tools: fc.array(fc.constantFrom("t", "u"), { maxLength: 2 }),
      keywords: fc.array(word, { maxLength: 3 }),
      threshold: fc.constantFrom(0.05, 0.3, 0.5),
      priority: fc.integer({ min: 1, max: 3 }),
      group: fc.constantFrom(undefined, "g", "h"),
      words: fc.integer({ min: 0, max: 400 }),
      maxTokens: fc.integer({ min: 1, max: 300 }),
    })
    .map(({ priority, group, words, maxTokens, ...triggers }) => (name: string) => ({
      ...aSkill(name, triggers, { priority, maxTokens, body: "word of it\n\n".repeat(words) }),
      ...(group === undefined ? {} : { exclusiveGroup: group }),
    }));
  const skills = fc.array(skill, { maxLength: 12 }).map((all) => all.map((make, index) => make(`skill-${index}`)));
  const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(" "));

  it("keeps its limits, one of a group, and says the same in every order of the skills", () => {
    fc.assert(
      fc.property(
        skills,
        text,
        fc.integer({ min: 0, max: 800 }),
        fc.integer({ min: 0, max: 4 }),
        (all, taskInput, tokenBudget, maxActivated) => {
          const input = { taskInput, recentTools: ["t"] };
          const options = { tokenBudget, maxActivated };
          const { results, leftOut } = explainMatch(libraryOf(...all), input, options);
          expect(results.length).toBeLessThanOrEqual(maxActivated);
          expect(results.reduce((sum, one) => sum + one.tokens, 0)).toBeLessThanOrEqual(tokenBudget);
          for (const one of results) {
            expect(one.tokens).toBe(estimateTokenCount(one.text));
            expect(one.tokens).toBeLessThanOrEqual(one.skill.maxTokens);
            expect(one.score).toBeGreaterThanOrEqual(one.skill.triggers?.confidenceThreshold ?? 1);
            expect(one.score).toBeLessThanOrEqual(1);
          }
          const groups = results.flatMap((one) => one.skill.exclusiveGroup ?? []);
          expect(new Set(groups).size).toBe(groups.length);
          const names = [...results, ...leftOut].map(({ name }) => name);
          expect(new Set(names).size).toBe(names.length);
          expect(explainMatch(libraryOf(...all.toReversed()), input, options)).toEqual({ results, leftOut });
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it("finds an intent exactly when one of its patterns matches", () => {
    const pattern = fc.constantFrom(
      "research|report",
      "分析.*竞品",
      "\\btrend\\b",
      "x.*y",
      "a{2}",
      "(ab)+",
      "[sz]e",
      "tren?d|é",
      "ß",
    );
    const message = fc.string({
      unit: fc.constantFrom("a", "b", "research", "REPORT", "分析", "竞品", "Trend", " ", "x", "y", "se", "É", "SS"),
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 3 }), message, (intent, taskInput) => {
        const isFound = matchSkills(libraryOf(aSkill("one", { intent })), { taskInput }).length === 1;
        const isHit = intent.some((one) => new RegExp(one, "iu").test(taskInput));
        // `ß` is `ss` without regard to case, which an engine does not know.
        if (!intent.includes("ß"))
          expect(isFound).toBe(
            isHit || intent.some((one) => new RegExp(one, "iu").test(taskInput.replace(/\s+/g, " ").trim())),
          );
        else if (isHit) expect(isFound).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });
});
