import { DEFAULT_RECALL_LIMIT, type Gated, type Memory, asksOfSelf, gate, spoken } from "../../memory/index.ts";
import type { HookOptions } from "../hook-registry.ts";
import type { ProactiveHook } from "../hook.ts";
import { diverse } from "./diverse.ts";
import type { Clock } from "../../clock.ts";
import type { EventBus } from "../../events/index.ts";
import type { MemorySpeaker, Sessions } from "../../session/index.ts";
import type { Metrics, ModelRedactor } from "../../telemetry/index.ts";
import { DEFAULT_RECALL_TOKENS, type MemoryFlowOptions } from "./options.ts";
import { createRecallUse } from "./recall-use.ts";
import { showMemories } from "./show-memories.ts";
import { visibleIn } from "./visible.ts";

/** The turn goes on without memories that take longer. */
export const RECALL_OPTIONS: HookOptions = { timeoutMs: 1000 };
/** Number of candidates from which the most different ones are chosen. */
const CANDIDATES = 30;
/** Factor for the limit if a person asks what is known about them. */
const KNOWN_TIMES = 2;
/** A text without a letter or number asks nothing. */
const WORD = /[\p{L}\p{N}]/u;

export interface RecallDeps {
  readonly memory: Pick<Memory, "find" | "known">;
  /** The memory user of a message. */
  memoryUserOf(speaker: MemorySpeaker): string;
  readonly sessions: Pick<Sessions, "load">;
  readonly events: Pick<EventBus, "publishAsync" | "has">;
  readonly clock: Pick<Clock, "now">;
  /** Replaces secrets. */
  readonly redact: ModelRedactor;
  readonly metrics: Pick<Metrics, "increment">;
}

/**
 * Before a turn, adds the memories that fit the message. If memory fails or is late, the event bus reports it and the
 * turn goes on without it.
 *
 * Source: docs/capture.md, "Recall before a turn".
 */
export function memoryRecall(
  { memory, memoryUserOf, sessions, events, clock, redact, metrics }: RecallDeps,
  options: MemoryFlowOptions = {},
): ProactiveHook {
  const use = createRecallUse(metrics);
  const { recallLimit = DEFAULT_RECALL_LIMIT, recallTokens = DEFAULT_RECALL_TOKENS, historyTokens } = options;

  async function fitting(userId: string, text: string, isOfSelf: boolean): Promise<Gated> {
    if (isOfSelf) return { hits: await memory.known({ userId, limit: CANDIDATES }) };
    return gate(await memory.find({ userId, text, limit: CANDIDATES, about: true }), text);
  }

  return {
    name: "memory-recall",
    async onTaskStart(task, { sessionKey, dryRun }) {
      const { taskId, text } = task;
      if (!WORD.test(text)) return [];
      const userId = memoryUserOf(task);
      const said = spoken(text);
      const isOfSelf = asksOfSelf(said);
      const { hits: found, closed } = await fitting(userId, said, isOfSelf);
      const visible =
        found.length === 0 ? undefined : visibleIn(await sessions.load(sessionKey), [text], historyTokens);
      const limit = isOfSelf ? KNOWN_TIMES * recallLimit : recallLimit;
      const hits = diverse(found, { limit, isNew: ({ entry }) => !visible?.has(entry) });
      if (!dryRun && events.has("proactive.memory.recalled")) {
        const payload = {
          taskId,
          userId,
          count: hits.length,
          ...(closed !== undefined && { closed }),
          hits: hits.map(({ entry: { id }, layer, score, signals }) => ({ id, layer, score, signals: { ...signals } })),
        };
        events.publishAsync({
          type: "proactive.memory.recalled",
          sessionId: sessionKey,
          timestamp: clock.now(),
          payload,
        });
      }
      // Shows in a dry run why there is no recall.
      if (dryRun && closed !== undefined) return [{ type: "memory_recall", content: "", source: closed, priority: 0 }];
      const shown = showMemories(hits, limit, recallTokens, redact);
      if (!dryRun) {
        const contents = shown.map(({ content }) => content);
        use.shown(taskId, text, contents);
      }
      return shown;
    },
    onTaskCompleted({ taskId, status, text }) {
      use.ended(taskId, status === "completed" ? text : "");
    },
  };
}
