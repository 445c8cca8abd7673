import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type StoredVector,
  decodeSegment,
  encodeSegment,
  hashText,
  quantise,
} from "../../../src/memory/semantic/vector-segment.ts";
import { anyCharacter } from "../../support/any-character.ts";

const DIMENSIONS = 7;

function vector(id: string, values: readonly number[]): StoredVector {
  return {
    id,
    createdAtMs: 1_700_000_000_123,
    type: "note",
    textHash: hashText(id),
    ...quantise(Float32Array.from(values)),
  };
}

describe("a segment of vectors", () => {
  it("is read as it was written", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.string({ unit: anyCharacter }),
            fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: DIMENSIONS, maxLength: DIMENSIONS }),
          ),
          { maxLength: 20 },
        ),
        (pairs) => {
          const vectors = pairs.map(([id, values]) => vector(id.toWellFormed(), values));
          expect(decodeSegment(encodeSegment(vectors, DIMENSIONS), DIMENSIONS)).toEqual(vectors);
        },
      ),
    );
  });

  it("is read from the middle of a larger buffer", () => {
    const vectors = [vector("a", [1, 0, 0, 0, 0, 0, 0]), vector("电影", [0.5, -0.5, 0, 0, 0, 0, 0.1])];
    const bytes = encodeSegment(vectors, DIMENSIONS);
    const larger = new Uint8Array(bytes.length + 9);
    larger.set(bytes, 5);
    expect(decodeSegment(larger.subarray(5, 5 + bytes.length), DIMENSIONS)).toEqual(vectors);
  });

  it("is refused when bytes are missing, added or others, or of another size", () => {
    const bytes = encodeSegment([vector("a", [1, 0, 0, 0, 0, 0, 0])], DIMENSIONS);
    expect(decodeSegment(bytes.subarray(0, bytes.length - 1), DIMENSIONS)).toBeUndefined();
    expect(decodeSegment(Uint8Array.from([...bytes, 0]), DIMENSIONS)).toBeUndefined();
    expect(decodeSegment(new Uint8Array(3), DIMENSIONS)).toBeUndefined();
    expect(decodeSegment(bytes, DIMENSIONS + 1)).toBeUndefined();
    const other = bytes.slice();
    other[0] = 0;
    expect(decodeSegment(other, DIMENSIONS)).toBeUndefined();
    const broken = bytes.slice();
    broken[16] = 0x7b;
    expect(decodeSegment(broken, DIMENSIONS)).toBeUndefined();
  });

  it("keeps a number to within half a step of the largest", () => {
    fc.assert(
      fc.property(fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 50 }), (values) => {
        const { scale, values: kept } = quantise(Float32Array.from(values));
        const most = Math.max(...values.map(Math.abs));
        for (const [at, value] of values.entries())
          expect(Math.abs((kept[at] ?? 0) * scale - value)).toBeLessThanOrEqual(most / 253 + 1e-40);
      }),
    );
  });

  it.each([
    { text: "", hash: 0x811c9dc5 },
    { text: "a", hash: 0xe40c292c },
    { text: "foobar", hash: 0xbf9cf968 },
  ])("hashes $text as FNV-1a does", ({ text, hash }) => {
    expect(hashText(text)).toBe(hash);
  });
});
