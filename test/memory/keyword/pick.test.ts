import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filterOf, pick, pickNewest, pickRaised } from "../../../src/memory/keyword/pick.ts";
import { type Pool, createPool } from "../../../src/memory/keyword/pool.ts";
import { type Shelf, shelve } from "../../../src/memory/keyword/shelf.ts";
import { createTail } from "../../../src/memory/keyword/tail.ts";
import { createKnownWords } from "../../../src/memory/keyword/known-words.ts";
import { runs } from "../../support/thorough.ts";
import { entry } from "./documents.ts";

interface Scored {
  /** 0: it has no word of the query. */
  readonly score: number;
  readonly fed: number;
  readonly minute: number;
  readonly isLeftOut: boolean;
}

function shelfOf(documents: readonly Scored[], name: string): Shelf {
  const tail = createTail(Math.max(1, documents.length), createKnownWords());
  documents.forEach(({ minute, isLeftOut }, at) =>
    tail.add(entry(`${name}${at}`, "tea", { createdAtMs: minute, type: isLeftOut ? "trace" : "note" })),
  );
  const shelf = shelve(tail.part, name);
  documents.forEach(({ score, fed }, at) => {
    if (score === 0) return;
    shelf.scores[at] = score;
    shelf.touched[shelf.touchedCount++] = at;
    shelf.fed[at] = fed;
    if (fed > 0) shelf.raised[shelf.raisedCount++] = at;
  });
  return shelf;
}

const namesIn = (shelves: readonly Shelf[], { count, shelfOf, documents }: Pool) =>
  Array.from({ length: count }, (_, at) => shelves[shelfOf[at]!]!.part.document(documents[at]!).id);

/** By the book: all of them in their order. */
function byTheBook(shelves: readonly Shelf[], most: number, scoreOf: (shelf: Shelf, at: number) => number) {
  const all = shelves.flatMap((shelf) =>
    Array.from({ length: shelf.part.count }, (_, at) => ({
      document: shelf.part.document(at),
      key: shelf.part.ids[at]!,
      score: scoreOf(shelf, at),
    })),
  );
  return all
    .filter(({ score, document }) => !Number.isNaN(score) && document.type !== "trace")
    .sort((a, b) => b.score - a.score || b.document.createdAtMs - a.document.createdAtMs || a.key - b.key)
    .slice(0, most)
    .map(({ document }) => document.id);
}

describe("the best documents", () => {
  const scored = fc.record({
    score: fc.integer({ min: 0, max: 4 }),
    fed: fc.constantFrom(0, 0, 0.5, 1),
    minute: fc.integer({ min: 0, max: 3 }),
    isLeftOut: fc.boolean(),
  });
  const asked = (shelf: Shelf, at: number) => (shelf.scores[at] === 0 ? NaN : shelf.scores[at]!);

  it("are the same as of all in their order, before feedback and after it, whoever is asked about each", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(scored, { maxLength: 30 }), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        (parts, most, isAsked) => {
          const shelves = parts.map((documents, at) => shelfOf(documents, `abc`.charAt(at)));
          const filter = filterOf({
            ...{ text: "", nowMs: 0, limit: most, withoutTypes: isAsked ? [] : ["trace"] },
            ...(isAsked && { accepts: ({ type }) => type !== "trace" }),
          });
          const first = createPool();
          pick(first, { shelves, most, filter });
          expect(namesIn(shelves, first)).toEqual(byTheBook(shelves, most, asked));
          const raised = createPool();
          pickRaised(raised, first, { shelves, most, filter });
          const after = (shelf: Shelf, at: number) => asked(shelf, at) + shelf.fed[at]!;
          expect(namesIn(shelves, raised)).toEqual(byTheBook(shelves, most, after));
          pickNewest(raised, { shelves, most, filter });
          expect(namesIn(shelves, raised)).toEqual(byTheBook(shelves, most, () => 0));
        },
      ),
      { numRuns: runs(150) },
    );
  });
});
