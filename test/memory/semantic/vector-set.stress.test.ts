import { describe, expect, it } from "vitest";
import { createVectorSet } from "../../../src/memory/semantic/vector-set.ts";
import { stored } from "./stored.ts";

describe("createVectorSet()", () => {
  it("gives the same similarities when it holds too much to keep its numbers wide", () => {
    const dimensions = 4096;
    const set = createVectorSet(dimensions);
    const kinds = [0, 1, 2, 3, 4, 5, 6].map((kind) =>
      Float32Array.from({ length: dimensions }, (_, place) => (place % 7 === kind ? 0.04 : 0)),
    );
    const one = (at: number) => kinds[at % 7] ?? new Float32Array(dimensions);
    for (let at = 0; at < 500; at++) set.add(stored(`v${at}`, one(at)));
    const before = set.similarity(one(3), "v3");
    for (let at = 500; at < 1100; at++) set.add(stored(`v${at}`, one(at)));
    expect(set.bytes).toBeLessThan(8_000_000);
    expect(set.similarity(one(3), "v3")).toBeCloseTo(before ?? 0, 4);
    expect(set.similarity(one(3), "v1004")).toBeCloseTo(set.similarity(one(3), "v3") ?? 1, 4);
    expect(set.similarity(one(3), "v4")).toBeCloseTo(0, 5);
  });
});
