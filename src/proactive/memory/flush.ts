import { messageOf } from "../../errors.ts";
import type { EventBus, EventOf } from "../../events/index.ts";
import { type MemoryApi, type MemoryEntry, MAX_FLUSHED, flushDrafts, takeFresh } from "../../memory/index.ts";
import type { Clock } from "../../clock.ts";
import type { MemorySpeaker, Sessions } from "../../session/index.ts";
import type { Logger, Metrics, ModelRedactor } from "../../telemetry/index.ts";
import { DEFAULT_CAPTURE_DAYS, type MemoryFlowOptions } from "./options.ts";

const KNOWN = 10;
const DAY_MS = 86_400_000;

export interface FlushDeps {
  readonly memory: Pick<MemoryApi, "save" | "list">;
  /** The memory user of a message. */
  memoryUserOf(speaker: MemorySpeaker): string;
  readonly sessions: Pick<Sessions, "load">;
  readonly clock: Pick<Clock, "now">;
  readonly metrics: Pick<Metrics, "increment">;
  readonly logger: Pick<Logger, "warn">;
  /** Replaces secrets. */
  readonly redact: ModelRedactor;
}

/**
 * Before turns are summarised, stores their statements so that they can be recalled later. A store error is logged and
 * delays nothing.
 *
 * Source: docs/capture.md, "Flush before compaction".
 *
 * @returns A function that stops it.
 */
export function subscribeMemoryFlush(
  events: Pick<EventBus, "subscribe">,
  deps: FlushDeps,
  options: MemoryFlowOptions = {},
): () => void {
  return events.subscribe("context.compact", (event) => flush(deps, options, event), { name: "memory-flush" });
}

async function flush(
  { memory, memoryUserOf, sessions, metrics, logger, clock, redact }: FlushDeps,
  options: MemoryFlowOptions,
  event: EventOf<"context.compact">,
): Promise<void> {
  const { autoCaptureDays = DEFAULT_CAPTURE_DAYS, dedupeThreshold } = options;
  const { payload, sessionId } = event;
  try {
    if (sessionId !== null && !(await isOnePersons({ sessions, memoryUserOf }, sessionId, payload.range))) return;
    const userId = memoryUserOf({ ...payload, user: payload.userId });
    const drafts = flushDrafts(payload.messages, { userId, ...(sessionId !== null && { sessionId }) });
    if (drafts.length === 0) return;
    const known = await newestEntries(memory, userId, KNOWN);
    const { fresh, repeats } = takeFresh(drafts.map(redact), known, { dedupeThreshold, limit: MAX_FLUSHED });
    metrics.increment("memory.flush.skipped_dedup_total", undefined, repeats);
    const expiresAt = clock.now() + autoCaptureDays * DAY_MS;
    for (const draft of fresh) {
      await memory.save({ ...draft, userId, ...(draft.slots?.["lasting"] !== true && { expiresAt }) });
      metrics.increment("memory.flush.saved_total");
    }
  } catch (error) {
    logger.warn("What a summary replaces could not be kept in memory", { session: sessionId, error: messageOf(error) });
  }
}

/**
 * Whether the turns belong to one person. If several people share a direct chat, the memory of a message cannot be
 * determined.
 */
async function isOnePersons(
  { sessions, memoryUserOf }: Pick<FlushDeps, "sessions" | "memoryUserOf">,
  key: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<boolean> {
  const { history } = await sessions.load(key);
  const people = new Set<string>();
  for (const { inputs, out } of history) {
    if (!out || out.seq < from || out.seq >= to) continue;
    for (const input of inputs) if (input.type === "in") people.add(memoryUserOf(input));
  }
  return people.size < 2;
}

export async function newestEntries(
  memory: Pick<MemoryApi, "list">,
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
