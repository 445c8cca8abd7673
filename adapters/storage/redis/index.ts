/**
 * A store on a Redis server, version 5 or later (not Redis Cluster): `redisStore({ url })`. Needs the package `ioredis`.
 *
 * @module
 */
import type { Redis } from "ioredis";
import { AssistantError, ConflictError, type JsonValue } from "../../../mod.ts";
import {
  decodeOrderedKey,
  decodeValue,
  encodeOrderedKey,
  encodeValue,
  messageOf,
  orderedKeyRange,
  type LogRecord,
  type ValueKind,
  type Store,
} from "../../../kit.ts";
import { connectRedis, whileAwaited } from "./connection.ts";
import { APPEND, GET, LIST, PUT, REMOVE } from "./scripts.ts";

/** Options of `redisStore`. */
export interface RedisStoreOptions {
  /** The server: `redis://user:password@host:6379/0`, or `rediss://` for TLS. */
  readonly url: string;
  /** Prefix of every key on the server, so that several stores can share it. Default `"wakeful:"`. */
  readonly prefix?: string;
  /** Longest wait for the first connection, in milliseconds. Default 3000. Later the store reconnects without a limit. */
  readonly connectTimeoutMs?: number;
}

type Answer = string | number | Uint8Array | null | readonly Answer[];
type Script = (...parts: (string | number | Uint8Array)[]) => Promise<Answer>;

const SCRIPTS = {
  wakefulGet: { lua: GET, numberOfKeys: 2 },
  wakefulPut: { lua: PUT, numberOfKeys: 3 },
  wakefulRemove: { lua: REMOVE, numberOfKeys: 4 },
  wakefulAppend: { lua: APPEND, numberOfKeys: 4 },
  wakefulList: { lua: LIST, numberOfKeys: 1 },
};

/** Version of the layout on the server, see scripts.ts. */
const FORMAT = 1;

/** Records fetched at once: few at first, since they may be large, then as many as fit in about a megabyte. */
const FIRST_PAGE = 16;
const MAX_PAGE = 512;
const PAGE_BYTES = 1_000_000;
const LIST_PAGE = 500;

/**
 * Documents and logs on a Redis server. Compare-and-set holds for every client. A resolved write is as durable as the
 * server's setup makes it (`appendonly yes`, `appendfsync always` for every write on disk). Calls of one tick share a
 * round trip.
 *
 * A call that was under way when the connection broke fails with `STORE_UNAVAILABLE`, and the server may have run it:
 * append with an `id` and try again.
 *
 * Source: docs/storage.md, "Redis".
 *
 * @throws {AssistantError} `STORE_UNAVAILABLE` without `ioredis` or without an answer in time; `OPTION_INVALID` for a
 *   wrong URL.
 */
