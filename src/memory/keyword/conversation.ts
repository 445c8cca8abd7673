import { codeOf } from "./term-key.ts";
import { normalise } from "./tokens.ts";
import type { IndexedDocument } from "./types.ts";

// "Caroline: I went there yesterday", "Ada (42): …", at most four words before the colon. A web address is no speaker.
const SPEAKER =
  /^\s*(\p{L}[\p{L}\p{M}\p{N}.'’_-]{0,23}(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}.'’_-]{0,23}){0,3})(?: \([^\s()]{1,64}\))?\s?[:：](?!\/\/)/u;

// A mark at the end, but for what stands in brackets and what is no word.
const QUESTION = /[?？](?:[^\p{L}\p{N}[]|\[[^\]]*\])*$/u;

export interface Line {
  /** Which conversation it belongs to; 0: none. */
  readonly chain: number;
  /** As it is written; empty: nobody. */
  readonly speaker: string;
  /** 1 for a question. */
  readonly asks: 0 | 1;
}

/**
 * A text as a line of a conversation. Only one that begins with its speaker is: neighbours of anything else are chance, and to let them lend score was
 * measured to do harm.
 */
export function lineOf({ text, thread }: IndexedDocument): Line {
  const speaker = SPEAKER.exec(text)?.[1];
  if (speaker === undefined) return { chain: 0, speaker: "", asks: 0 };
  return { chain: codeOf(thread) || 1, speaker: normalise(speaker), asks: QUESTION.test(text) ? 1 : 0 };
}
