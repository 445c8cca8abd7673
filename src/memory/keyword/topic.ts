import { DAY_MS, datesOfDay, withoutDates } from "./dates.ts";
import { isEveryday } from "./everyday.ts";
import { findKey } from "./key-table.ts";
import type { KnownWords } from "./known-words.ts";
import type { Part } from "./part.ts";
import { type Said, readText } from "./query-terms.ts";
import { SAME_WORDS } from "./same-words.ts";
import type { Shelf, Totals } from "./shelf.ts";
import { frequencyIn, rarity } from "./sought.ts";
import { SAYS_LITTLE } from "./stop-words.ts";
import { isUnspacedKey, keyOf } from "./term-key.ts";
import { eachWord } from "./tokens.ts";
import type { MemorySignals } from "../memory-store.ts";
import type { KeywordQuery } from "./types.ts";

// Decides what a message is about, and how much of it a document has. A score cannot tell: it is as high for a greeting
// that shares its one word with a memory as for a question that the memory answers.

/** A subject word of a message. */
interface TopicWord {
  /** Its key, then those of its synonyms. */
  readonly keys: readonly number[];
  /** Factor on the word's weight; below 1 for words that any text may have. */
  readonly worth: number;
  readonly isEveryday: boolean;
  /** Whether its first character is the last one of the previous pair: both may belong to one longer word. */
  readonly overlaps: boolean;
}

/** Most words of a message that are read. */
const MAX_WORDS = 64;
/** Factors of a single character of a script without spaces, of a pair with a character that says little, and of a date. */
const ALONE = 0.5;
const LITTLE = 0.3;
const DATE = 0.7;
/** Factor on the rarity of an everyday word, and weight of a synonym. */
const RARITY_OF_EVERYDAY = 0.35;
const SAME = 0.6;
/** Factor of a pair when the previous pair, which it overlaps, is shared as well. */
const OVERLAPPING = 0.4;
/** How telling a shared word is, by whether few or many documents have it; everyday words separately. */
const TELLING = { other: { rare: 1, frequent: 0.6 }, everyday: { rare: 0.35, frequent: 0.2 } };
/** A small number, with or without a counting word: any text may have one. */
const NUMERAL = /^(?:\d{1,2}|[〇零一二三四五六七八九十百千万两几]+[个只条张次本份家件位]?)$/;
/**
 * Factor on the rarity of a pair that no document has: half of the pairs of a text join the end of a word to the
 * beginning of the next.
 */
const UNSEEN_PAIR = 0.5;
/** A word is rare when at most this many documents, or this share of them, have it. */
const FEW = 3;
const FEW_OF_ALL = 0.12;
/** Documents without any of the words that are added to the count: among a handful no word is common yet. */
const IMAGINED = 50;
/** One-character Chinese words for what people have: things, parts of the body, relatives. */
const THINGS = "车猫狗鱼药床灯锁鞋伞表房牙腰肩膝脚腿眼胃肝孕娃爸妈爹娘哥姐弟妹爷奶叔姨舅";
const SPACELESS = /[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]+/gu;

/** The words of a message that say what it is about. */
function topicOf({ keywords = [], nowMs }: KeywordQuery, said: Said, known: KnownWords): readonly TopicWord[] {
  const words = new Map<number, TopicWord>();
  const add = (key: number, word: Omit<TopicWord, "keys">, same: Iterable<string> = []) => {
    if (words.size >= MAX_WORDS || words.has(key)) return;
    const keys = [key];
    for (const token of same) keys.push(keyOf(token, true));
    words.set(key, { ...word, keys });
  };
  const addPair = (token: string, worth: number, overlaps: boolean) => {
    const isPlain = token.length === 1 || NUMERAL.test(token) || isEveryday(token);
    const word = { worth: SAYS_LITTLE.test(token) ? LITTLE : worth, isEveryday: isPlain, overlaps };
    add(keyOf(token, true), word, SAME_WORDS.get(token));
  };
  for (const { text, dates } of [said, ...keywords.map((keyword) => readText(keyword, nowMs))]) {
    const today = dates.size > 0 ? datesOfDay(Math.floor(nowMs / DAY_MS)) : dates;
    for (const date of dates)
      if (!today.has(date)) add(keyOf(date), { worth: DATE, isEveryday: false, overlaps: false });
    const rest = dates.size > 0 ? withoutDates(text) : text;
    eachWord(
      rest,
      known,
      ({ token, key }) => add(key, { worth: 1, isEveryday: NUMERAL.test(token) || isEveryday(token), overlaps: false }),
      () => {},
    );
    for (const [run] of rest.matchAll(SPACELESS)) {
      const signs = Array.from(run);
      for (const sign of signs)
        if (THINGS.includes(sign)) add(keyOf(sign, true), { worth: ALONE, isEveryday: false, overlaps: false });
      if (signs.length === 1) addPair(run, ALONE, false);
      for (let at = 1; at < signs.length; at += 1) addPair(signs[at - 1]! + signs[at]!, 1, at > 1);
    }
  }
  return [...words.values()];
}

