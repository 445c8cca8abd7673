import type { Clock } from "../clock.ts";
import { mergePrompt } from "../context/index.ts";
import { AssistantError } from "../errors.ts";
import type { LifecycleParts } from "../memory/index.ts";
import { type Store, type Value, storeKey } from "../store/index.ts";
import type { ModelRedactor } from "../telemetry/index.ts";
import { type ModelCalls, type TurnAgent, createTurnStop, withoutOffline } from "../turn/index.ts";

/** Memories that a model joins in a day (UTC), of everybody together and over restarts: it is work that nobody asked for, so it costs next to nothing. */
export const MOST_MODEL_MERGES_A_DAY = 10;
const MOST_SECONDS = 20;
/** Longer notes together are joined without a model. */
const MOST_CHARS = 8000;
const COUNT_KEY = storeKey("memory-merges", "day.json");
const FORMAT = 1;

export interface MemoryMergesParts {
  readonly modelCalls: Pick<ModelCalls, "ask" | "budget">;
  readonly agent: TurnAgent;
  readonly store: Pick<Store, "get" | "put">;
  readonly clock: Clock;
  /** People write entries by hand: what holds a secret is not given to a model, and is joined without one, so that it stays in the file. */
  readonly redact: ModelRedactor;
}

/**
 * What a real model makes of memories that say nearly the same. Counted as use of the memory's person, within the budget.
 *
 * Source: docs/memory-days.md, "Tidying".
 *
 * @returns `undefined` without a real model.
 */
export function createMemoryMerges(parts: MemoryMergesParts): LifecycleParts["summarise"] {
  const { modelCalls, store, clock, redact } = parts;
  const agent = withoutOffline(parts.agent);
  if (agent.models.length === 0) return undefined;

  /** Before the call: one that fails counts too. @throws {ConflictError} When another process counts in the same moment. */
  async function take(): Promise<boolean> {
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    const found = await store.get(COUNT_KEY);
    const count = countOf(found?.value, day);
    if (count >= MOST_MODEL_MERGES_A_DAY) return false;
    await store.put(COUNT_KEY, { v: FORMAT, day, count: count + 1 }, { expect: found?.version ?? null });
    return true;
  }

  return async (texts, { userId, signal }) => {
    const budget = modelCalls.budget();
    if (!budget.ok) throw new AssistantError("BUDGET_EXCEEDED", budget.reason);
    if (texts.join("").length > MOST_CHARS || texts.some((text) => redact(text) !== text) || !(await take())) return "";
    const stop = createTurnStop(clock, signal ?? new AbortController().signal);
    stop.limit(MOST_SECONDS);
    try {
      const session = { key: "memory", settings: {} };
      const writer = { id: "memory", user: userId, session, agent, signal: stop.signal };
      const { text } = await modelCalls.ask(writer, { ...mergePrompt(texts), tools: [] });
      return text;
    } finally {
      stop.release();
    }
  };
}

function countOf(value: Value | undefined, day: string): number {
  const { day: ofDay, count } = (value ?? {}) as { readonly day?: unknown; readonly count?: unknown };
  return ofDay === day && typeof count === "number" ? count : 0;
}
