import { APICallError } from "ai";
import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import { isContentFiltered } from "./content-filter.ts";
import type { Metrics } from "../telemetry/index.ts";
import type { ModelObject } from "./fold-stream.ts";
import { modelName } from "./model-info.ts";

/** How a model rests after a failure. */
export interface CoolDown {
  /** Milliseconds since the epoch. */
  readonly untilMs: number;
  /** Failures since the last answer; those while it rests do not count again. */
  readonly failures: number;
}

/** Which models rest, since they failed a moment ago. One for an assistant; held in memory, gone with the model's object. */
export interface CoolDowns {
  /** How a model rests; `undefined` when it may be asked. */
  of(model: ModelObject): CoolDown | undefined;
  /** Contract: after a failure that a wait may heal the model rests. @returns For how long, in milliseconds; `undefined` for other failures. */
  failed(model: ModelObject, error: unknown): number | undefined;
  /** It answered: it rests no more, and its failures are forgotten. */
  answered(model: ModelObject): void;
}

export interface CoolDownOptions {
  readonly clock: Pick<Clock, "now">;
  /** Counts rests, `model.cooldown_total`. */
  readonly metrics?: Pick<Metrics, "increment">;
  /** First rest, in milliseconds; doubles with each failure that follows. Default 30_000. */
  readonly baseMs?: number;
  /** Longest rest of doubling, in milliseconds. Default 300_000 (5 minutes). */
  readonly capMs?: number;
}

/** Longest rest that a provider may ask for, and the rest after a refused key. */
const MAX_MS = 600_000;
const BUSY = new Set([408, 429, 502, 503, 504, 529]);
/** Nobody mends a key, or pays a bill, within a minute. */
const REFUSED = new Set([401, 402, 403]);
const BUSY_WORDS =
  /overloaded|rate.?limit|too many requests|timed? ?out|fetch failed|ECONN|socket|network|stream ended without/i;

/**
 * Models that were overloaded, over their limit, silent or unreachable are asked last for a while, so that not every turn waits for the same failure.
 *
 * Source: docs/models-failures.md, "When a model fails".
 */
export function createCoolDowns(options: CoolDownOptions): CoolDowns {
  const { clock, metrics, baseMs = 30_000, capMs = 300_000 } = options;
  const resting = new WeakMap<ModelObject, { readonly rest: CoolDown; readonly sinceMs: number }>();

  function of(model: ModelObject): CoolDown | undefined {
    const { rest, sinceMs = 0 } = resting.get(model) ?? {};
    const nowMs = clock.now();
    // A rest that begins later than now: the clock was set back, and the model would rest until it is where it was. It is asked, and rests again if it fails.
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
      // Whoever asks for little and fails again is not believed a second time.
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

/** Is another try within seconds worth it? Not after a timeout, which took its time already. */
export function mayPass(error: unknown): boolean {
  if (APICallError.isInstance(error)) {
    return error.isRetryable || ((error.statusCode ?? 400) < 400 && kindOf(error) === "busy");
  }
  if (AssistantError.is(error) || (error instanceof Error && error.name === "TimeoutError")) return false;
  // An overload that is reported in a stream, or the stream's early end.
  return kindOf(error) === "busy";
}

function kindOf(error: unknown): "busy" | "refused" | "other" {
  if (APICallError.isInstance(error)) {
    const { statusCode, isRetryable, message } = error;
    if (statusCode === undefined) return isRetryable ? "busy" : "other";
    // One person's words must not take the model from everybody else.
    if (isContentFiltered(error)) return "other";
    if (REFUSED.has(statusCode)) return "refused";
    // Anthropic reports an overload inside of a stream that began with 200.
    return BUSY.has(statusCode) || (statusCode < 400 && BUSY_WORDS.test(message)) ? "busy" : "other";
  }
  // Nothing but a timeout throws this below the choice of models.
  if (AssistantError.is(error)) return error.code === "MODEL_UNAVAILABLE" ? "busy" : "other";
  if (!(error instanceof Error)) return "other";
  return error.name === "TimeoutError" || BUSY_WORDS.test(error.message) ? "busy" : "other";
}

/** Seconds only: a date in this header would need the provider's clock to agree with ours. */
export function retryAfterMs(headers: Readonly<Record<string, string>> | undefined): number | undefined {
  const milliseconds = Number(headers?.["retry-after-ms"]);
  if (Number.isFinite(milliseconds) && milliseconds > 0) return milliseconds;
  const seconds = Number(headers?.["retry-after"]);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
}
