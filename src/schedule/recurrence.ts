import { englishTimes } from "./times-in-english.ts";
import { chineseTimes } from "./times-in-chinese.ts";
import type { Meaning, TimeGiven, TimeRule } from "./time-rule.ts";

/** Words about a time in a text, and the text around them. */
export type FoundTime = Meaning & {
  /** The words themselves. */
  readonly words: string;
  /** The text before them, trimmed. */
  readonly before: string;
  /** The text after them. */
  readonly after: string;
};

const RULES: readonly TimeRule[] = [...englishTimes, ...chineseTimes];

/**
 * Finds the first words about a time in a text, in English or Chinese: repeating times, and `in 20 minutes`.
 * `undefined`: none.
 *
 * Source: docs/jobs.md, "Times".
 */
export function recurrenceIn(text: string, given: TimeGiven): FoundTime | undefined {
  let best: (FoundTime & { readonly length: number }) | undefined;
  for (const { words, read } of RULES) {
    const match = words.exec(text);
    if (match === null || (best !== undefined && match[0].length <= best.length)) continue;
    const meaning = read(match.groups ?? {}, given);
    if (meaning === null) continue;
    best = {
      ...meaning,
      words: match[0].trim(),
      before: text.slice(0, match.index).trim(),
      after: text.slice(match.index + match[0].length).trim(),
      length: match[0].length,
    };
  }
  if (best === undefined) return undefined;
  const { length: _length, ...found } = best;
  return found;
}
