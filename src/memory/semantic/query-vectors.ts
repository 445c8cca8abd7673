import QuickLRU from "quick-lru";
import type { Clock } from "../../clock.ts";
import { startDeadline, withTimeout } from "../../time-limit.ts";
import type { Embedder } from "../embedder.ts";
import { embedTexts, embeddable } from "./embed-texts.ts";

/** Embeddings of questions. */
export interface QueryVectors {
  /**
   * Embeds a question; `undefined` when it takes too long, or when the embedder fails or is paused after repeated
   * failures. Contract: never rejects. A late answer is cached for the next time.
   */
  find(text: string, signal?: AbortSignal): Promise<Float32Array | undefined>;
  /**
   * Embeds several texts, in order; one call for those that are not cached. `undefined` unless all are there in time.
   * Contract: as of `find`.
   */
  findAll(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[] | undefined>;
  stop(): void;
}

/** Most cached embeddings: of questions, and of texts that tasks are compared with. */
const MAX_KEPT = 256;
/** Timeout of a call, in milliseconds. */
const CALL_TIMEOUT_MS = 10_000;
/** Consecutive failures after which the embedder is paused. */
const FAILURES_BEFORE_PAUSE = 3;
const FIRST_PAUSE_MS = 15_000;
const MAX_PAUSE_MS = 300_000;

export function createQueryVectors(parts: {
  readonly embedder: Embedder;
  readonly clock: Clock;
  readonly timeoutMs: number;
  onFailure(error: unknown): void;
  onSuccess(): void;
}): QueryVectors {
  const { embedder, clock, timeoutMs } = parts;
  const kept = new QuickLRU<string, Promise<Float32Array | undefined>>({ maxSize: MAX_KEPT });
  const stopping = new AbortController();
  let failures = 0;
  let pause = { fromMs: Infinity, untilMs: -Infinity };

  function failed(error: unknown): void {
    failures += 1;
    const nowMs = clock.now();
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - FAILURES_BEFORE_PAUSE));
    if (failures >= FAILURES_BEFORE_PAUSE) pause = { fromMs: nowMs, untilMs: nowMs + pauseMs };
    parts.onFailure(error);
  }

  async function ask(texts: readonly string[]): Promise<readonly Float32Array[] | undefined> {
    const startedMs = clock.now();
    const drop = () => {
      for (const text of texts) kept.delete(text);
    };
    const giveUp = () => {
      drop();
      return new Error(`The embedding of a question took more than ${CALL_TIMEOUT_MS} ms`);
    };
    const deadline = startDeadline(clock, CALL_TIMEOUT_MS, giveUp, stopping.signal);
    try {
      const vectors = await embedTexts(embedder, texts, deadline.signal);
      if (clock.now() - startedMs <= timeoutMs) {
        failures = 0;
        parts.onSuccess();
      }
      return vectors;
    } catch (error) {
      drop();
      if (!stopping.signal.aborted) failed(error);
      return undefined;
    } finally {
      deadline.end();
    }
  }

  async function findAll(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[] | undefined> {
    const values = texts.map(embeddable);
    if (values.includes("") || stopping.signal.aborted) return undefined;
    const answers = new Map(values.map((value) => [value, kept.get(value)]));
    const missing = [...answers.keys()].filter((value) => !answers.get(value));
    if (missing.length > 0) {
      // If the clock was set back in the meantime, the pause ends.
      if (clock.now() >= pause.fromMs && clock.now() < pause.untilMs) return undefined;
      const asked = ask(missing);
      for (const [place, value] of missing.entries()) {
        const answer = asked.then((vectors) => vectors?.[place]);
        kept.set(value, answer);
        answers.set(value, answer);
      }
    }

    const late = () => {
      failed(new Error(`The embedding of a question took more than ${timeoutMs} ms`));
      return undefined;
    };
    const all = Promise.all(values.map(async (value) => answers.get(value)));
    // It rejects only when the signal aborts.
    const vectors = await withTimeout(clock, timeoutMs, all, late, signal).catch(() => undefined);
    return vectors?.every((vector) => vector !== undefined) ? vectors : undefined;
  }

  return {
    find: async (text, signal) => (await findAll([text], signal))?.[0],
    findAll,
    stop: () => stopping.abort(new Error("The memory is stopping")),
  };
}
