import { describe, expect, it } from "vitest";
import { type FoundMemory, type MemorySignals, gate } from "../../../src/memory/index.ts";
import { type LabelledPerson, evaluateGate } from "./evaluate.ts";
import reported from "./reported.json" with { type: "json" };

/** Of people and messages that nobody tuned on, a little below what was seen: docs/recall-unasked.md. */
const FLOORS = [
  { language: "en", disturbed: 0.1, evidence: 0.98 },
  { language: "zh", disturbed: 0.1, evidence: 0.94 },
];

function found(signals: MemorySignals, score = 1): FoundMemory {
  const at = new Date(0);
  return {
    entry: { id: String(score), userId: "@a", content: "x", keywords: [], slots: {}, createdAt: at, updatedAt: at },
    score,
    signals,
    layer: "entry",
  };
}

describe("gate()", () => {
  const ONE_OF_FOUR = { telling: 1, coverage: 0.25 };
  it.each([
    ["what somebody says of their own", "my boiler leaks again, what now", { telling: 1, coverage: 0.1 }, true],
    ["the same that shares an everyday word", "my boiler leaks again, what now", { telling: 0.35, coverage: 1 }, false],
    ["a question in everyday words alone", "where do I live?", { telling: 0.3, coverage: 1 }, true],
    ["one that shares a part of them", "where do I live?", { telling: 0.3, coverage: 0.8 }, false],
    ["a request with a telling word", "write to the landlord", ONE_OF_FOUR, true],
    ["a request without", "write a summary", { telling: 0.35, coverage: 1 }, false],
    ["a question about little else", "what is Marcus like", { telling: 1, coverage: 0.5 }, true],
    ["a question about much else", "what is Marcus like", ONE_OF_FOUR, false],
    ["a question about a day", "what day does Marcus leave", ONE_OF_FOUR, true],
    ["a question about the world", "what is the population of Oslo", { telling: 1, coverage: 0.5 }, false],
    ["one that shares most of it", "what is the population of Oslo", { telling: 2, coverage: 0.9 }, true],
    ["a meaning near by", "which doctor did I see", { telling: 0, coverage: 0, deviations: 4 }, true],
    ["a meaning not near enough", "which doctor did I see", { telling: 0, coverage: 0, deviations: 3.9 }, false],
    ["a memory whose signals are not told", "my boiler leaks", {}, false],
  ] as const)("for %s", (_, message, signals, opens) => {
    const { hits, closed } = gate([found(signals)], message);
    expect(hits).toHaveLength(opens ? 1 : 0);
    expect(closed === undefined).toBe(opens);
  });

  it("says why it is closed", () => {
    expect(gate([found({ telling: 0.35, coverage: 0.123 })], "thanks").closed).toBe(
      "no memory shares enough of the message's distinctive words: at most 0.3 words and 12% of them",
    );
    expect(gate([], "thanks")).toEqual({ hits: [] });
  });

  it("lets what is near the best pass with it, and what shares a telling word", () => {
    const best = found({ telling: 1, coverage: 0.8 }, 10);
    const near = found({ telling: 0, coverage: 0 }, 2);
    const far = found({ telling: 0.3, coverage: 0.1 }, 0.4);
    const telling = found({ telling: 0.6, coverage: 0.1 }, 0.3);
    expect(gate([best, near, far, telling], "my boiler").hits).toEqual([best, near, telling]);
  });

  it.each(FLOORS)("is right about $language messages it was not tuned on", ({ language, disturbed, evidence }) => {
    const people = (reported.people as readonly LabelledPerson[]).filter((one) => one.language === language);
    const seen = evaluateGate(people);
    expect(seen.unrelated).toBeGreaterThanOrEqual(40);
    expect(seen.disturbed / seen.unrelated).toBeLessThanOrEqual(disturbed);
    expect(seen.evidence / seen.evidenceUngated).toBeGreaterThanOrEqual(evidence);
  });
});