export async function redisStore(options: RedisStoreOptions): Promise<Store> {
  const { url, prefix = "wakeful:", connectTimeoutMs = 3000 } = options;
  const redis = await connectRedis(url, connectTimeoutMs);
  const scripts = defineScripts(redis);
  const awaiting = whileAwaited();
  try {
    await awaiting(() => checkFormat(redis, `${prefix}format`));
  } catch (error) {
    redis.disconnect();
    throw error;
  }
  let closing: Promise<void> | undefined;

  const index = `${prefix}index`;
  const names = (key: string) => {
    const member = encodeOrderedKey(key);
    return { member, document: `${prefix}d:${member}`, log: `${prefix}l:${member}`, ids: `${prefix}i:${member}` };
  };

  async function run<T>(action: string, work: () => Promise<T>): Promise<T> {
    if (closing !== undefined) throw new AssistantError("STOPPED", `Cannot ${action} as the Redis store is closed`);
    try {
      return await awaiting(work);
    } catch (cause) {
      const message = messageOf(cause);
      // https://redis.io/docs/latest/operate/oss_and_stack/management/config/ : maxmemory with noeviction answers OOM.
      if (message.startsWith("OOM")) {
        throw new AssistantError(
          "STORE_FULL",
          `Redis has no memory left to ${action}: raise maxmemory or remove data`,
          { cause },
        );
      }
      throw new AssistantError("STORE_UNAVAILABLE", `Redis could not ${action}: ${message}`, { cause });
    }
  }

  return {
    caps: { replace: "atomic", append: "native", cas: "global", durable: "server" },

    async get(key) {
      const { document, log } = names(key);
      const answer = await run(`read ${JSON.stringify(key)}`, () => scripts.wakefulGet(document, log));
      if (Array.isArray(answer)) {
        const [kind, version, data] = answer as readonly Uint8Array[];
        return { value: decodeValue(text(kind) as ValueKind, plainBytes(data)), version: text(version) };
      }
      if (text(answer) === "log") throw notADocument(key);
      return null;
    },

    async put(key, value, { expect } = {}) {
      const { kind, data } = encodeValue(value);
      const { member, document, log } = names(key);
      const version = crypto.randomUUID();
      const mode = expect === undefined ? "any" : expect === null ? "none" : "is";
      const [state, actual] = await run(`put ${JSON.stringify(key)}`, async () =>
        list(await scripts.wakefulPut(document, log, index, member, mode, expect ?? "", kind, version, bytesOf(data))),
      );
      if (state === "log") throw notADocument(key);
      if (state !== "ok")
        throw conflict(`put ${JSON.stringify(key)}`, expect ?? null, state === "absent" ? null : String(actual));
      return version;
    },

    async remove(key, { expect } = {}) {
      const { member, document, log, ids } = names(key);
      const mode = expect === undefined ? "any" : typeof expect === "number" ? "seq" : "version";
      const [state, actual] = await run(`remove ${JSON.stringify(key)}`, async () =>
        list(await scripts.wakefulRemove(document, log, ids, index, member, mode, String(expect ?? ""))),
      );
      if (state === "ok") return;
      const found =
        state === "seq" ? Number(actual) : state === "version" ? String(actual) : typeof expect === "number" ? 0 : null;
      throw conflict(`remove ${JSON.stringify(key)}`, expect ?? null, found);
    },

    async *list(keyPrefix, { after, limit = Infinity } = {}) {
      const { start, exclusive, end } = orderedKeyRange(keyPrefix, after);
      let from = `${exclusive ? "(" : "["}${start}`;
      for (let left = limit; left > 0;) {
        const count = Math.min(left, LIST_PAGE);
        const page = await run(`list ${JSON.stringify(keyPrefix)}`, async () =>
          list(await scripts.wakefulList(index, from, `(${end}`, count, prefix)),
        );
        for (let position = 0; position < page.length; position += 2) {
          const member = String(page[position]);
          yield { key: decodeOrderedKey(member), version: String(page[position + 1]) };
          from = `(${member}`;
        }
        if (page.length < count * 2) return;
        left -= count;
      }
    },

    async append(key: string, record: LogRecord | readonly LogRecord[], { expectSeq, id } = {}) {
      const records = Array.isArray(record) ? record : [record];
      if (records.length === 0)
        throw new RangeError(`Cannot append to ${JSON.stringify(key)} as the list of records is empty`);
      const { member, document, log, ids } = names(key);
      const [state, seq] = await run(`append to ${JSON.stringify(key)}`, async () =>
        list(
          await scripts.wakefulAppend(
            document,
            log,
            ids,
            index,
            member,
            id === undefined ? 0 : 1,
            encodeOrderedKey(id ?? ""),
            expectSeq ?? "",
            ...records.map((each) => JSON.stringify(each)),
          ),
        ),
      );
      if (state === "document") throw new TypeError(`Cannot use ${JSON.stringify(key)} as a log as it is a document`);
      if (state === "conflict") throw conflict(`append to ${JSON.stringify(key)}`, expectSeq ?? null, Number(seq));
      return { seq: Number(seq), duplicate: state === "duplicate" };
    },

    async *read(key, { after = 0, limit = Infinity, last } = {}) {
      const { log } = names(key);
      const action = `read ${JSON.stringify(key)}`;
      let from = last === undefined ? after : Math.max(after, (await run(action, () => redis.xlen(log))) - last);
      let count = FIRST_PAGE;
      // No log is that long, and the server accepts no greater number.
      for (let left = last === 0 || from >= Number.MAX_SAFE_INTEGER ? 0 : limit; left > 0;) {
        const wanted = Math.min(left, count);
        const page = await run(action, () => redis.xrangeBuffer(log, `${from + 1}-0`, "+", "COUNT", wanted));
        let bytes = 0;
        for (const [entryId, [, record]] of page) {
          from = Number.parseInt(text(entryId), 10);
          bytes += record?.length ?? 0;
          yield { seq: from, record: JSON.parse(text(record)) as { [field: string]: JsonValue } };
        }
        if (page.length < wanted) return;
        left -= page.length;
        if (bytes < PAGE_BYTES / 4) count = Math.min(count * 2, MAX_PAGE);
        else if (bytes > PAGE_BYTES) count = Math.max(1, Math.floor(count / 2));
      }
    },

    lastSeq(key) {
      return run(`read ${JSON.stringify(key)}`, () => redis.xlen(names(key).log));
    },

    close() {
      closing ??= awaiting(() => redis.quit()).then(
        () => {},
        () => redis.disconnect(),
      );
      return closing;
    },
  };
}

/** Writes the format to a new server, and refuses a newer format. */
async function checkFormat(redis: Redis, key: string): Promise<void> {
  let found: number;
  try {
    await redis.setnx(key, FORMAT);
    found = Number(await redis.get(key));
  } catch (cause) {
    throw new AssistantError("STORE_UNAVAILABLE", `Redis could not be used: ${messageOf(cause)}`, { cause });
  }
  if (found > FORMAT) {
    throw new AssistantError(
      "FORMAT_TOO_NEW",
      `The data on the Redis server has format ${found} and this version knows ${FORMAT}: update wakeful, or choose another prefix`,
    );
  }
}

/** ioredis adds a method for each script: it sends the hash, and the script itself if the server does not know it. */
function defineScripts(redis: Redis) {
  const methods = {} as Record<keyof typeof SCRIPTS, Script>;
  for (const name of Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[]) {
    redis.defineCommand(name, SCRIPTS[name]);
    // The types of ioredis do not know these methods. The variant `…Buffer` returns bytes unchanged.
    const method = (redis as unknown as Record<string, Script>)[`${name}Buffer`] as Script;
    methods[name] = (...parts) => method.apply(redis, parts);
  }
  return methods;
}

const notADocument = (key: string) => new TypeError(`Cannot use ${JSON.stringify(key)} as a document as it is a log`);

const conflict = (action: string, expected: string | number | null, actual: string | number | null) =>
  new ConflictError(`Cannot ${action}: expected ${expected}, found ${actual}`, actual);

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function text(answer: Answer | undefined): string {
  return answer instanceof Uint8Array ? decoder.decode(answer) : String(answer);
}

/** A script's answer as a list of texts and numbers. */
function list(answer: Answer): (string | number)[] {
  return (answer as readonly Answer[]).map((each) => (typeof each === "number" ? each : text(each)));
}

/** ioredis sends a Buffer unchanged and everything else as text. */
const bytesOf = (data: string | Uint8Array) =>
  typeof data === "string" ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength);

/** A copy, since a Buffer may share its memory with other answers. */
const plainBytes = (data: Uint8Array | undefined) => new Uint8Array(data ?? []);
