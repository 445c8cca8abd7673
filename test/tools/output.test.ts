import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOutputKeeper } from "../../src/tools/index.ts";
import { anyCharacter } from "../support/any-character.ts";

const keptOf = (pieces: readonly (string | Uint8Array)[], maxBytes: number) => {
  const keeper = createOutputKeeper(maxBytes);
  for (const piece of pieces) keeper.add(typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
  return { text: keeper.text(), truncated: keeper.truncated, totalBytes: keeper.totalBytes };
};

describe("createOutputKeeper()", () => {
  it.each([
    { pieces: [], maxBytes: 10, text: "" },
    { pieces: ["hello"], maxBytes: 10, text: "hello" },
    { pieces: ["0123456789"], maxBytes: 10, text: "0123456789" },
    { pieces: ["01234", "56789", "a"], maxBytes: 10, text: "01234\n[… 1 bytes left out …]\n6789a" },
    { pieces: ["ä".repeat(6)], maxBytes: 6, text: "ä\n[… 8 bytes left out …]\nä" },
    { pieces: ["你好你好"], maxBytes: 8, text: "你\n[… 6 bytes left out …]\n好" },
    { pieces: ["abc"], maxBytes: 1, text: "a\n[… 2 bytes left out …]\n" },
  ])("keeps $maxBytes bytes of $pieces", ({ pieces, maxBytes, text }) => {
    expect(keptOf(pieces, maxBytes).text).toBe(text);
  });

  it("gives back what fits exactly, however it was cut into pieces", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(10), (text, at) => {
        const bytes = new TextEncoder().encode(text);
        const pieces = [bytes.subarray(0, at), bytes.subarray(at)];
        expect(keptOf(pieces, Math.max(1, bytes.byteLength))).toEqual({
          text,
          truncated: false,
          totalBytes: bytes.byteLength,
        });
      }),
    );
  });

  it("never keeps more than it may, breaks no character and counts all", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter })), fc.integer({ min: 1, max: 60 }), (pieces, maxBytes) => {
        const { text, truncated, totalBytes } = keptOf(pieces, maxBytes);
        const whole = pieces.map((piece) => new TextDecoder().decode(new TextEncoder().encode(piece))).join("");
        expect(totalBytes).toBe(new TextEncoder().encode(whole).byteLength);
        expect(truncated).toBe(totalBytes > maxBytes);
        if (!truncated) return;
        const [, head = "", left = "", tail = ""] = /^(.*?)\n\[… (\d+) bytes left out …\]\n(.*)$/su.exec(text) ?? [];
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        const kept = new TextEncoder().encode(head + tail).byteLength;
        expect(kept).toBeLessThanOrEqual(maxBytes);
        expect(kept + Number(left)).toBe(totalBytes);
      }),
    );
  });

  it("keeps its memory small over many small pieces", () => {
    const keeper = createOutputKeeper(100);
    const piece = new TextEncoder().encode("0123456789");
    for (let index = 0; index < 50_000; index++) keeper.add(piece);
    expect(keeper.totalBytes).toBe(500_000);
    expect(keeper.text()).toBe(`${"0123456789".repeat(5)}\n[… 499900 bytes left out …]\n${"0123456789".repeat(5)}`);
  });
});
