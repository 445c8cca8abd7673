import QuickLRU from "quick-lru";
import { SAYS_LITTLE } from "./keyword/stop-words.ts";
import { createKnownWords } from "./keyword/known-words.ts";
import { eachToken, normalise } from "./keyword/tokens.ts";

/** The tokens of texts, each once. */
export type TokensIn = (...texts: readonly string[]) => ReadonlySet<string>;

/** So many words are known by their token before it is begun anew. */
const MAX_KNOWN = 20_000;
/** Texts of which the tokens are kept, at least, and the most characters of one. */
const MAX_TEXTS = 512;
const MAX_TEXT_CHARS = 1000;

/** Remembers the tokens of words, since stemming is most of the work and the same words come again, and of texts, since what was recalled is again. */
export function createTokensIn(): TokensIn {
  const known = createKnownWords(MAX_KNOWN);
  const whole = new QuickLRU<string, ReadonlySet<string>>({ maxSize: MAX_TEXTS });
  return (...texts) => {
    const [first = ""] = texts;
    const isKept = texts.length === 1 && first.length <= MAX_TEXT_CHARS;
    const found = isKept ? whole.get(first) : undefined;
    if (found) return found;
    const tokens = new Set<string>();
    for (const text of texts) eachToken(normalise(text), (token) => tokens.add(token), known);
    if (isKept) whole.set(first, tokens);
    return tokens;
  };
}

/** The words that are asked for, and how much each counts: words that few lines have count more. */
export interface Asked {
  readonly weights: ReadonlyMap<string, number>;
  readonly whole: number;
}

/** How much of what is asked for a text has. */
export interface Covered {
  /** 0 to 1. */
  readonly share: number;
  /** How many of the words. */
  readonly words: number;
}

/** As if there were so many lines more without any of the words: with a handful of lines, none of their words is common yet. */
const IMAGINED_LINES = 50;
const UNSPACED = /^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]$/u;

/**
 * @param tokens Of what is asked.
 * @param linesWith How many lines of a person have a word, of `lines`.
 */
export function askedFor(tokens: ReadonlySet<string>, linesWith: (token: string) => number, lines: number): Asked {
  const weights = new Map<string, number>();
  let whole = 0;
  const all = [...tokens].filter((token) => !SAYS_LITTLE.test(token));
  const pairs = all.filter((token) => token.length === 2).join("\n");
  for (const token of all) {
    // A character of a pair says what the pair says.
    if (UNSPACED.test(token) && pairs.includes(token)) continue;
    const count = linesWith(token);
    const weight = Math.log(1 + (lines + IMAGINED_LINES - count + 0.5) / (count + 0.5));
    weights.set(token, weight);
    whole += weight;
  }
  return { weights, whole };
}

/** @param has Whether the text has a word. */
export function coveredBy({ weights, whole }: Asked, has: (token: string) => boolean): Covered {
  let share = 0;
  let words = 0;
  for (const [token, weight] of weights) {
    if (!has(token)) continue;
    share += weight;
    words++;
  }
  return { share: whole === 0 ? 0 : share / whole, words };
}
