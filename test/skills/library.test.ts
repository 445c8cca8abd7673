import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import type { PatternEngine } from "../../kit.ts";
import { createLibrary, matchSkills, re2Patterns } from "./door.ts";
import { sharedLibrary } from "../../src/skills/library.ts";
import type { ChainStep, Skill } from "../../src/skills/index.ts";
import { HOSTILE_PATTERNS } from "../support/hostile-texts.ts";
import { aSkill } from "./a-skill.ts";

const engine = re2Patterns({ RE2JS });

describe("createLibrary()", () => {
  it("finds its skills by name, in the order in which they were given", () => {
    const skills = [aSkill("b", undefined), aSkill("a", { intent: ["x"] })];
    const library = createLibrary(skills, { engine: null });
    expect(library).toMatchObject({ skills, problems: [], usesLinearEngine: false });
    expect([library.find("a"), library.find("constructor")]).toEqual([skills[1], undefined]);
  });

  it("keeps the first of two with one name and tells of the other", () => {
    const library = createLibrary(
      [aSkill("a", undefined, { body: "1" }), aSkill("a", undefined, { path: "b/SKILL.md" })],
      {},
    );
    expect(library.skills.map(({ body }) => body)).toEqual(["1"]);
    expect(library.problems).toEqual([
      { skill: "a", path: "b/SKILL.md", field: "name", reason: "Another skill has this name", isLeftOut: true },
    ]);
  });
});

describe("sharedLibrary()", () => {
  it("is one for the same skills and the same engine, and another for everything else", () => {
    const [one, two] = [aSkill("a", { intent: ["x"] }), aSkill("b", { intent: ["y"] })];
    const linear = () => engine;
    const library = sharedLibrary([one, two], linear);
    expect(library).toMatchObject({ skills: [one, two], problems: [] });
    expect(sharedLibrary([one, two], linear)).toBe(library);
    expect(sharedLibrary([one, two], () => null)).not.toBe(library);
    const edited = aSkill("b", { intent: ["z"] });
    expect(sharedLibrary([one, edited], linear).find("b")).toBe(edited);
    expect(sharedLibrary([one], linear).skills).toEqual([one]);
    expect(sharedLibrary([], linear).skills).toEqual([]);
  });

  it("gives each its engine: what is refused without one is taken with one", () => {
    const skill = aSkill("a", { intent: ["(x+x+)+y"] });
    expect(sharedLibrary([skill], () => null).problems).toHaveLength(1);
    expect(sharedLibrary([skill], () => engine).problems).toEqual([]);
  });
});

describe("a pattern", () => {
  const load = (pattern: string, given: PatternEngine | null = engine) =>
    createLibrary([aSkill("a", { intent: [pattern], tools: ["t"] }, { path: "a/SKILL.md" })], { engine: given });

  it.each([
    "research|investigate|analy[sz]e",
    "调研|研究|分析.*趋势",
    "调研.*报告|分析.*趋势|.*竞品",
    "a.*b.*c",
    Array.from({ length: 60 }, (_, index) => `word${index}`).join("|"),
    "(?i)Report",
    "\\b(?:write|draft) memos?\\b",
    "colou?r",
  ])("%j runs on every runtime", (pattern) => {
    expect(load(pattern, null)).toMatchObject({ problems: [], usesLinearEngine: false });
  });

  it.each([...HOSTILE_PATTERNS, "(ab)+", "\\pL{2}", "a.*b.+c"])("%j needs a linear engine", (pattern) => {
    expect(load(pattern)).toMatchObject({ problems: [], usesLinearEngine: true });
    const { problems, skills } = load(pattern, null);
    expect(skills).toHaveLength(1);
    expect(problems).toMatchObject([
      { skill: "a", path: "a/SKILL.md", field: "triggers.intent_patterns", pattern, isLeftOut: false },
    ]);
    expect(problems[0]?.reason).toContain("needs a linear engine");
  });

  it.each(["(", "a)", "[z-a]", "a**", "(?=a)b", "(a)\\1", "x{5000}", "ok|(", "a".repeat(1001)])(
    "%j is refused, and its skill stays",
    (pattern) => {
      const library = load(pattern);
      expect(library.problems).toMatchObject([{ skill: "a", pattern, isLeftOut: false }]);
      expect(library.problems[0]?.reason).not.toBe("");
      const input = { taskInput: "ok a ab", recentTools: ["t"] };
      expect(matchSkills(library, input)).toEqual([]);
    },
  );

  it("that explodes elsewhere takes no time in proportion to its steps", () => {
    const library = createLibrary(
      HOSTILE_PATTERNS.map((one, index) => aSkill(`s${index}`, { intent: [one] })),
      { engine },
    );
    expect(matchSkills(library, { taskInput: `${"a".repeat(3990)}!` }).length).toBeLessThanOrEqual(3);
  });

  it("asks for the linear engine only when one needs it", () => {
    let asked = 0;
    const counting: PatternEngine = { compile: (pattern) => ((asked += 1), engine.compile(pattern)) };
    matchSkills(load("a|b.*c", counting), { taskInput: "b c" });
    expect(asked).toBe(0);
    load("(ab)+", counting);
    expect(asked).toBe(1);
  });

  it("has no second chance where `engine` is null, whatever the runtime lends", () => {
    expect(createLibrary([aSkill("a", { intent: ["(ab)+"] })], { engine: null }).problems).toHaveLength(1);
  });
});

