import { estimateTokenCount } from "tokenx";
import { oneLine } from "../boundaries.ts";
import { type SpokenText, UNDONE } from "./fact.ts";
import { sentencesOf } from "../../statements/index.ts";
import { shortened } from "./shortened.ts";

const MAX_LINE_CHARS = 160;

/**
 * A summary without a model: the first sentence of each request and of each final answer. Keeps
 * the newest that fit, in order.
 *
 * @param turns Oldest first; tool results are ignored.
 */
export function extractiveProse(turns: readonly SpokenText[], budgetTokens: number): string {
  const lines: string[] = [];
  const said = new Set<string>();
  let left = budgetTokens;
  let newer: SpokenText["role"] | undefined;
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    const { role, text, speaker, undone } = turns[index]!;
    // Only the assistant's last words before the next request are its answer.
    if (role === "tool" || (role === "assistant" && newer === "assistant")) continue;
    const first = sentencesOf(text)[0]?.text;
    if (first === undefined) continue;
    newer = role;
    const who = (role === "assistant" ? "Assistant" : oneLine(speaker ?? "User")) + (undone ? UNDONE : "");
    const line = `- ${who}: ${shortened(first, MAX_LINE_CHARS)}`;
    // A repeated line adds nothing.
    if (said.has(line)) continue;
    said.add(line);
    left -= estimateTokenCount(line) + 1;
    if (left < 0) break;
    lines.push(line);
  }
  return lines.reverse().join("\n");
}
