import type { Clock } from "../clock.ts";
import type { Logger, Metrics } from "../telemetry/index.ts";
import type { Store } from "../store/index.ts";
import type { Context } from "hono";
import { rateLimiter } from "hono-rate-limiter";
import { type RateCounter, createRateCounter, createSharedRateCounter } from "../guard/index.ts";
import type { RateLimitOptions } from "./options.ts";
import { problem } from "./problem.ts";

/** Limits a handler: `limit` answers 429 or runs it. */
export interface RateLimit {
  /** @param key The key to count; `undefined` is not counted. Contract: distinct clients have distinct keys. */
  limit(context: Context, key: string | undefined, handle: () => Promise<Response>): Promise<Response>;
}

const WINDOW_MS = 60_000;
/** Requests per minute. */
export const DEFAULT_PER_SOURCE = 600;
export const DEFAULT_PER_TOKEN = 120;

export interface RateLimitsDeps {
  /** Default: limits are on, with the default numbers of `RateLimitOptions`. */
  readonly rateLimit?: RateLimitOptions | undefined;
  /**
   * Store for the counts by token, used if its compare-and-set reaches every client (`caps.cas` is `global`). Default:
   * counted in this process.
   */
  readonly store?: Pick<Store, "caps" | "get" | "put">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Creates the two rate limits of the HTTP server. */
export function createRateLimits(deps: RateLimitsDeps): {
  /** By the source of a request. Counted in this process, because strangers must not cause writes to the store. */
  readonly source: RateLimit;
  /** By the caller's token. Counted in the store if several processes share it. */
  readonly token: RateLimit;
} {
  const { clock, logger, store } = deps;
  const { enabled = true, perSource = DEFAULT_PER_SOURCE, perToken = DEFAULT_PER_TOKEN } = deps.rateLimit ?? {};
  if (!enabled) return { source: unlimited, token: unlimited };
  const inProcess = (limit: number) => createRateCounter({ clock, windowMs: WINDOW_MS, limit });
  const shared =
    store?.caps.cas === "global" &&
    createSharedRateCounter({ clock, windowMs: WINDOW_MS, limit: perToken, store, name: "http", logger });
  return {
    source: createRateLimit(deps, { name: "source", limit: perSource, counter: inProcess(perSource) }),
    token: createRateLimit(deps, { name: "token", limit: perToken, counter: shared || inProcess(perToken) }),
  };
}

const unlimited: RateLimit = { limit: (_context, _key, handle) => handle() };

function createRateLimit(
  { clock, metrics }: Pick<RateLimitsDeps, "clock" | "metrics">,
  options: { readonly name: "source" | "token"; readonly limit: number; readonly counter: RateCounter },
): RateLimit {
  const { name, limit, counter } = options;
  const keys = new WeakMap<Context, string>();

  const middleware = rateLimiter({
    windowMs: WINDOW_MS,
    limit,
    // The middleware would use the wall clock for its own headers.
    standardHeaders: false,
    keyGenerator: (context) => keys.get(context) ?? "",
    store: {
      async increment(key: string) {
        const { hits, endsMs } = await counter.hit(key);
        return { totalHits: hits, resetTime: new Date(endsMs) };
      },
      decrement() {},
      resetKey() {},
    },
    handler: (context) => {
      const seconds = secondsLeft(context);
      metrics.increment("http.rate_limited_total", { limit: name });
      const detail = `More than ${limit} requests a minute with one ${name === "token" ? "token" : "address"}: try again in ${seconds} seconds`;
      return problem("RATE_LIMITED", detail, { retryAfter: seconds, headers: headersOf(context) });
    },
  });

  function secondsLeft(context: Context): number {
    const resetMs = context.get("rateLimit").resetTime.getTime();
    return Math.max(1, Math.ceil((resetMs - clock.now()) / 1000));
  }

  /** Source: https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/10/ */
  function headersOf(context: Context): Record<string, string> {
    return {
      "ratelimit-policy": `"${name}";q=${limit};w=${WINDOW_MS / 1000}`,
      ratelimit: `"${name}";r=${context.get("rateLimit").remaining};t=${secondsLeft(context)}`,
    };
  }

  return {
    async limit(context, key, handle) {
      if (key === undefined) return handle();
      keys.set(context, key);
      let answer: Response | undefined;
      const refusal = await middleware(context, async () => {
        const headers = headersOf(context);
        answer = await handle();
        for (const [header, value] of Object.entries(headers))
          if (!answer.headers.has(header)) answer.headers.set(header, value);
      });
      // The middleware returns a response only when it refuses.
      return answer ?? (refusal as Response);
    },
  };
}
