import { simplified } from "../../statements/index.ts";
import { type KnownWord, type KnownWords, createKnownWords } from "./known-words.ts";

const WORD = /[\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{M}]+)*/gu;
const NOT_ASCII = /[^\0-\x7f]/;
// Han, kana, Hangul, and Thai, Lao, Burmese, Khmer: scripts without spaces between words.
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3134f}]/u;
const UNSPACED_RUNS = new RegExp(`${UNSPACED.source}+|[^${UNSPACED.source.slice(1, -1)}]+`, "gu");

/** Normalises a text before tokens and dates are read: NFKC, lower case, simplified Chinese characters, one kind of apostrophe. */
export function normalise(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return simplified(text.normalize("NFKC").toLowerCase().replaceAll("’", "'"));
}

/** Calls `take` with every token of a normalised text, in order. */
export function eachToken(
  normalised: string,
  take: (token: string, isUnspaced: boolean) => void,
  known: KnownWords = createKnownWords(),
): void {
  eachWord(
    normalised,
    known,
    ({ token }) => take(token, false),
    (token) => take(token, true),
  );
}

/** As `eachToken`, but gives cached words for scripts with spaces, and tokens for scripts without. */
export function eachWord(
  normalised: string,
  known: KnownWords,
  takeKnown: (word: KnownWord) => void,
  takeUnspaced: (token: string) => void,
): void {
  const take = (text: string, from: number, to: number) => {
    const word = known.of(text, from, to);
    if (word.token !== "") takeKnown(word);
  };
  if (!NOT_ASCII.test(normalised)) {
    for (let end = 0; end < normalised.length;) {
      const from = wordFrom(normalised, end);
      end = wordTo(normalised, from);
      if (end > from) take(normalised, from, end);
    }
    return;
  }
  const takeWord = (text: string) => take(text, 0, text.length);
  for (const word of normalised.match(WORD) ?? []) {
    if (!UNSPACED.test(word)) takeWord(word);
    else {
      for (const run of word.match(UNSPACED_RUNS) ?? []) {
        if (UNSPACED.test(run)) takeCharacters(run, takeUnspaced);
        else takeWord(run);
      }
    }
  }
}

/**
 * Splits a text into index tokens: stems of English words without stop words; other words and numbers as they are;
 * Chinese, Japanese and Korean as single characters and pairs of them.
 *
 * Source: docs/recall.md, "Tokens".
 */
export function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  eachToken(normalise(text), (token) => tokens.push(token));
  return tokens;
}

// Scans normalised ASCII for words, as /[a-z0-9]+(?:'[a-z]+)*/g would, without a string for each.

const APOSTROPHE = 0x27;
const isLetter = (sign: number) => sign >= 0x61 && sign <= 0x7a;
const isDigit = (sign: number) => sign >= 0x30 && sign <= 0x39;

/** Offset of the next word, or the end of the text. */
function wordFrom(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (isLetter(sign) || isDigit(sign)) break;
  }
  return at;
}

/** Offset of a word's end. After an apostrophe only letters belong to it. */
function wordTo(text: string, from: number): number {
  let hasApostrophe = false;
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (isLetter(sign) || (!hasApostrophe && isDigit(sign))) continue;
    if (sign !== APOSTROPHE || at === from || at + 1 === text.length || !isLetter(text.charCodeAt(at + 1))) return at;
    hasApostrophe = true;
  }
  return text.length;
}

function takeCharacters(run: string, take: (token: string) => void): void {
  let before = "";
  for (const character of run) {
    if (before !== "") take(before + character);
    take(character);
    before = character;
  }
}
