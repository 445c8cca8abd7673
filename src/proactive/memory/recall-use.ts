import { createTokensIn } from "../../memory/index.ts";
import type { Metrics } from "../../telemetry/index.ts";

/** Share of a memory's telling words that a reply must hold for the memory to count as used. */
export const USED_SHARE = 0.3;
/** A character of a script without spaces; a lone sign of ASCII is a word. */
const LONE_SIGN = /^[^\0-\x7f]$/u;
/** Turns that are remembered until they are answered; one that never is makes room in the end. */
const MAX_TURNS = 500;

/**
 * How much of what a memory adds to a message a reply repeats, 0 to 1, from the tokens of each. Words that the message has already tell nothing: a reply holds
 * them anyway. Of Chinese, Japanese and Korean pairs of characters count, since single ones are in every text.
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

/** Counts memories that turns were shown, and those that their replies used. */
export function createRecallUse(metrics: Pick<Metrics, "increment">) {
  const tokensIn = createTokensIn();
  const turns = new Map<string, { readonly message: string; readonly memories: readonly string[] }>();
  return {
    /** A turn was shown these memories. */
    shown(taskId: string, message: string, memories: readonly string[]): void {
      if (memories.length === 0) return;
      turns.set(taskId, { message, memories });
      const [oldest] = turns.keys();
      if (turns.size > MAX_TURNS && oldest !== undefined) turns.delete(oldest);
    },
    /** A turn ended. What was not answered says nothing of its memories. */
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
