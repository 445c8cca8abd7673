import { array, assert, constantFrom, integer, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeOrderedKey, encodeOrderedKey, orderedKeyRange } from "../../src/store/index.ts";

const units = array(
  constantFrom(0, 1, 2, 0x41, 0x7f, 0x4f60, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff).map((code) =>
    String.fromCharCode(code),
  ),
);
const key = units.map((list) => list.join(""));

function compareBytes(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => new TextEncoder().encode(text)) as [Uint8Array, Uint8Array];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(left.length - right.length);
}

describe("encodeOrderedKey()", () => {
  it("leaves ordinary keys as they are", () => {
    expect(encodeOrderedKey("sessions/agent:main/你好/log.jsonl")).toBe("sessions/agent:main/你好/log.jsonl");
  });

  it("is undone by decodeOrderedKey, also after a trip through UTF-8", () => {
    assert(
      property(key, (text) => {
        const bytes = new TextEncoder().encode(encodeOrderedKey(text));
        expect(decodeOrderedKey(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes))).toBe(text);
      }),
    );
  });

  it("sorts by bytes as the keys sort by code units", () => {
    assert(
      property(key, key, (a, b) => {
        expect(compareBytes(encodeOrderedKey(a), encodeOrderedKey(b))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });
});

describe("orderedKeyRange()", () => {
  it("covers exactly the keys that start with the prefix and come after the key given", () => {
    assert(
      property(key, key, string({ maxLength: 2 }), integer({ min: 0, max: 1 }), (prefix, other, after, withAfter) => {
        const { start, exclusive, end } = orderedKeyRange(prefix, withAfter === 1 ? after : undefined);
        for (const candidate of [other, prefix + other]) {
          const encoded = encodeOrderedKey(candidate);
          const inRange = compareBytes(encoded, start) > (exclusive ? 0 : -1) && compareBytes(encoded, end) < 0;
          expect(inRange).toBe(candidate.startsWith(prefix) && (withAfter === 0 || candidate > after));
        }
      }),
    );
  });
});
