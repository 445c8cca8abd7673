import { type RateCounter, createRateCounter, createSharedRateCounter } from "../guard/index.ts";
import type { HttpParts } from "./parts.ts";
import { problem } from "./problem.ts";

/** How often who may ask. Source: docs/http.md, "Limits". */
export interface RateLimitOptions {
  /** Default true. */
  readonly enabled?: boolean;
  /** Requests a minute from one address, before the token is looked at. Default 600. */
  readonly perSource?: number;
  /** Requests a minute with one token. Default 120. */
  readonly perToken?: number;
}

/** Stands before a handler: `limit` answers 429 or runs it. */
export interface RateLimit {
  /** @param key Who is counted; `undefined` is not counted. Contract: no two who should be told apart have the same. */
  limit(key: string | undefined, handle: () => Promise<Response>): Promise<Response>;
}

const WINDOW_MS = 60_000;

/** The two limits of the door. */
export function createRateLimits(parts: Pick<HttpParts, "clock" | "logger" | "metrics" | "rateLimit" | "store">): {
  /** By where a request comes from. Counted in this process: strangers must not write to the store. */
  readonly source: RateLimit;
  /** By the caller's token. Counted in the store where several processes share one. */
  readonly token: RateLimit;
} {
  const { clock, logger, store } = parts;
  const { enabled = true, perSource = 600, perToken = 120 } = parts.rateLimit ?? {};
  if (!enabled) return { source: unlimited, token: unlimited };
  const inProcess = (limit: number) => createRateCounter({ clock, windowMs: WINDOW_MS, limit });
  const shared =
    store?.caps.cas === "global" &&
    createSharedRateCounter({ clock, windowMs: WINDOW_MS, limit: perToken, store, name: "http", logger });
  return {
    source: createRateLimit(parts, { name: "source", limit: perSource, counter: inProcess(perSource) }),
    token: createRateLimit(parts, { name: "token", limit: perToken, counter: shared || inProcess(perToken) }),
  };
}

const unlimited: RateLimit = { limit: (_key, handle) => handle() };

function createRateLimit(
  { clock, metrics }: Pick<HttpParts, "clock" | "metrics">,
  options: { readonly name: "source" | "token"; readonly limit: number; readonly counter: RateCounter },
): RateLimit {
  const { name, limit, counter } = options;

  /** Source: https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/10/ */
  const headersOf = (remaining: number, seconds: number) => ({
    "ratelimit-policy": `"${name}";q=${limit};w=${WINDOW_MS / 1000}`,
    ratelimit: `"${name}";r=${remaining};t=${seconds}`,
  });

  return {
    async limit(key, handle) {
      if (key === undefined) return handle();
      const { hits, endsMs } = await counter.hit(key);
      const seconds = Math.max(1, Math.ceil((endsMs - clock.now()) / 1000));
      const headers = headersOf(Math.max(0, limit - hits), seconds);
      if (hits > limit) {
        metrics.increment("http.rate_limited_total", { limit: name });
        const detail = `More than ${limit} requests a minute with one ${name === "token" ? "token" : "address"}: try again in ${seconds} seconds`;
        return problem("RATE_LIMITED", detail, { retryAfter: seconds, headers });
      }
      const answer = await handle();
      for (const [header, value] of Object.entries(headers))
        if (!answer.headers.has(header)) answer.headers.set(header, value);
      return answer;
    },
  };
}
