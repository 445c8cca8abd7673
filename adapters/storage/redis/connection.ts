import type { Redis, RedisOptions } from "ioredis";
import { AssistantError, systemClock } from "../../../mod.ts";
import { messageOf, withTimeout } from "../../../kit.ts";

/** The part of the package `ioredis` that the store uses. */
export interface RedisPackage {
  readonly Redis: new (url: string, options: RedisOptions) => Redis;
}

/** Silence after which a connected server counts as gone, in milliseconds. */
const SILENCE_MS = 15_000;

/**
 * Connects once, within `timeoutMs`. The error of a failed connection says in one sentence what to do. After that, the
 * connection reconnects by itself without a limit.
 *
 * A command that was under way when the connection broke fails and is never sent again, since the server may have run
 * it.
 *
 * @throws {AssistantError} `OPTION_INVALID` for a wrong URL, `STORE_UNAVAILABLE` without the package or the server.
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
    // Both together: a command that was under way when a connection closed fails at once and is not sent again.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (attempts) => (opened ? Math.min(attempts * 100, 2000) : null),
  });
  // Without a listener, ioredis prints errors. A command's error reaches its caller; of the others, the last one tells
  // the reason.
  redis.on("error", (error: unknown) => (reason = error));

  try {
    // ioredis stays in database 0 when the server has no database of this number.
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

/**
 * Unrefs the connection and its reconnect timer, so that an idle process can end. `whileAwaited` keeps the process
 * alive during a call.
 */
function keepNoProcessAlive(redis: Redis): void {
  const unrefSocket = () => redis.stream.unref();
  unrefSocket();
  redis.on("connect", unrefSocket);
  redis.on("reconnecting", () => {
    const { reconnectTimeout } = redis as unknown as { readonly reconnectTimeout?: { unref?(): void } | null };
    reconnectTimeout?.unref?.();
  });
}

/** Runs calls to the server. The process stays alive while one of them is under way. */
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

/** Host and port, without the password, for messages. */
function describeServer(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const database = parsed?.pathname.slice(1) || parsed?.searchParams.get("db");
  if (parsed === undefined || !["redis:", "rediss:"].includes(parsed.protocol) || /\D/.test(database ?? "")) {
    // The message leaves the value out, since it may hold a password.
    throw new AssistantError(
      "OPTION_INVALID",
      "The url of a Redis store must be like redis://user:password@host:6379/0, or rediss:// for TLS",
    );
  }
  return parsed.host === "" ? "127.0.0.1:6379" : parsed.host;
}
