import type { InRecord, LoggedTurn } from "../../session/index.ts";
import type { HookOptions } from "../hook-registry.ts";
import type { ProactiveHook } from "../hook.ts";
import { DEFAULT_REFRESH_INTERVAL, DEFAULT_REFRESH_TOKENS, type MemoryFlowOptions } from "./options.ts";
import type { RecallDeps } from "./recall.ts";
import { showMemories } from "./show-memories.ts";
import { outputText, textsOf, visibleIn } from "./visible.ts";

/** Kept below 200 ms, because a model call waits for it. */
export const REFRESH_OPTIONS: HookOptions = { timeoutMs: 180 };
const LIMIT = 3;
/** First step with a refresh. Shorter turns use the recall at their start. */
const MIN_STEPS = 3;
const CANDIDATES = 12;
const MAX_WORDS = 24;
/** Maximum characters read from each tool result. */
const MAX_RESULT_CHARS = 1500;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}_'-]*/gu;

/**
 * During a long turn, adds the memories that fit the tool results since the last refresh. Skips what the prompt already
 * shows.
 *
 * Source: docs/capture.md, "Recall within a turn".
 */
export function iterationRefresh(
  { memory, memoryUserOf, sessions, events, clock, redact }: RecallDeps,
  options: MemoryFlowOptions = {},
): ProactiveHook {
  const { refreshInterval = DEFAULT_REFRESH_INTERVAL, refreshTokens = DEFAULT_REFRESH_TOKENS, historyTokens } = options;
  return {
    name: "memory-refresh",
    async onIterationStart({ taskId, step }, { sessionKey, dryRun }) {
      if (refreshInterval < 1 || step <= MIN_STEPS || (step - 1) % refreshInterval !== 0) return [];
      const session = await sessions.load(sessionKey);
      const { open } = session;
      const speaker = open?.inputs.findLast((input): input is InRecord & { seq: number } => input.type === "in");
      if (open?.id !== taskId || !speaker) return [];
      const text = newestWords(open, step - 1 - refreshInterval);
      if (text === "") return [];
      const found = await memory.find({ userId: memoryUserOf(speaker), text, limit: CANDIDATES });
      const visible = visibleIn(session, textsOf(open), historyTokens);
      const shown = showMemories(
        found.filter(({ entry }) => !visible.has(entry)),
        LIMIT,
        refreshTokens,
        redact,
      );
      if (!dryRun && events.has("proactive.context.refresh")) {
        const payload = { taskId, step, count: shown.length };
        events.publishAsync({
          type: "proactive.context.refresh",
          sessionId: sessionKey,
          timestamp: clock.now(),
          payload,
        });
      }
      return shown;
    },
  };
}

/** Returns the most frequent words of tool results since a step; of equally frequent words, the first. */
function newestWords({ tools }: LoggedTurn, fromStep: number): string {
  const counts = new Map<string, number>();
  for (const { step, output } of tools) {
    if (step < fromStep) continue;
    for (const text of outputText(output))
      for (const [word] of text.slice(0, MAX_RESULT_CHARS).matchAll(WORD))
        if (word.length > 2 || /\p{Script=Han}/u.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words = [...counts].sort(([, one], [, other]) => other - one).slice(0, MAX_WORDS);
  return words.map(([word]) => word).join(" ");
}
