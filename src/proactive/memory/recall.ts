import { DEFAULT_RECALL_LIMIT } from "../../memory/index.ts";
import type { HookOptions } from "../hook-registry.ts";
import type { ProactiveHook } from "../hook.ts";
import { diverse } from "./diverse.ts";
import { DEFAULT_RECALL_TOKENS, type MemoryFlowParts } from "./parts.ts";
import { showMemories } from "./show-memories.ts";
import { visibleIn } from "./visible.ts";

/** A memory that takes longer than this is not waited for. */
export const RECALL_OPTIONS: HookOptions = { timeoutMs: 1000 };
/** Of these the most different ones are shown. */
const CANDIDATES = 30;
/** A lone sign asks nothing. */
const WORD = /[\p{L}\p{N}]/u;

/**
 * Before a turn: what memory has that fits the message. A memory that fails or is late is reported by the event bus, and the turn goes on without it.
 *
 * Source: docs/capture.md, "Recall before a turn".
 */
export function memoryRecall(parts: MemoryFlowParts): ProactiveHook {
  const { memory, sessions, events, clock, options = {} } = parts;
  const { recallLimit = DEFAULT_RECALL_LIMIT, recallTokens = DEFAULT_RECALL_TOKENS, historyTokens } = options;
  return {
    name: "memory-recall",
    async onTaskStart(task, { sessionKey, dryRun }) {
      const { taskId, text } = task;
      if (!WORD.test(text)) return [];
      const userId = parts.memoryUserOf(task);
      const found = await memory.find({ userId, text, limit: CANDIDATES });
      const visible =
        found.length === 0 ? undefined : visibleIn(await sessions.load(sessionKey), [text], historyTokens);
      const hits = diverse(found, { limit: recallLimit, isNew: ({ entry }) => !visible?.has(entry) });
      if (!dryRun && events.has("proactive.memory.recalled")) {
        const payload = {
          taskId,
          userId,
          count: hits.length,
          hits: hits.map(({ entry: { id }, layer, score, signals }) => ({ id, layer, score, signals: { ...signals } })),
        };
        events.publishAsync({
          type: "proactive.memory.recalled",
          sessionId: sessionKey,
          timestamp: clock.now(),
          payload,
        });
      }
      return showMemories(hits, recallLimit, recallTokens, parts.redact);
    },
  };
}
