import { describe, expect, it } from "vitest";
import { diversify, wordsOf as wordsOfText } from "../../../src/memory/index.ts";

const hits = [
  { text: "Ann likes green tea in the morning", score: 10 },
  { text: "Ann likes green tea in the mornings", score: 9.9 },
  { text: "Ann moved to Lisbon", score: 8 },
  { text: "The bicycle is red", score: 1 },
];
const wordsOf = ({ text }: { readonly text: string }) => wordsOfText(text);

describe("diversify()", () => {
  it("passes over what was said already", () => {
    expect(diversify(hits, { limit: 2, wordsOf }).map(({ score }) => score)).toEqual([10, 8]);
  });

  it("goes by score alone at 1", () => {
    expect(diversify(hits, { limit: 2, wordsOf, lambda: 1 }).map(({ score }) => score)).toEqual([10, 9.9]);
  });

  it("chooses from the pool only, and gives all when there are few", () => {
    expect(diversify(hits, { limit: 2, wordsOf, pool: 2 }).map(({ score }) => score)).toEqual([10, 9.9]);
    expect(diversify(hits, { limit: 9, wordsOf })).toHaveLength(4);
    expect(diversify([], { limit: 3, wordsOf })).toEqual([]);
  });

  it("chooses as well behind leading hits that are not accepted", () => {
    const accepts = ({ score }: { readonly score: number }) => score < 9;
    expect(diversify(hits, { limit: 2, wordsOf, pool: 2, accepts }).map(({ score }) => score)).toEqual([8, 1]);
  });

  it("takes hits without any score", () => {
    expect(
      diversify(
        hits.map((hit) => ({ ...hit, score: 0 })),
        { limit: 2, wordsOf },
      ),
    ).toHaveLength(2);
  });
});
