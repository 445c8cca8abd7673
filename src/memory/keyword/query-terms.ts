import { datesOfQuery, withoutDates } from "./dates.ts";
import { SAME_WORDS } from "./same-words.ts";
import { SAYS_LITTLE } from "./stop-words.ts";
import { SPEAKER_MARK, keyOf } from "./term-key.ts";
import { eachToken, normalise } from "./tokens.ts";
import type { KeywordQuery } from "./types.ts";

// Chinese words that ask. They stand in no answer, but in talk that answers nothing; the counting word after them goes with them.
const ASKING =
  /(?:什么|啥)(?:时候)?|为[什啥]么?|怎么?样?|多少|几[个号月天年]?|哪(?!里人)[里儿些位个天年月家]?|[谁吗呢]|如何|来着|请问/g;

/** What counts less than a pair of characters: one alone, a token with a character that says little, one that means the same, and one of a date's text. */
const ALONE = 0.5;
const LITTLE = 0.3;
const SAME = 0.6;
const OF_DATE = 0.15;

/**
 * The keys of what a query looks for, and how much each counts.
 *
 * @param known What words became before (see `eachToken`).
 */
export function termsOfQuery(
  { text, keywords = [], nowMs }: KeywordQuery,
  known: Map<string, string>,
): ReadonlyMap<number, number> {
  const terms = new Map<number, number>();
  const add = (key: number, share: number) => {
    if (share > (terms.get(key) ?? 0)) terms.set(key, share);
  };
  const addWords = (words: string, most = 1) =>
    eachToken(
      words,
      (token, isUnspaced) => {
        const share = Math.min(most, isUnspaced ? shareOf(token) : 1);
        add(keyOf(token, isUnspaced), share);
        add(keyOf(SPEAKER_MARK + token), share);
        if (isUnspaced) for (const same of SAME_WORDS.get(token) ?? []) add(keyOf(same, true), SAME * most);
      },
      known,
    );
  const asked = withoutAsking(normalise(text));
  // A date that is looked for as one is hardly looked for by its characters, which every other date has.
  if (addDates(asked)) {
    addWords(asked, OF_DATE);
    addWords(withoutDates(asked));
  } else addWords(asked);
  for (const keyword of keywords) {
    const words = normalise(keyword);
    addDates(words);
    addWords(words);
  }
  return terms;

  function addDates(words: string): boolean {
    const dates = datesOfQuery(words, nowMs);
    for (const date of dates) add(keyOf(date), 1);
    return dates.size > 0;
  }
}

/** A normalised question without the Chinese words that ask. */
export function withoutAsking(normalised: string): string {
  return normalised.replaceAll(ASKING, " ");
}

function shareOf(token: string): number {
  if (SAYS_LITTLE.test(token)) return LITTLE;
  return token.length === 1 ? ALONE : 1;
}
