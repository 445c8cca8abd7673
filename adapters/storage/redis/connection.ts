import type { Redis, RedisOptions } from "ioredis";
import { AssistantError, systemClock } from "../../../mod.ts";
import { messageOf, withTimeout } from "../../../kit.ts";

/** The part of the package `ioredis` that is used. */
export interface RedisPackage {
  readonly Redis: new (url: string, options: RedisOptions) => Redis;
}

/** A server that is connected but silent for so long counts as gone. */
const SILENCE_MS = 15_000;

/**
 * Connects once, within `timeoutMs`, and says in one sentence what to do when that fails. Later it reconnects by itself, for as long as it takes.
 *
 * A command that was under way when the connection broke fails and is never sent again: nobody knows whether the server ran it.
 *
 * @throws {AssistantError} `OPTION_INVALID` for a URL that is none, `STORE_UNAVAILABLE` without the package or the server.
 */
export async function connectRedis(
  url: string,
  timeoutMs: number,
  load: () => Promise<RedisPackage> = () => import("ioredis"),
): Promise<Redis> {
  const where = describeServer(url);
  const { Redis } = await load().catch((cause: unknown) => {
    throw new AssistantError(
      "STORE_UNAVAILABLE",
      "The Redis store needs the package ioredis: run npm install ioredis",
      { cause },
    );
  });

  let opened = false;
  let reason: unknown;
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    socketTimeout: SILENCE_MS,
    enableAutoPipelining: true,
    // Both at once: what was under way when a connection closed is refused there and then, and is not sent again.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempts) => (opened ? Math.min(attempts * 100, 2000) : null),
  });
  // ioredis prints errors that nobody listens to. Those of a command reach its caller; of the others the last one tells why.
  redis.on("error", (error: unknown) => (reason = error));

  try {
    // ioredis goes on in database 0 where the server has none of this number.
    const chosen = redis.connect().then(() => redis.select(redis.options.db ?? 0));
    await withTimeout(systemClock(), timeoutMs, chosen, () => {
      throw new Error(`no answer within ${timeoutMs} ms`);
    });
  } catch (error) {
    redis.disconnect();
    throw new AssistantError(
      "STORE_UNAVAILABLE",
      `Cannot reach the Redis server at ${where}: ${messageOf(reason ?? error)}; start it, or correct the url of the store`,
      { cause: reason ?? error },
    );
  }
  opened = true;
  keepNoProcessAlive(redis);
  return redis;
}

/** The connection, and the wait before it is made again, let a process end that has nothing else to do. A call that awaits an answer holds it by `whileAwaited`. */
function keepNoProcessAlive(redis: Redis): void {
  const unrefSocket = () => redis.stream.unref();
  unrefSocket();
  redis.on("connect", unrefSocket);
  redis.on("reconnecting", () => {
    const { reconnectTimeout } = redis as unknown as { readonly reconnectTimeout?: { unref?(): void } | null };
    reconnectTimeout?.unref?.();
  });
}

/** Runs calls of the server. The process lives as long as one of them is under way. */
export function whileAwaited() {
  let awaited = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  return async <T>(call: () => Promise<T>): Promise<T> => {
    if (awaited++ === 0) timer = setInterval(() => {}, 2 ** 30);
    try {
      return await call();
    } finally {
      if (--awaited === 0) clearInterval(timer);
    }
  };
}

/** Host and port without the password, for messages. */
function describeServer(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const database = parsed?.pathname.slice(1) || parsed?.searchParams.get("db");
  if (parsed === undefined || !["redis:", "rediss:"].includes(parsed.protocol) || /\D/.test(database ?? "")) {
    // The value is left out of the message, as it may hold a password.
    throw new AssistantError(
      "OPTION_INVALID",
      "The url of a Redis store must be like redis://user:password@host:6379/0, or rediss:// for TLS",
    );
  }
  return parsed.host === "" ? "127.0.0.1:6379" : parsed.host;
}
