import type { Clock } from "../clock.ts";
import type { Logger, Metrics } from "../telemetry/index.ts";
import type { Store } from "../store/index.ts";
import type { Context } from "hono";
import { rateLimiter } from "hono-rate-limiter";
import { type RateCounter, createRateCounter, createSharedRateCounter } from "../guard/index.ts";
import type { RateLimitOptions } from "./options.ts";
import { problem } from "./problem.ts";

/** Stands before a handler: `limit` answers 429 or runs it. */
export interface RateLimit {
  /** @param key Who is counted; `undefined` is not counted. Contract: no two who should be told apart have the same. */
  limit(context: Context, key: string | undefined, handle: () => Promise<Response>): Promise<Response>;
}

const WINDOW_MS = 60_000;
/** Requests a minute. */
export const DEFAULT_PER_SOURCE = 600;
export const DEFAULT_PER_TOKEN = 120;

export interface RateLimitsDeps {
  /** Default: limits are on, with the numbers of `RateLimitOptions`. */
  readonly rateLimit?: RateLimitOptions | undefined;
  /** Where requests with one token are counted when its compare-and-set reaches every client (`caps.cas` is `global`). Default: in this process. */
  readonly store?: Pick<Store, "caps" | "get" | "put">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The two limits of the door. */
export function createRateLimits(deps: RateLimitsDeps): {
  /** By where a request comes from. Counted in this process: strangers must not write to the store. */
  readonly source: RateLimit;
  /** By the caller's token. Counted in the store where several processes share one. */
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
    // Its own headers are written by the wall clock.
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
      // The middleware gives a response only when it refuses.
      return answer ?? (refusal as Response);
    },
  };
}
