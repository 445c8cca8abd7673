import type { Traces } from "./traces.ts";

/** Of a shorter line nobody can tell who said it. */
const FEWEST_WORDS = 3;
/** So much of a remembered line stands in one message of theirs. */
const SHARE_OF_WORDS = 0.6;
/** So close together, at least: a page that somebody pasted holds the words of everything. */
const FEWEST_BESIDE = 60;

/** Is a line made of what they said? */
export function saidBy({ texts, quotes }: Pick<Traces, "texts" | "quotes">): (line: string) => boolean {
  const said = texts.map((text) => {
    const words = wordsIn(text);
    return { words, own: new Set(words) };
  });
  return (line) => {
    if (quotes.isNamed(line)) return true;
    const words = wordsIn(line);
    if (words.length < FEWEST_WORDS) return false;
    const isMadeOf = (own: ReadonlySet<string>) =>
      words.filter((word) => own.has(word)).length >= SHARE_OF_WORDS * words.length;
    const beside = Math.max(FEWEST_BESIDE, words.length * 2);
    return said.some(({ words: all, own }) => {
      if (!isMadeOf(own)) return false;
      for (let at = 0; at === 0 || at + beside / 2 < all.length; at += beside / 2)
        if (isMadeOf(new Set(all.slice(at, at + beside)))) return true;
      return false;
    });
  };
}

/** Words, and each sign of scripts that put no spaces between them. */
function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? [];
}
