import { messageOf } from "../../errors.ts";
import type { EventBus, EventOf } from "../../events/index.ts";
import { type MemoryEntry, extractFlush, skipKnown } from "../../memory/index.ts";
import { DEFAULT_CAPTURE_DAYS, type MemoryFlowParts } from "./parts.ts";

const KNOWN = 10;
const DAY_MS = 86_400_000;

/**
 * Before turns go into a summary: keeps what they said that must be found later. A store that fails is logged and holds up nothing.
 *
 * Source: docs/capture.md, "Flush before compaction".
 *
 * @returns A function that stops it.
 */
export function subscribeMemoryFlush(events: Pick<EventBus, "subscribe">, parts: MemoryFlowParts): () => void {
  return events.subscribe("context.compact", (event) => flush(parts, event), { name: "memory-flush" });
}

async function flush(parts: MemoryFlowParts, event: EventOf<"context.compact">): Promise<void> {
  const { memory, metrics, logger, clock, redact, options = {} } = parts;
  const { autoCaptureDays = DEFAULT_CAPTURE_DAYS, dedupeThreshold } = options;
  const { payload, sessionId } = event;
  try {
    if (sessionId !== null && !(await isOnePersons(parts, sessionId, payload.range))) return;
    const userId = parts.memoryUserOf({ ...payload, user: payload.userId });
    const drafts = extractFlush(payload.messages, { userId, ...(sessionId !== null && { sessionId }) });
    if (drafts.length === 0) return;
    const fresh = skipKnown(drafts.map(redact), await newestEntries(memory, userId, KNOWN), dedupeThreshold);
    metrics.increment("memory.flush.skipped_dedup_total", undefined, drafts.length - fresh.length);
    const expiresAt = clock.now() + autoCaptureDays * DAY_MS;
    for (const draft of fresh) {
      await memory.save({ ...draft, userId, expiresAt });
      metrics.increment("memory.flush.saved_total");
    }
  } catch (error) {
    logger.warn("What a summary replaces could not be kept in memory", { session: sessionId, error: messageOf(error) });
  }
}

/** Where several people share one direct chat, nobody knows whose memory a message is. */
async function isOnePersons(
  parts: MemoryFlowParts,
  key: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> {
  const { history } = await parts.sessions.load(key);
  const people = new Set<string>();
  for (const { inputs, out } of history) {
    if (!out || out.seq < from || out.seq >= to) continue;
    for (const input of inputs) if (input.type === "in") people.add(parts.memoryUserOf(input));
  }
  return people.size < 2;
}

export async function newestEntries(
  memory: MemoryFlowParts["memory"],
  userId: string,
  count: number,
  accepts: (entry: MemoryEntry) => boolean = () => true,
): Promise<readonly MemoryEntry[]> {
  const entries: MemoryEntry[] = [];
  for await (const entry of memory.list(userId)) {
    if (accepts(entry)) entries.push(entry);
    if (entries.length >= count) break;
  }
  return entries;
}
