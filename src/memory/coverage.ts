import { tokensOf } from "./keyword/tokens.ts";

/** How much of what is asked for a text has: shares of 0 to 1, in which words that few lines have count more. */
export interface Asked {
  readonly size: number;
  /** @returns The share, and how many of the asked words are there. */
  of(tokens: ReadonlySet<string>): { readonly share: number; readonly words: number };
}

/** How many lines of a person have a word. */
export type LineCounts = ReadonlyMap<string, number>;

/** As if there were so many lines more without any of the words: with a handful of lines, none of their words is common yet. */
const IMAGINED_LINES = 50;
const UNSPACED = /^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]$/u;

export function askedFor(text: string, keywords: readonly string[], counts: LineCounts, lines: number): Asked {
  const weights = new Map<string, number>();
  let whole = 0;
  const all = new Set([text, ...keywords].flatMap((part) => tokensOf(part)));
  const pairs = [...all].filter((token) => token.length === 2).join("\n");
  for (const token of all) {
    // A character of a pair says what the pair says.
    if (UNSPACED.test(token) && pairs.includes(token)) continue;
    const count = counts.get(token) ?? 0;
    const weight = Math.log(1 + (lines + IMAGINED_LINES - count + 0.5) / (count + 0.5));
    weights.set(token, weight);
    whole += weight;
  }
  return {
    size: weights.size,
    of(tokens) {
      let share = 0;
      let words = 0;
      for (const [token, weight] of weights) {
        if (!tokens.has(token)) continue;
        share += weight;
        words++;
      }
      return { share: whole === 0 ? 0 : share / whole, words };
    },
  };
}
