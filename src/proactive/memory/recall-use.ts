import { createTokensIn } from "../../memory/index.ts";
import type { Metrics } from "../../telemetry/index.ts";

/** Share of a memory's distinctive words that a reply must contain for the memory to count as used. */
export const USED_SHARE = 0.3;
/** A single character of a script without spaces. A single ASCII character counts as a word. */
const LONE_SIGN = /^[^\0-\x7f]$/u;
/** Maximum number of turns that wait for their reply; the oldest are dropped. */
const MAX_TURNS = 500;

/**
 * Computes which share of a memory's words, without those of the message, a reply contains: 0 to 1. The message's own
 * words do not count, since a reply contains them anyway. For Chinese, Japanese and Korean only character pairs count,
 * because single characters occur in every text.
 *
 * Source: docs/metrics.md, "Was a memory of use".
 */
export function shareUsed(
  memory: ReadonlySet<string>,
  { asked, held }: { readonly asked: ReadonlySet<string>; readonly held: ReadonlySet<string> },
): number {
  let telling = 0;
  let found = 0;
  for (const token of memory) {
    if (asked.has(token) || (token.length < 3 && LONE_SIGN.test(token))) continue;
    telling += 1;
    if (held.has(token)) found += 1;
  }
  return telling === 0 ? 0 : found / telling;
}

/** Counts the memories shown to turns, and those that their replies used. */
export function createRecallUse(metrics: Pick<Metrics, "increment">) {
  const tokensIn = createTokensIn();
  const turns = new Map<string, { readonly message: string; readonly memories: readonly string[] }>();
  return {
    /** Notes the memories shown to a turn. */
    shown(taskId: string, message: string, memories: readonly string[]): void {
      if (memories.length === 0) return;
      turns.set(taskId, { message, memories });
      const [oldest] = turns.keys();
      if (turns.size > MAX_TURNS && oldest !== undefined) turns.delete(oldest);
    },
    /** Counts the used memories when a turn ends. Ignores turns without a reply. */
    ended(taskId: string, reply: string): void {
      const turn = turns.get(taskId);
      if (turn === undefined) return;
      turns.delete(taskId);
      if (reply.trim() === "") return;
      const { message, memories } = turn;
      const words = { asked: tokensIn(message), held: tokensIn(reply) };
      const used = memories.filter((memory) => shareUsed(tokensIn(memory), words) >= USED_SHARE);
      metrics.increment("memory.recall.injected_total", undefined, memories.length);
      metrics.increment("memory.recall.used_total", undefined, used.length);
    },
  };
}
