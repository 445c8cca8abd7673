import { codeOf } from "./term-key.ts";
import { normalise } from "./tokens.ts";
import type { IndexedDocument } from "./types.ts";

// "Caroline: I went there yesterday", at most four words before the colon. A web address is no speaker.
const SPEAKER =
  /^\s*(\p{L}[\p{L}\p{M}\p{N}.'’_-]{0,23}(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}.'’_-]{0,23}){0,3})\s?[:：](?!\/\/)/u;

/**
 * Who says the text and in which conversation. Only a text that begins with its speaker is a line of one: neighbours of anything else are chance, and to
 * let them lend score was measured to do harm.
 */
export function lineOf({ text, thread }: IndexedDocument): { readonly speaker: number; readonly chain: number } {
  const label = SPEAKER.exec(text)?.[1];
  if (label === undefined) return { speaker: 0, chain: 0 };
  return { speaker: codeOf(normalise(label)), chain: codeOf(thread) || 1 };
}
