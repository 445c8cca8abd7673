import { datesOfQuery, withoutDates } from "./dates.ts";
import { SAME_WORDS } from "./same-words.ts";
import { SAYS_LITTLE } from "./stop-words.ts";
import type { KeyWorth } from "./key-table.ts";
import { SPEAKER_MARK, keyOf } from "./term-key.ts";
import type { KnownWords } from "./known-words.ts";
import { eachWord, normalise } from "./tokens.ts";
import type { KeywordQuery } from "./types.ts";

// Chinese question words, with the counting word after them. Answers do not contain them, but unrelated talk does.
const ASKING =
  /(?:什么|啥)(?:时候)?|为[什啥]么?|怎么?样?|多少|几[个号月天年]?|哪(?!里人)[里儿些位个天年月家]?|[谁吗呢]|如何|来着|请问/g;

const NOT_ASCII = /[^\0-\x7f]/;

/**
 * Weights below that of a pair of characters: of a single character, of a token with a character that says little, of a
 * synonym, and of a word of a date's text.
 */
const ALONE = 0.5;
const LITTLE = 0.3;
const SAME = 0.6;
const OF_DATE = 0.15;
const NONE: readonly string[] = [];

/** How to read a query. */
export interface Reading {
  readonly known: KnownWords;
  /** Whether the searched documents have speakers: names are then looked for as speakers too. */
  readonly hasSpeakers: boolean;
  /** Receives the query's keys with their weights. */
  readonly into: KeyWorth;
}

/** A query's text: normalised, without Chinese question words, with its date tokens. */
export interface Said {
  readonly text: string;
  readonly dates: ReadonlySet<string>;
}

export function readText(text: string, nowMs: number): Said {
  const asked = withoutAsking(normalise(text));
  return { text: asked, dates: datesOfQuery(asked, nowMs) };
}

/** Writes the keys of a query to `into`. @param said The query's text. */
export function readQuery(
  { keywords = [], nowMs }: KeywordQuery,
  said: Said,
  { known, hasSpeakers, into }: Reading,
): void {
  into.clear();
  const addWords = (words: string, most = 1) =>
    eachWord(
      words,
      known,
      ({ key, speakerKey }) => {
        into.raise(key, most);
        if (hasSpeakers) into.raise(speakerKey, most);
      },
      (token) => {
        const share = Math.min(most, shareOf(token));
        into.raise(keyOf(token, true), share);
        if (hasSpeakers) into.raise(keyOf(SPEAKER_MARK + token), share);
        for (const same of SAME_WORDS.get(token) ?? NONE) into.raise(keyOf(same, true), SAME * most);
      },
    );
  const addDates = (dates: ReadonlySet<string>) => {
    for (const date of dates) into.raise(keyOf(date), 1);
  };
  addDates(said.dates);
  // A date is found by its date tokens; its characters count little, since every other date shares them.
  if (said.dates.size > 0) {
    addWords(said.text, OF_DATE);
    addWords(withoutDates(said.text));
  } else addWords(said.text);
  for (const keyword of keywords) {
    const words = normalise(keyword);
    addDates(datesOfQuery(words, nowMs));
    addWords(words);
  }
}

/** Removes Chinese question words from a normalised text. */
export function withoutAsking(normalised: string): string {
  return NOT_ASCII.test(normalised) ? normalised.replaceAll(ASKING, " ") : normalised;
}

function shareOf(token: string): number {
  if (SAYS_LITTLE.test(token)) return LITTLE;
  return token.length === 1 ? ALONE : 1;
}
