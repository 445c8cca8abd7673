import { describe, expect, it } from "vitest";
import type { Embedder } from "../../../src/memory/embedder.ts";
import { MAX_TEXT_CHARS, embedTexts, embeddable, textsPerCall } from "../../../src/memory/semantic/embed-texts.ts";

function embedderOf(answer: (values: readonly string[]) => number[][], most?: Embedder["maxEmbeddingsPerCall"]) {
  const calls: (readonly string[])[] = [];
  const embedder: Embedder = {
    provider: "test",
    modelId: "scripted",
    maxEmbeddingsPerCall: most,
    async doEmbed({ values }) {
      calls.push(values);
      return { embeddings: answer(values) };
    },
  };
  return { embedder, calls };
}

describe("embedTexts()", () => {
  it("gives vectors of length 1 in the order of the texts, in as many calls as needed", async () => {
    const { embedder, calls } = embedderOf((values) => values.map((value) => [Number(value), 0]), Promise.resolve(2));
    const vectors = await embedTexts(embedder, ["3", "-5", "0"]);
    expect(vectors.map((vector) => [...vector])).toEqual([
      [1, 0],
      [-1, 0],
      [0, 0],
    ]);
    expect(calls).toEqual([["3", "-5"], ["0"]]);
  });

  it.each([
    { title: "too few embeddings", answer: () => [[1]] },
    { title: "what is no number", answer: () => [[1], [Number.NaN]] },
    { title: "an empty embedding", answer: () => [[1], []] },
    { title: "embeddings of two sizes", answer: () => [[1], [1, 2]] },
  ])("refuses $title, naming the model", async ({ answer }) => {
    const { embedder } = embedderOf(answer);
    await expect(embedTexts(embedder, ["a", "b"])).rejects.toThrow("test/scripted");
  });

  it.each([
    { most: undefined, expected: 256 },
    { most: Infinity, expected: 256 },
    { most: 96, expected: 96 },
    { most: 0, expected: 1 },
    { most: Promise.resolve(7), expected: 7 },
  ])("takes $expected texts in one call where the model says $most", async ({ most, expected }) => {
    expect(await textsPerCall(embedderOf(() => [], most).embedder)).toBe(expected);
  });

  it("embeds the beginning of a long text, and never half a character", () => {
    expect(embeddable("  short \n")).toBe("short");
    expect(embeddable("x".repeat(5000))).toHaveLength(MAX_TEXT_CHARS);
    expect(embeddable(`x${"😀".repeat(5000)}`).isWellFormed()).toBe(true);
    expect(embeddable(" \n ")).toBe("");
  });
});