/** What to search, and how its words are read. */
export interface Searched {
  readonly shelves: readonly Shelf[];
  readonly totals: Totals;
  readonly known: KnownWords;
}

/** Returns how much of a message a document of a shelf has. */
export type About = (shelf: number, document: number) => Required<Pick<MemorySignals, "coverage" | "telling">>;

/**
 * Reads the message once. A document is compared on request: of thirty hits few are.
 *
 * @param said The text of the query.
 */
export function aboutOf(searched: Searched, query: KeywordQuery, said: Said): About {
  const words = topicOf(query, said, searched.known).map((word) => weighed(word, searched));
  const whole = words.reduce((sum, { weight }) => sum + weight, 0);
  return (shelf, document) => {
    const { part } = searched.shelves[shelf]!;
    let share = 0;
    let telling = 0;
    let wasMet = false;
    for (const word of words) {
      const counts = countsIn(word, part, shelf, document);
      share += counts * word.weight;
      telling += counts * word.telling * (wasMet && word.overlaps ? OVERLAPPING : 1);
      wasMet = counts > 0;
    }
    return { coverage: whole === 0 ? 0 : share / whole, telling };
  };
}

/** A subject word, weighted by the searched documents. */
interface WeighedWord {
  /** For the word and each synonym: its term in each shelf, or -1. */
  readonly terms: readonly (readonly number[])[];
  readonly weight: number;
  readonly telling: number;
  readonly overlaps: boolean;
}

function weighed(
  { keys, worth, overlaps, isEveryday: everyday }: TopicWord,
  { shelves, totals: { documents } }: Searched,
): WeighedWord {
  const terms = keys.map((key) => shelves.map(({ part }) => findKey(part.places(), part.keys, key)));
  const frequency = shelves.reduce((sum, shelf, at) => {
    const term = terms[0]![at]!;
    return term < 0 ? sum : sum + frequencyIn(shelf, term);
  }, 0);
  const isUnseenPair = frequency === 0 && isUnspacedKey(keys[0]!);
  const rare = rarity(documents + IMAGINED, frequency);
  const isRare = frequency <= Math.max(FEW, FEW_OF_ALL * documents);
  const { [isRare ? "rare" : "frequent"]: telling } = everyday ? TELLING.everyday : TELLING.other;
  return {
    terms,
    weight: worth * rare * (everyday ? RARITY_OF_EVERYDAY : 1) * (isUnseenPair ? UNSEEN_PAIR : 1),
    telling: worth * telling,
    overlaps,
  };
}

/** How much a word counts in a document: 1 for itself, less for a synonym, else 0. */
function countsIn({ terms }: WeighedWord, part: Part, shelf: number, document: number): number {
  for (let at = 0; at < terms.length; at += 1) {
    if (has(part, terms[at]![shelf]!, document)) return at === 0 ? 1 : SAME;
  }
  return 0;
}

/** Whether a document has a term in its text, its keywords or its dates. */
function has({ from, to, documents }: Part, term: number, document: number): boolean {
  if (term < 0) return false;
  let low = from[term]!;
  let high = to[term]! - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = documents[middle]!;
    if (found === document) return true;
    if (found < document) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
