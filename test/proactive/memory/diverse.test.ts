import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RecalledMemory, tokensOf } from "../../../src/memory/index.ts";
import { diverse } from "../../../src/proactive/memory/diverse.ts";

/** By the book: each time, of all that are left, what fits most and is least like what was chosen. */
function byTheBook(found: readonly RecalledMemory[], limit: number): readonly string[] {
  const top = found[0]?.score || 1;
  const left = [...found];
  const chosen: RecalledMemory[] = [];
  while (chosen.length < limit && left.length > 0) {
    const worth = left.map(({ score, entry }) => {
      const overlaps = chosen.map((other) => overlap(entry.content, other.entry.content));
      return 0.8 * (score / top) - (1 - 0.8) * Math.max(0, ...overlaps);
    });
    chosen.push(...left.splice(worth.indexOf(Math.max(...worth)), 1));
  }
  return chosen.map(({ entry }) => entry.id);
}

function overlap(one: string, other: string): number {
  const [a, b] = [new Set(tokensOf(one)), new Set(tokensOf(other))];
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}

describe("diverse()", () => {
  it("chooses from all that was found, though it does not look at what cannot win", () => {
    const word = fc.constantFrom(..."tea shop green uji kettle blue best near old new".split(" "));
    const memory = fc.record({
      words: fc.array(word, { minLength: 1, maxLength: 6 }),
      score: fc.integer({ min: 1, max: 4000 }),
    });
    fc.assert(
      fc.property(
        fc.array(memory, { maxLength: 30 }),
        fc.integer({ min: 1, max: 6 }),
        fc.array(fc.boolean(), { maxLength: 30 }),
        (list, limit, shown) => {
          const found = list
            .toSorted((a, b) => b.score - a.score)
            .map(({ words, score }, index): RecalledMemory => {
              const at = new Date(0);
              const content = words.join(" ");
              const entry = {
                id: `${index}`,
                userId: "u",
                content,
                keywords: [],
                slots: {},
                createdAt: at,
                updatedAt: at,
              };
              return { entry, score, signals: {}, layer: "entry" };
            });
          const isNew = ({ entry }: RecalledMemory) => shown[Number(entry.id)] !== true;
          const chosen = diverse(found, { limit, isNew });
          expect(chosen.map(({ entry }) => entry.id)).toEqual(byTheBook(found.filter(isNew), limit));
        },
      ),
    );
  });
});
