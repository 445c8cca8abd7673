import QuickLRU from "quick-lru";
import { SAYS_LITTLE } from "./keyword/stop-words.ts";
import { createKnownWords } from "./keyword/known-words.ts";
import { eachToken, normalise } from "./keyword/tokens.ts";

/** Returns the distinct tokens of texts. */
export type TokensIn = (...texts: readonly string[]) => ReadonlySet<string>;

/** Most words cached with their token; a full cache is emptied. */
const MAX_KNOWN = 20_000;
/** Least number of texts whose tokens are cached, and the most characters of such a text. */
const MAX_TEXTS = 512;
const MAX_TEXT_CHARS = 1000;

/**
 * Creates a tokeniser with two caches: of words, since stemming is most of the work and words repeat, and of texts,
 * since recalled texts are recalled again.
 */
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

/** The words of a query with their weights: rarer words weigh more. */
export interface Asked {
  readonly weights: ReadonlyMap<string, number>;
  readonly whole: number;
}

/** How much of a query a text has. */
export interface Covered {
  /** Share of the weights, 0 to 1. */
  readonly share: number;
  /** Number of the query's words in the text. */
  readonly words: number;
}

/** Lines without any of the words that are added to the count: in a handful of lines no word is common yet. */
const IMAGINED_LINES = 50;
const UNSPACED = /^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]$/u;

/**
 * @param tokens Tokens of the query.
 * @param linesWith How many of a person's `lines` have a word.
 */
export function askedFor(tokens: ReadonlySet<string>, linesWith: (token: string) => number, lines: number): Asked {
  const weights = new Map<string, number>();
  let whole = 0;
  const all = [...tokens].filter((token) => !SAYS_LITTLE.test(token));
  const pairs = all.filter((token) => token.length === 2).join("\n");
  for (const token of all) {
    // The pair that contains the character already counts.
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
