import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RecalledMemory, diversify } from "../../../src/memory/index.ts";
import { diverse } from "../../../src/proactive/memory/diverse.ts";

describe("diverse()", () => {
  it("chooses from all that was found, though it does not look at what cannot win", () => {
    const word = fc.constantFrom(..."tea shop green uji kettle blue best near old new".split(" "));
    const memory = fc.record({
      words: fc.array(word, { minLength: 1, maxLength: 6 }),
      score: fc.double({ min: 0, max: 40, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(memory, { maxLength: 30 }), fc.integer({ min: 1, max: 6 }), (list, limit) => {
        const found = list
          .toSorted((a, b) => b.score - a.score)
          .map(({ words, score }, index): RecalledMemory => {
            const at = new Date(0);
            const entry = {
              id: `${index}`,
              userId: "u",
              content: words.join(" "),
              keywords: [],
              slots: {},
              createdAt: at,
              updatedAt: at,
            };
            return { entry, score, signals: {}, layer: "entry" };
          });
        expect(diverse(found, limit)).toEqual(diversify(found, { limit, textOf: ({ entry }) => entry.content }));
      }),
    );
  });
});
