import { codeOf } from "./term-key.ts";
import { normalise } from "./tokens.ts";
import type { IndexedDocument } from "./types.ts";

// "Caroline: I went there yesterday", "Ada (42): …", at most four words before the colon. The scheme of a web address
// is no speaker.
const SPEAKER =
  /^\s*(\p{L}[\p{L}\p{M}\p{N}.'’_-]{0,23}(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}.'’_-]{0,23}){0,3})(?: \([^\s()]{1,64}\))?\s?[:：](?!\/\/)/u;

// A question mark at the end; brackets and characters that are no word may follow it.
const QUESTION = /[?？](?:[^\p{L}\p{N}[]|\[[^\]]*\])*$/u;

export interface Line {
  /** Conversation of the line; 0: none. */
  readonly chain: number;
  /** Normalised name of the speaker; empty: none. */
  readonly speaker: string;
  /** 1 for a question. */
  readonly asks: 0 | 1;
}

/**
 * Reads a text as a line of a conversation. Only a text that begins with its speaker is one: neighbours of other texts
 * are chance, and measurements showed that lending score to them does harm.
 */
export function lineOf({ text, thread }: IndexedDocument): Line {
  const speaker = SPEAKER.exec(text)?.[1];
  if (speaker === undefined) return { chain: 0, speaker: "", asks: 0 };
  return { chain: codeOf(thread) || 1, speaker: normalise(speaker), asks: QUESTION.test(text) ? 1 : 0 };
}
