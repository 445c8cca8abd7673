import { stem } from "porter2";
import { simplified } from "../capture/simplified.ts";
import { IRREGULAR } from "./irregular.ts";
import { STOP_WORDS } from "./stop-words.ts";

const WORD = /[\p{L}\p{N}\p{M}]+(?:'[\p{L}\p{M}]+)*/gu;
const NOT_ASCII = /[^\0-\x7f]/;
/** The same in what is normalised and of ASCII alone, which is found several times as fast. */
const ASCII_WORD = /[a-z0-9]+(?:'[a-z]+)*/g;
const LATIN = /^[a-z']+$/;
// Han, kana, Hangul, and Thai, Lao, Burmese, Khmer: one word is not told from the next by a space.
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3134f}]/u;
const UNSPACED_RUNS = new RegExp(`${UNSPACED.source}+|[^${UNSPACED.source.slice(1, -1)}]+`, "gu");

/** NFKC, lower case, simplified Chinese signs, one kind of apostrophe: what both tokens and dates are read from. */
export function normalise(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return simplified(text.normalize("NFKC").toLowerCase().replaceAll("’", "'"));
}

/**
 * Calls `take` with every token of a normalised text, in order.
 *
 * @param known What words became before, "" for one that says nothing; stemming is most of the work.
 */
export function eachToken(
  normalised: string,
  take: (token: string, isUnspaced: boolean) => void,
  known?: Map<string, string>,
): void {
  const takeWord = (word: string) => {
    let token = known?.get(word);
    if (token === undefined) {
      token = tokenOf(word);
      known?.set(word, token);
    }
    if (token !== "") take(token, false);
  };
  if (!NOT_ASCII.test(normalised)) {
    for (const word of normalised.match(ASCII_WORD) ?? []) takeWord(word);
    return;
  }
  for (const word of normalised.match(WORD) ?? []) {
    if (!UNSPACED.test(word)) takeWord(word);
    else {
      for (const run of word.match(UNSPACED_RUNS) ?? []) {
        if (UNSPACED.test(run)) takeCharacters(run, take);
        else takeWord(run);
      }
    }
  }
}

/**
 * What a text is found by: English words without the common ones, reduced to their stems; other words and numbers as they are; Chinese, Japanese and
 * Korean as single characters and pairs of them.
 *
 * Source: docs/recall.md, "Tokens".
 */
export function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  eachToken(normalise(text), (token) => tokens.push(token));
  return tokens;
}

function tokenOf(word: string): string {
  const bare = word.replaceAll("'", "");
  if (STOP_WORDS.has(bare)) return "";
  return LATIN.test(word) ? stem(IRREGULAR.get(word) ?? word) : bare;
}

function takeCharacters(run: string, take: (token: string, isUnspaced: boolean) => void): void {
  let before = "";
  for (const character of run) {
    if (before !== "") take(before + character, true);
    take(character, true);
    before = character;
  }
}