describe("chains and prerequisites", () => {
  const chain = (name: string, ...steps: readonly ChainStep[]) => aSkill(name, undefined, { chain: steps });
  const needs = (name: string, ...prerequisites: readonly string[]) => aSkill(name, undefined, { prerequisites });
  const leaf = aSkill("leaf", undefined);

  it.each<[string, readonly Skill[], Readonly<Record<string, string>>]>([
    [
      "a chain of two steps",
      [leaf, chain("c", { skill: "leaf", outputAs: "x" }, { skill: "leaf", inputFrom: "x" })],
      {},
    ],
    ["a diamond", [needs("top", "l", "r"), needs("l", "leaf"), needs("r", "leaf"), leaf], {}],
    ["a step that is not there", [chain("c", { skill: "gone" })], { c: 'There is no skill "gone"' }],
    ["a prerequisite that is not there", [needs("a", "gone")], { a: 'There is no skill "gone"' }],
    ["a chain of itself", [chain("c", { skill: "c" })], { c: "It names itself" }],
    [
      "an input that nothing produced",
      [leaf, chain("c", { skill: "leaf", inputFrom: "x" }, { skill: "leaf", outputAs: "x" })],
      { c: 'The step "leaf" takes "x", which no step before it produces' },
    ],
    [
      "an input of the step's own output",
      [leaf, chain("c", { skill: "leaf", inputFrom: "x", outputAs: "x" })],
      { c: 'The step "leaf" takes "x", which no step before it produces' },
    ],
    [
      "a circle of chains, and what is before it",
      [chain("a", { skill: "b" }), chain("b", { skill: "a" }), needs("c", "a"), leaf],
      {
        a: "It leads back to itself: a → b → a",
        b: "It leads back to itself: b → a → b",
        c: 'The skill "a" was left out itself: a → b → a',
      },
    ],
    [
      "a circle of prerequisites and chains",
      [needs("a", "b"), chain("b", { skill: "a" })],
      { a: "It leads back to itself: a → b → a", b: "It leads back to itself: b → a → b" },
    ],
    [
      "what needs a broken skill",
      [needs("a", "b"), needs("b", "gone")],
      { a: 'The skill "b" was left out itself', b: 'There is no skill "gone"' },
    ],
    [
      "a broken skill in a circle",
      [needs("a", "b"), needs("b", "a", "gone")],
      { a: 'The skill "b" was left out itself', b: 'There is no skill "gone"' },
    ],
  ])("of %s", (_, skills, expected) => {
    const library = createLibrary(skills, {});
    expect(Object.fromEntries(library.problems.map(({ skill, reason }) => [skill, reason]))).toEqual(expected);
    expect(library.problems.every(({ isLeftOut }) => isLeftOut)).toBe(true);
    expect(library.skills.map(({ name }) => name).sort()).toEqual(
      skills
        .map(({ name }) => name)
        .filter((name) => !Object.hasOwn(expected, name))
        .sort(),
    );
  });

  it("of chains that multiply are refused by their number of steps", () => {
    const skills = [leaf];
    for (let level = 0; level < 30; level += 1) {
      const below = level === 0 ? "leaf" : `c${level - 1}`;
      skills.push(chain(`c${level}`, { skill: below }, { skill: below }));
    }
    const { problems } = createLibrary(skills, {});
    expect(problems.find(({ skill }) => skill === "c5")?.reason).toContain("It has 64 steps");
    expect(problems).toHaveLength(25);
  });

  it("of ten thousand skills in one row are followed", () => {
    const row = Array.from({ length: 10_000 }, (_, at) => (at === 0 ? needs("s0") : needs(`s${at}`, `s${at - 1}`)));
    expect(createLibrary(row.toReversed(), {}).problems).toEqual([]);
  });
});
