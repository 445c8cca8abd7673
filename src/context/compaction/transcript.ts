import { estimateTokenCount } from "tokenx";
import { oneLine } from "../boundaries.ts";
import { type SpokenText, UNDONE } from "./fact.ts";

/**
 * Characters shown of a message: of people and the assistant, and of tools. Later entries
 * apply if the earlier do not fit.
 */
const LENGTHS = [
  [4000, 1200],
  [1200, 400],
  [400, 160],
] as const;
const CUT = " … cut … ";

/** What was said, one line each. Long messages are cut in the middle; messages too old to fit are only counted. */
export function transcript(
  turns: readonly SpokenText[],
  budgetTokens: number,
): { readonly lines: readonly string[]; readonly leftOut: number } {
  let lines: readonly string[] = [];
  let leftOut = 0;
  for (const [spoken, tool] of LENGTHS) {
    lines = turns.map(({ role, text, speaker, undone }) => {
      const who = (role === "user" ? oneLine(speaker ?? "user") : role) + (undone ? UNDONE : "");
      return `${who}: ${cutMiddle(text.trim(), role === "tool" ? tool : spoken).replace(/\s*[\r\n\u0085\u2028\u2029]+/g, "\n  ")}`;
    });
    leftOut = olderThanFit(lines, budgetTokens);
    if (leftOut === 0) return { lines, leftOut };
  }
  return { lines: [`(${leftOut} older messages are left out)`, ...lines.slice(leftOut)], leftOut };
}

/** Number of oldest lines that do not fit. */
function olderThanFit(lines: readonly string[], budgetTokens: number): number {
  let left = budgetTokens;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    left -= estimateTokenCount(lines[index] ?? "") + 1;
    if (left < 0) return index + 1;
  }
  return 0;
}

function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = Math.floor((most * 3) / 4);
  return text.slice(0, head) + CUT + text.slice(head - most);
}
