import { APICallError } from "ai";
import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import { isContentFiltered } from "./content-filter.ts";
import type { Metrics } from "../telemetry/index.ts";
import type { ModelObject } from "./fold-stream.ts";
import { modelName } from "./model-info.ts";

/** A model's cool-down after a failure. */
export interface CoolDown {
  /** Milliseconds since the epoch. */
  readonly untilMs: number;
  /** Failures since the last answer. Failures during a cool-down do not count. */
  readonly failures: number;
}

/**
 * The models in a cool-down after a recent failure. One per assistant; kept in memory,
 * and weakly by the model's object.
 */
export interface CoolDowns {
  /** A model's cool-down; `undefined` if it may be asked. */
  of(model: ModelObject): CoolDown | undefined;
  /**
   * Contract: after a failure that can pass with time, the model gets a cool-down.
   * @returns Its length in milliseconds; `undefined` for other failures.
   */
  failed(model: ModelObject, error: unknown): number | undefined;
  /** The model answered: ends its cool-down and forgets its failures. */
  answered(model: ModelObject): void;
}

export interface CoolDownOptions {
  readonly clock: Pick<Clock, "now">;
  /** Counts cool-downs, `model.cooldown_total`. */
  readonly metrics?: Pick<Metrics, "increment">;
  /** First cool-down, in milliseconds; doubles with each further failure. Default 30_000. */
  readonly baseMs?: number;
  /** Longest cool-down from doubling, in milliseconds. Default 300_000 (5 minutes). */
  readonly capMs?: number;
}

/** Longest cool-down that a provider may ask for, and the cool-down after a refused key. */
const MAX_MS = 600_000;
const BUSY = new Set([408, 429, 502, 503, 504, 529]);
/** Problems with a key or a bill are not fixed within a minute. */
const REFUSED = new Set([401, 402, 403]);
const BUSY_WORDS =
  /overloaded|rate.?limit|too many requests|timed? ?out|fetch failed|ECONN|socket|network|stream ended without/i;

/**
 * Models that were overloaded, over their rate limit, silent or unreachable are asked last for a while, so that not
 * every turn waits for the same failure.
 *
 * Source: docs/models-failures.md, "When a model fails".
 */
export function createCoolDowns(options: CoolDownOptions): CoolDowns {
  const { clock, metrics, baseMs = 30_000, capMs = 300_000 } = options;
  const resting = new WeakMap<ModelObject, { readonly rest: CoolDown; readonly sinceMs: number }>();

  function of(model: ModelObject): CoolDown | undefined {
    const { rest, sinceMs = 0 } = resting.get(model) ?? {};
    const nowMs = clock.now();
    // A start in the future means that the clock was set back. The model would rest until the clock has
    // caught up, so it is asked now.
    return rest !== undefined && nowMs < rest.untilMs && nowMs >= sinceMs ? rest : undefined;
  }

  return {
    of,
    failed(model, error) {
      const kind = kindOf(error);
      if (kind === "other") return undefined;
      const before = of(model);
      const failures = before?.failures ?? (resting.get(model)?.rest.failures ?? 0) + 1;
      const planned = Math.min(capMs, baseMs * 2 ** Math.min(failures - 1, 20));
      const asked = APICallError.isInstance(error) ? retryAfterMs(error.responseHeaders) : undefined;
      // A provider that asked for a short wait and failed again gets the longer, planned one.
      const waitMs =
        kind === "refused"
          ? MAX_MS
          : asked === undefined
            ? planned
            : Math.min(MAX_MS, failures === 1 ? asked : Math.max(asked, planned));
      const sinceMs = clock.now();
      const untilMs = Math.max(before?.untilMs ?? 0, sinceMs + waitMs);
      resting.set(model, { rest: { untilMs, failures }, sinceMs });
      if (before === undefined) metrics?.increment("model.cooldown_total", { model: modelName(model) });
      return untilMs - sinceMs;
    },
    answered(model) {
      resting.delete(model);
    },
  };
}

/** Whether another try within seconds is useful. After a timeout it is not: the time is already used. */
export function mayPass(error: unknown): boolean {
  if (APICallError.isInstance(error)) {
    return error.isRetryable || ((error.statusCode ?? 400) < 400 && kindOf(error) === "busy");
  }
  if (AssistantError.is(error) || (error instanceof Error && error.name === "TimeoutError")) return false;
  // An overload reported in a stream, or the stream's early end.
  return kindOf(error) === "busy";
}

function kindOf(error: unknown): "busy" | "refused" | "other" {
  if (APICallError.isInstance(error)) {
    const { statusCode, isRetryable, message } = error;
    if (statusCode === undefined) return isRetryable ? "busy" : "other";
    // One person's words must not take the model away from other people.
    if (isContentFiltered(error)) return "other";
    if (REFUSED.has(statusCode)) return "refused";
    // Anthropic reports an overload inside a stream that began with 200.
    return BUSY.has(statusCode) || (statusCode < 400 && BUSY_WORDS.test(message)) ? "busy" : "other";
  }
  // Below the choice of models, only a timeout throws this.
  if (AssistantError.is(error)) return error.code === "MODEL_UNAVAILABLE" ? "busy" : "other";
  if (!(error instanceof Error)) return "other";
  return error.name === "TimeoutError" || BUSY_WORDS.test(error.message) ? "busy" : "other";
}

/** Reads seconds only: a date in this header would require that both clocks agree. */
export function retryAfterMs(headers: Readonly<Record<string, string>> | undefined): number | undefined {
  const milliseconds = Number(headers?.["retry-after-ms"]);
  if (Number.isFinite(milliseconds) && milliseconds > 0) return milliseconds;
  const seconds = Number(headers?.["retry-after"]);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
}
