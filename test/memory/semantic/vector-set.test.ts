import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createVectorSet } from "../../../src/memory/semantic/vector-set.ts";
import { stored } from "./stored.ts";

describe("createVectorSet()", () => {
  it("finds the most similar first", () => {
    const set = createVectorSet(2);
    set.add(stored("east", [1, 0]));
    set.add(stored("north", [0, 1]));
    set.add(stored("north-east", [Math.SQRT1_2, Math.SQRT1_2]));
    const found = set.nearest(Float32Array.of(1, 0), { limit: 2 });
    expect(found.map(({ id }) => id)).toEqual(["east", "north-east"]);
    expect(found[1]?.score).toBeCloseTo(Math.SQRT1_2, 2);
    expect(set.between("east", "north-east")).toBeCloseTo(Math.SQRT1_2, 2);
    expect(set.similarity(Float32Array.of(0, 1), "north")).toBeCloseTo(1, 2);
  });

  it.each([
    { title: "a time", options: { sinceMs: 5 }, found: "b c" },
    { title: "types", options: { withoutTypes: ["x"] }, found: "b" },
    { title: "ids", options: { ids: ["c", "unknown", "c"] }, found: "c" },
    { title: "a least similarity", options: { atLeast: 0.5 }, found: "a" },
    { title: "a limit", options: { limit: 1 }, found: "a" },
  ])("narrows by $title", ({ options, found }) => {
    const set = createVectorSet(2);
    set.add(stored("a", [1, 0], { createdAtMs: 1, type: "x" }));
    set.add(stored("b", [0.3, 1], { createdAtMs: 5 }));
    set.add(stored("c", [0, 1], { createdAtMs: 9, type: "x" }));
    const ids = set.nearest(Float32Array.of(1, 0), { limit: 5, ...options }).map(({ id }) => id);
    expect(ids.sort().join(" ")).toBe(found);
  });

  it("finds nothing for a vector of another size, and takes none", () => {
    const set = createVectorSet(2);
    set.add(stored("a", [1, 0]));
    expect(set.nearest(Float32Array.of(1, 0, 0), { limit: 5 })).toEqual([]);
    expect(set.similarity(Float32Array.of(1), "a")).toBeUndefined();
    expect(() => set.add(stored("b", [1, 0, 0]))).toThrow(RangeError);
  });

  it("gives the newest first", () => {
    const set = createVectorSet(1);
    for (const [id, createdAtMs] of [
      ["a", 3],
      ["b", 9],
      ["c", 5],
    ] as const)
      set.add(stored(id, [1], { createdAtMs }));
    expect(set.newest(2)).toEqual(["b", "c"]);
  });

  it("holds what was added last and not removed, in whatever order that happened", () => {
    const change = fc.record({
      id: fc.constantFrom("a", "b", "c", "d"),
      value: fc.option(fc.integer({ min: -9, max: 9 })),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const set = createVectorSet(2);
        const expected = new Map<string, number>();
        for (const { id, value } of changes) {
          if (value === null) expect(set.remove(id)).toBe(expected.delete(id));
          else {
            set.add(stored(id, [value, 1]));
            expected.set(id, value);
          }
        }
        expect(new Set(set.ids())).toEqual(new Set(expected.keys()));
        expect(set.size).toBe(expected.size);
        for (const [id, value] of expected) expect(set.similarity(Float32Array.of(1, 0), id)).toBeCloseTo(value, 0);
      }),
    );
  });
});
