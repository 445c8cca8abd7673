import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKeyWorth, findKey, placesOfKeys } from "../../../src/memory/keyword/key-table.ts";
import { createKnownWords } from "../../../src/memory/keyword/known-words.ts";
import { eachToken } from "../../../src/memory/keyword/tokens.ts";
import { runs } from "../../support/thorough.ts";

const key = fc.oneof(fc.maxSafeNat(), fc.nat({ max: 40 }));

describe("a table of keys", () => {
  it("finds each key where it stands, and no other", () => {
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 90 }), fc.array(key, { maxLength: 20 }), (keys, others) => {
        const list = Float64Array.from(keys);
        const places = placesOfKeys(list, list.length);
        for (const one of [...keys, ...others]) expect(findKey(places, list, one)).toBe(keys.indexOf(one));
      }),
      { numRuns: runs(100) },
    );
  });

  it("keeps the greatest worth of each key, use after use, whatever their number", () => {
    const table = createKeyWorth();
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 200 }), (pairs) => {
        table.clear();
        const expected = new Map<number, number>();
        for (const [one, worth] of pairs) {
          table.raise(one, worth);
          expected.set(one, Math.max(expected.get(one) ?? worth, worth));
        }
        expect(table.count).toBe(expected.size);
        for (const [one, worth] of expected) expect(table.worth[table.placeOf(one)]).toBe(worth);
        expect(table.placeOf(-1)).toBe(-1);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe("known words", () => {
  const text = fc
    .array(fc.constantFrom(..."a b z 0 9 ' - . x y".split(" "), " ", "'"), { maxLength: 60 })
    .map((signs) => signs.join(""));
  const tokensBy = (normalised: string, known?: ReturnType<typeof createKnownWords>) => {
    const tokens: string[] = [];
    eachToken(normalised, (token) => tokens.push(token), known);
    return tokens;
  };

  it("are those of the expression that says what a word is", () => {
    fc.assert(
      fc.property(text, (normalised) => {
        const words = normalised.match(/[a-z0-9]+(?:'[a-z]+)*/g) ?? [];
        expect(tokensBy(normalised)).toEqual(words.flatMap((word) => tokensBy(word)));
        // A sign of another script has the text read by expressions throughout.
        expect(tokensBy(normalised)).toEqual(tokensBy(`${normalised} \u2026`));
      }),
      { numRuns: runs(300) },
    );
  });

  it("become the same however many were known before", () => {
    const known = createKnownWords(70);
    for (let at = 0; at < 400; at += 1) {
      const normalised = `painted${at} painting walked ${at} went`;
      expect(tokensBy(normalised, known)).toEqual(tokensBy(normalised));
    }
  });
});
