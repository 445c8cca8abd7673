import { mergePrompt } from "../../context/index.ts";
import type { Clock } from "../../clock.ts";
import { AssistantError } from "../../errors.ts";
import type { LifecycleParts } from "../../memory/index.ts";
import { type Store, type Value, storeKey } from "../../store/index.ts";
import type { ModelRedactor } from "../../telemetry/index.ts";

/**
 * Maximum merges by a model per UTC day, over all users and restarts. No user asked for this work, so its cost must
 * stay negligible.
 */
export const MAX_MODEL_MERGES_A_DAY = 10;
const MAX_SECONDS = 20;
/** Longer entries are merged without a model. */
const MAX_CHARS = 8000;
const COUNT_KEY = storeKey("memory-merges", "day.json");
const FORMAT = 1;

export interface MemoryMergesDeps {
  /** A real model, used outside of turns. Without one, entries are merged without a model. */
  readonly model:
    | {
        budget(): { readonly ok: true } | { readonly ok: false; readonly reason: string };
        ask(
          prompt: ReturnType<typeof mergePrompt>,
          work: {
            readonly name: string;
            readonly user: string;
            readonly signal?: AbortSignal | undefined;
            readonly maxSeconds: number;
          },
        ): Promise<string>;
      }
    | undefined;
  readonly store: Pick<Store, "get" | "put">;
  readonly clock: Pick<Clock, "now">;
  /**
   * People edit entries by hand. An entry with a secret is not sent to a model; it is merged without one, so the secret
   * stays in the file.
   */
  readonly redact: ModelRedactor;
}

/**
 * Merges nearly equal memories with a real model. The tokens count towards the memory's person and the budget.
 *
 * Source: docs/memory-days.md, "Tidying".
 *
 * @returns `undefined` without a real model.
 */
export function createMemoryMerges({ model, store, clock, redact }: MemoryMergesDeps): LifecycleParts["summarise"] {
  if (model === undefined) return undefined;

  /**
   * Counts a merge before the call, so that a failed one counts too.
   * @throws {ConflictError} If another process counts at the same time.
   */
  async function take(): Promise<boolean> {
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    const found = await store.get(COUNT_KEY);
    const count = countOf(found?.value, day);
    if (count >= MAX_MODEL_MERGES_A_DAY) return false;
    await store.put(COUNT_KEY, { v: FORMAT, day, count: count + 1 }, { expect: found?.version ?? null });
    return true;
  }

  return async (texts, { userId: user, signal }) => {
    const budget = model.budget();
    if (!budget.ok) throw new AssistantError("BUDGET_EXCEEDED", budget.reason);
    if (texts.join("").length > MAX_CHARS || texts.some((text) => redact(text) !== text) || !(await take())) return "";
    return model.ask(mergePrompt(texts), { name: "memory", user, signal, maxSeconds: MAX_SECONDS });
  };
}

function countOf(value: Value | undefined, day: string): number {
  const { day: ofDay, count } = (value ?? {}) as { readonly day?: unknown; readonly count?: unknown };
  return ofDay === day && typeof count === "number" ? count : 0;
}
