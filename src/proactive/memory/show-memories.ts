import { estimateTokenCount } from "tokenx";
import { fitsByLength } from "../../context/index.ts";
import type { Injection } from "../../events/index.ts";
import type { FoundMemory } from "../../memory/index.ts";
import type { ModelRedactor } from "../../telemetry/index.ts";
import { headOf } from "../../short-text.ts";

/** Longer entries are cut. */
const MAX_CHARS = 1500;

/**
 * Renders memories for a prompt, one item each, with date and source; skips those that do not fit. Redacts them, since
 * people may write secrets by hand.
 */
export function showMemories(
  found: readonly FoundMemory[],
  most: number,
  budgetTokens: number,
  redact: ModelRedactor,
): readonly Injection[] {
  const items = found.map((memory): Injection => {
    const content = redact(memory.entry.content);
    const text = content.length <= MAX_CHARS ? content : `${headOf(content, MAX_CHARS)} …`;
    return { type: "memory_recall", content: text, source: sourceOf(memory), priority: 0 };
  });
  const texts = items.map(({ content, source }) => `- (${source}) ${content}`);
  if (items.length <= most && fitsByLength(texts, budgetTokens)) return items;
  const shown: Injection[] = [];
  let left = budgetTokens;
  for (const [at, item] of items.entries()) {
    if (shown.length >= most) break;
    const tokens = estimateTokenCount(texts[at] ?? "");
    if (tokens > left) continue;
    left -= tokens;
    shown.push(item);
  }
  return shown;
}

const LAYERS = { long_term: "MEMORY.md", daily: "daily digest", archive: "archive", entry: "memory" } as const;

/** As `2026-02-01, memory: statement`. */
function sourceOf({ entry, layer }: FoundMemory): string {
  const { type, day: lastSaid } = entry.slots;
  const day = layer === "long_term" ? lastSaid : entry.createdAt.toISOString().slice(0, "2026-02-01".length);
  const what = layer === "entry" && typeof type === "string" ? `memory: ${type}` : LAYERS[layer];
  return typeof day === "string" ? `${day}, ${what}` : what;
}
