import { describe, expect, it } from "vitest";
import { evaluateInitiative } from "../../../src/proactive/index.ts";
import { isHeldOut } from "../../../src/proactive/initiative/held-out.ts";

const NOVEL = { objective: "Finish the novel", currentFocus: "drafting chapter seven, the harbour scene" };
const types = (text: string, profile: Parameters<typeof evaluateInitiative>[1]) =>
  evaluateInitiative(text, profile).map(({ type }) => type);

describe("evaluateInitiative()", () => {
  it.each([
    {
      title: "all of its words, in other forms",
      text: "Draft the scenes at the harbours of chapter seven",
      found: true,
    },
    { title: "four of its five words", text: "Draft chapter seven of the harbour book", found: true },
    {
      title: "three of its five words, which is not over 0.6",
      text: "a draft of the chapter about the harbour",
      found: false,
    },
    { title: "none of its words", text: "Book a table for two", found: false },
    { title: "nothing", text: "", found: false },
  ])("a goal's focus and a task with $title", ({ text, found }) => {
    expect(types(text, { goals: [NOVEL] })).toEqual(found ? ["goal_alignment"] : []);
  });

  it("says which goal, and how sure it is", () => {
    expect(evaluateInitiative("Draft chapter seven of the harbour book", { goals: [NOVEL] })).toEqual([
      {
        type: "goal_alignment",
        confidence: 0.8,
        driveReference: "Finish the novel",
        message:
          "This task serves the person's goal “Finish the novel”, whose focus now is: drafting chapter seven, the harbour scene",
      },
    ]);
  });

  it("compares Chinese by pairs of signs", () => {
    const goals = [{ objective: "写完小说", currentFocus: "第七章港口" }];
    expect(types("帮我改一下第七章港口的描写", { goals })).toEqual(["goal_alignment"]);
    expect(types("港口几点开门", { goals })).toEqual([]);
  });

  it("needs a focus, and what means it where there is an embedder", () => {
    expect(types("Finish the novel", { goals: [{ objective: "Finish the novel" }] })).toEqual([]);
    const likenessTo = (focus: string) => (focus === NOVEL.currentFocus ? 0.9 : undefined);
    expect(types("the quay at dusk", { goals: [NOVEL], likenessTo })).toEqual(["goal_alignment"]);
  });

  it.each([
    { title: "a word of its name", name: "continuous learning", text: "What could I learn here?", found: true },
    { title: "a word of its name, but is weak", name: "learning", intensity: 3, text: "I like learning", found: false },
    { title: "a keyword", name: "health", keywords: ["running"], text: "Plan my run", found: true },
    { title: "half of a keyword", name: "health", keywords: ["blood pressure"], text: "a blood orange", found: false },
    { title: "a Chinese name", name: "健康", intensity: 5, text: "怎么吃更健康", found: true },
    { title: "nothing of it", name: "health", text: "Translate this", found: false },
  ])("a drive and a task that has $title", ({ name, intensity = 4, keywords, text, found }) => {
    const drives = [{ name, intensity, ...(keywords && { keywords }) }];
    expect(types(text, { drives })).toEqual(found ? ["drive_nudge"] : []);
  });

  it("brings up open findings", () => {
    const pattern = { key: "time_routine:news", confidence: 0.7, suggestion: { text: "Shall I?" } };
    const patterns = [pattern, { ...pattern, key: "no", state: "declined" }];
    expect(evaluateInitiative("anything", { patterns })).toEqual([
      { type: "pattern_suggestion", confidence: 0.7, driveReference: "time_routine:news", message: "Shall I?" },
    ]);
  });

  it("puts the surest first, as the person's answers weigh them", () => {
    const profile = {
      goals: [NOVEL],
      drives: [{ name: "harbour", intensity: 5 }],
      patterns: [{ key: "k", confidence: 0.9, suggestion: { text: "?" } }],
    };
    const text = "Draft chapter seven of the harbour book";
    expect(types(text, profile)).toEqual(["drive_nudge", "pattern_suggestion", "goal_alignment"]);
    const weights = { drive_nudge: 0.5, goal_alignment: 2 };
    expect(evaluateInitiative(text, { ...profile, weights }).map(({ type, confidence }) => [type, confidence])).toEqual(
      [
        ["goal_alignment", 1],
        ["pattern_suggestion", 0.9],
        ["drive_nudge", 0.5],
      ],
    );
  });
});

describe("isHeldOut()", () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => `01JDXW${String(index).padStart(10, "0")}`);

  it.each([0, 0.05, 0.5, 1])("holds out a share of %d", (share) => {
    const held = ids.filter((id) => isHeldOut(id, share)).length / ids.length;
    expect(Math.abs(held - share)).toBeLessThan(0.01);
  });
});
