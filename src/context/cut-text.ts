import { estimateTokenCount } from "tokenx";
import { MAX_TOKENS_A_CHAR } from "./tokens.ts";
import { headOf } from "../short-text.ts";

/**
 * Characters per token of a budget, at most: more are never needed to fill it. Longer texts are cut before counting,
 * because counting a very long text is slow.
 */
export const MAX_CHARS_A_TOKEN = 16;
const CUT_MARK = "\n… cut";
/** Positions where a text may end: after a line or a sentence. */
const ENDS = /\n|[.!?](?=\s)|[。！？]/g;

/** Cuts a text to its budget, at the end of a line or sentence, with a mark. A text that fits stays complete. */
export function cutText(text: string, budgetTokens: number): { readonly text: string; readonly isCut: boolean } {
  if (text.length * MAX_TOKENS_A_CHAR <= budgetTokens) return { text, isCut: false };
  const looked = text.slice(0, Math.max(0, budgetTokens) * MAX_CHARS_A_TOKEN);
  if (looked.length === text.length && estimateTokenCount(text) <= budgetTokens) return { text, isCut: false };
  const most = budgetTokens - estimateTokenCount(CUT_MARK);
  if (most <= 0) return { text: "", isCut: true };
  const kept = shorten(looked, most);
  let end = 0;
  for (const { index, 0: sign } of kept.matchAll(ENDS)) end = sign === "\n" ? index : index + 1;
  // A text without lines or sentences is cut where the budget ends.
  return { text: (end > kept.length / 2 ? kept.slice(0, end) : kept) + CUT_MARK, isCut: true };
}

/** The longest beginning of a text whose estimate is within `most` tokens. */
export function shorten(text: string, most: number): string {
  let kept = text;
  for (let count = estimateTokenCount(kept); count > most; count = estimateTokenCount(kept)) {
    kept = headOf(kept, Math.min(kept.length - 1, Math.floor((kept.length * most) / count)));
  }
  return kept;
}
