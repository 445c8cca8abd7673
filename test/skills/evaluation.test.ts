import { describe, expect, it } from "vitest";
import { BUILT_IN_SKILLS } from "../../src/skills/built-in-skills.ts";
import { prepare } from "../../src/skills/built-in-source.ts";
import { createLibrary } from "../../src/skills/index.ts";
import given from "./evaluation/messages.json" with { type: "json" };
import { type Messages, evaluate } from "./evaluation/evaluate.ts";

const messages = given as Messages;
const library = createLibrary(BUILT_IN_SKILLS.map(prepare), { engine: null }, () => null);
const all = Object.values(messages).flat();

describe("the labelled messages", () => {
  it("are 240 and more, half of them Chinese, a third of them for no skill, each there once", () => {
    for (const part of [messages.held, all]) {
      const chinese = part.filter(({ language }) => language === "zh").length / part.length;
      expect(chinese).toBeGreaterThan(0.45);
      expect(chinese).toBeLessThan(0.55);
      expect(part.filter(({ skills }) => skills.length === 0).length / part.length).toBeGreaterThan(1 / 3);
    }
    expect(all.length).toBeGreaterThan(240);
    expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
  });

  it("name skills that are built in, each of them often", () => {
    const names = library.skills.map(({ name }) => name);
    const asked = messages.held.flatMap(({ skills }) => skills);
    expect(new Set(asked)).toEqual(new Set(names));
    for (const name of names) expect(asked.filter((one) => one === name).length).toBeGreaterThanOrEqual(10);
  });
});

describe("the skills that are built in", () => {
  it("need no linear engine for their patterns", () => {
    expect(library.problems).toEqual([]);
    expect(library.usesLinearEngine).toBe(false);
  });

  it.each(["held", "fresh"] as const)("come when they should and stay away else, in the messages “%s”", (part) => {
    const { all: quality, languages, mistakes } = evaluate(library, messages[part]);
    for (const { precision, recall } of [quality, ...Object.values(languages)]) {
      expect(precision, mistakes.join("\n")).toBeGreaterThanOrEqual(0.9);
      expect(recall, mistakes.join("\n")).toBeGreaterThanOrEqual(0.9);
    }
  });

  it("stay away from nineteen of twenty messages that need none", () => {
    const unrelated = all.filter(({ skills }) => skills.length === 0);
    const { mistakes } = evaluate(library, unrelated);
    expect(mistakes.length / unrelated.length).toBeLessThanOrEqual(0.05);
  });

  it("take less of a prompt than a third of their texts", () => {
    const { section, everything } = evaluate(library, messages.held).tokens;
    expect(section / everything).toBeLessThan(1 / 3);
  });
});
