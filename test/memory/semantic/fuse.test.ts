import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fuse, type FusionOptions } from "../../../src/memory/semantic/fuse.ts";

const hits = (...pairs: readonly (readonly [string, number])[]) => pairs.map(([id, score]) => ({ id, score }));
const ids = (fused: readonly { readonly id: string }[]) => fused.map(({ id }) => id).join(" ");

describe("fuse()", () => {
  it.each([
    { title: "gives nothing for nothing", keyword: hits(), vector: hits(), options: {}, order: "" },
    {
      title: "keeps the keyword order where there is no other",
      keyword: hits(["a", 9], ["b", 5], ["c", 1]),
      vector: hits(),
      options: {},
      order: "a b c",
    },
    {
      title: "keeps the semantic order where there is no other",
      keyword: hits(),
      vector: hits(["a", 0.9], ["b", 0.5], ["c", 0.1]),
      options: {},
      order: "a b c",
    },
    {
      title: "lifts what both sides found",
      keyword: hits(["a", 10], ["b", 9], ["c", 8]),
      vector: hits(["c", 0.9], ["d", 0.5], ["e", 0.1]),
      options: {},
      order: "c a b d e",
    },
    {
      title: "does not let the semantic side alone outrank a good keyword hit",
      keyword: hits(["a", 10], ["b", 4]),
      vector: hits(["x", 0.99], ["y", 0.2]),
      options: {},
      order: "a b x y",
    },
    {
      title: "lets the semantic side outrank a weak keyword hit",
      keyword: hits(["a", 10], ["b", 1]),
      vector: hits(["x", 0.99], ["y", 0.2]),
      options: {},
      order: "a x b y",
    },
    {
      title: "ignores the semantic side at alpha 0",
      keyword: hits(["a", 10], ["b", 9]),
      vector: hits(["b", 0.9], ["x", 0.8]),
      options: { alpha: 0 },
      order: "a b x",
    },
    {
      title: "treats equal scores as equally good",
      keyword: hits(["a", 3], ["b", 3]),
      vector: hits(["b", 0.5], ["c", 0.5]),
      options: {},
      order: "b a c",
    },
    {
      title: "takes what is no number for the least",
      keyword: hits(["a", Number.NaN], ["b", 2], ["c", 1]),
      vector: hits(["a", 0.2], ["c", Number.NaN]),
      options: {},
      order: "b c a",
    },
    {
      title: "counts the best of several hits with one id",
      keyword: hits(["a", 1], ["b", 5], ["a", 9]),
      vector: hits(),
      options: {},
      order: "a b",
    },
    {
      title: "adds reciprocal ranks, the semantic one weighted by alpha",
      keyword: hits(["a", 10], ["b", 9]),
      vector: hits(["b", 0.9], ["x", 0.8], ["a", 0.1]),
      options: { method: "rrf" },
      order: "b a x",
    },
    {
      title: "is the keyword order with reciprocal ranks at alpha 0",
      keyword: hits(["a", 10], ["b", 9]),
      vector: hits(["b", 0.9], ["x", 0.8]),
      options: { method: "rrf", alpha: 0 },
      order: "a b x",
    },
    {
      title: "is the semantic order with reciprocal ranks at alpha 1",
      keyword: hits(["a", 10], ["b", 9]),
      vector: hits(["b", 0.9], ["x", 0.8]),
      options: { method: "rrf", alpha: 1 },
      order: "b x a",
    },
    {
      title: "gives at most as many as the limit",
      keyword: hits(["a", 10], ["b", 9], ["c", 8]),
      vector: hits(["x", 0.9]),
      options: { limit: 2 },
      order: "a b",
    },
  ] satisfies readonly {
    title: string;
    keyword: ReturnType<typeof hits>;
    vector: ReturnType<typeof hits>;
    options: FusionOptions;
    order: string;
  }[])("$title", ({ keyword, vector, options, order }) => {
    expect(ids(fuse(keyword, vector, options))).toBe(order);
  });

  it("reckons as documented: scores between least and greatest, 1 to alpha", () => {
    const fused = fuse(hits(["a", 10], ["b", 5]), hits(["b", 0.9], ["c", 0.5], ["d", 0.1]), { alpha: 0.4 });
    expect(fused.map(({ id, score }) => [id, Number(score.toFixed(6))])).toEqual([
      ["a", 1],
      ["b", 0.9],
      ["c", 0.2],
      ["d", 0],
    ]);
  });

  it("reckons as documented: reciprocal ranks", () => {
    const fused = fuse(hits(["a", 10], ["b", 5]), hits(["b", 0.9]), { method: "rrf", alpha: 0.6, k: 60 });
    expect(fused.map(({ id, score }) => [id, score])).toEqual([
      ["b", 0.4 / 62 + 0.6 / 61],
      ["a", 0.4 / 61],
    ]);
  });

  it("keeps what each side said of a hit, and the hit's other fields", () => {
    const keyword = [{ id: "a", score: 7, signals: { keyword: 6.5, proximity: 0.5 }, note: "both" }];
    const vector = [
      { id: "a", score: 0.8, signals: { keyword: 0, proximity: 0 }, note: "vector" },
      { id: "b", score: 0.4, signals: undefined, note: "vector" },
    ];
    expect(fuse<(typeof keyword)[number] | (typeof vector)[number]>(keyword, vector)).toMatchObject([
      { id: "a", note: "both", signals: { keyword: 6.5, proximity: 0.5, semantic: 0.8 } },
      { id: "b", note: "vector", signals: { semantic: 0.4 } },
    ]);
  });

  it.each([{ alpha: -1 }, { alpha: Number.NaN }, { method: "rrf" as const, alpha: 1.5 }, { k: -1 }, { limit: -1 }])(
    "refuses %o",
    (options) => {
      expect(() => fuse([], [], options)).toThrow(RangeError);
    },
  );

  const someHits = fc.uniqueArray(
    fc.record({
      id: fc.stringMatching(/^[a-z]{1,2}$/),
      score: fc.oneof(
        fc.integer({ min: 0, max: 5 }),
        fc.double({ min: 0, max: 50, noNaN: true }),
        fc.constant(Number.NaN),
      ),
    }),
    { selector: ({ id }) => id, maxLength: 30 },
  );
  const someOptions = fc.oneof(
    fc.record({ method: fc.constant("scores" as const), alpha: fc.double({ min: 0, max: 2, noNaN: true }) }),
    fc.record({
      method: fc.constant("rrf" as const),
      alpha: fc.double({ min: 0, max: 1, noNaN: true }),
      k: fc.integer({ min: 0, max: 100 }),
    }),
  );

  it("gives each hit once, best first, whatever order they came in", () => {
    fc.assert(
      fc.property(someHits, someHits, someOptions, (keyword, vector, options) => {
        const fused = fuse(keyword, vector, options);
        expect(new Set(fused.map(({ id }) => id))).toEqual(new Set([...keyword, ...vector].map(({ id }) => id)));
        expect(fused.length).toBe(new Set(fused.map(({ id }) => id)).size);
        for (const [place, hit] of fused.entries()) {
          expect(Number.isFinite(hit.score)).toBe(true);
          if (place > 0) expect(hit.score).toBeLessThanOrEqual(fused[place - 1]?.score ?? Number.NaN);
        }
        expect(fuse([...keyword].reverse(), [...vector].reverse(), options)).toEqual(fused);
      }),
    );
  });

  it("drops a keyword hit only for hits that are at least as good by the fused score", () => {
    fc.assert(
      fc.property(
        someHits,
        someHits,
        someOptions,
        fc.integer({ min: 0, max: 10 }),
        (keyword, vector, options, limit) => {
          const all = fuse(keyword, vector, options);
          const kept = fuse(keyword, vector, { ...options, limit });
          expect(kept).toEqual(all.slice(0, limit));
          const dropped = all.slice(limit).filter(({ id }) => keyword.some((hit) => hit.id === id));
          const least = kept.at(-1)?.score ?? Infinity;
          for (const hit of dropped) expect(hit.score).toBeLessThanOrEqual(least);
        },
      ),
    );
  });

  it("never moves a hit up that the semantic side did not find above one that keywords preferred and it did find", () => {
    fc.assert(
      fc.property(someHits, someHits, someOptions, (keyword, vector, options) => {
        const order = fuse(keyword, vector, options).map(({ id }) => id);
        const isFound = (id: string) => vector.some((hit) => hit.id === id);
        for (const better of keyword) {
          for (const worse of keyword) {
            if (better.score > worse.score && isFound(better.id) && !isFound(worse.id))
              expect(order.indexOf(better.id)).toBeLessThan(order.indexOf(worse.id));
          }
        }
      }),
    );
  });
});
