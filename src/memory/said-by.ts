import type { Words } from "../erasable/index.ts";

/** A line of fewer words does not tell who said it. */
const MIN_WORDS = 3;
/** Share of a line's words that must occur in one message for it to count as quoted. */
const SHARE_OF_WORDS = 0.6;
/** Those words must occur within a window of this many words, at least: a pasted page holds the words of any line. */
const MIN_BESIDE = 60;

/** Returns a predicate: whether a line is made of what the person said. */
export function saidBy({
  texts,
  quotes,
}: {
  readonly texts: readonly string[];
  readonly quotes: Words;
}): (line: string) => boolean {
  const said = texts.map((text) => {
    const words = wordsIn(text);
    return { words, own: new Set(words) };
  });
  return (line) => {
    if (quotes.isNamed(line)) return true;
    const words = wordsIn(line);
    if (words.length < MIN_WORDS) return false;
    const isMadeOf = (own: ReadonlySet<string>) =>
      words.filter((word) => own.has(word)).length >= SHARE_OF_WORDS * words.length;
    const beside = Math.max(MIN_BESIDE, words.length * 2);
    return said.some(({ words: all, own }) => {
      if (!isMadeOf(own)) return false;
      for (let at = 0; at === 0 || at + beside / 2 < all.length; at += beside / 2)
        if (isMadeOf(new Set(all.slice(at, at + beside)))) return true;
      return false;
    });
  };
}

/** Words, and each character of scripts without spaces. */
function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? [];
}
