/**
 * Blobs and caches in Workers KV: `kvStore(binding)`.
 *
 * @module
 */
import { AssistantError } from "../../../mod.ts";
import {
  decodeOrderedKey,
  decodeValue,
  encodeOrderedKey,
  encodeValue,
  messageOf,
  type ValueKind,
  type Store,
} from "../../../kit.ts";

/** The part of a Workers KV namespace that the store uses. */
export interface KvBinding {
  /** Reads the bytes and the metadata of a key. Both are `null` when there is no such key. */
  getWithMetadata(
    key: string,
    type: "arrayBuffer",
  ): Promise<{ readonly value: ArrayBuffer | null; readonly metadata: unknown }>;
  /** Writes the value of a key with its metadata. Other locations may read the old value for a minute or longer. */
  put(
    key: string,
    value: string | ArrayBuffer | ArrayBufferView<ArrayBuffer>,
    options?: { metadata?: unknown },
  ): Promise<void>;
  /** Removes a key. A missing key is no error. */
  delete(key: string): Promise<void>;
  /** One page of keys in ascending order. The `cursor` of a page requests the next one. */
  list(options: { prefix?: string; cursor?: string }): Promise<KvPage>;
}

interface KvPage {
  readonly keys: readonly { readonly name: string; readonly metadata?: unknown }[];
  readonly list_complete: boolean;
  readonly cursor?: string;
}

/** Options of `kvStore`. */
export interface KvStoreOptions {
  /** Prefix of every key, so that the namespace can hold other data too. Default `"wakeful:"`. */
  readonly prefix?: string;
}

/** Limits of the platform: https://developers.cloudflare.com/kv/platform/limits/ */
const MAX_KEY = 512;
const MAX_VALUE = 25 * 1024 * 1024;

const REMEDY = "use a Durable Object (durableObjectStore) for sessions and everything that must be written once";

/**
 * Documents in Workers KV, for blobs and caches: the last write wins, and other locations may see it a minute later.
 * Logs and `expect` are refused with `STORE_UNSUITABLE`. Keys have at most 512 bytes including the prefix, values 25
 * MiB.
 *
 * Source: docs/storage.md, "Workers KV".
 */
export function kvStore(binding: KvBinding, options: KvStoreOptions = {}): Store {
  const { prefix: root = "wakeful:" } = options;

  function nameOf(key: string): string {
    const name = root + encodeOrderedKey(key);
    const bytes = new TextEncoder().encode(name).length;
    if (bytes > MAX_KEY) {
      throw new RangeError(
        `Cannot use a key of ${bytes} bytes as Workers KV takes ${MAX_KEY}: ${JSON.stringify(key.slice(0, 80))}…`,
      );
    }
    return name;
  }

  async function run<T>(action: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      throw new AssistantError("STORE_UNAVAILABLE", `Workers KV could not ${action}: ${messageOf(cause)}`, { cause });
    }
  }

  const unsuitable = (what: string) => new AssistantError("STORE_UNSUITABLE", `Workers KV cannot ${what}: ${REMEDY}`);

  return {
    caps: { replace: "atomic", append: "per-entry", cas: "none", durable: "server" },

    async get(key) {
      const name = nameOf(key);
      const { value, metadata } = await run(`read ${JSON.stringify(key)}`, () =>
        binding.getWithMetadata(name, "arrayBuffer"),
      );
      if (value === null) return null;
      const about = describeValue(metadata);
      if (about === undefined) {
        throw new AssistantError(
          "STORE_UNAVAILABLE",
          `Workers KV holds something else under ${JSON.stringify(name)}: choose another prefix`,
        );
      }
      return { value: decodeValue(about.kind, new Uint8Array(value)), version: about.version };
    },

    async put(key, value, { expect } = {}) {
      if (expect !== undefined) throw unsuitable("compare and set");
      const name = nameOf(key);
      const { kind, data } = encodeValue(value);
      const bytes = typeof data === "string" ? new TextEncoder().encode(data) : new Uint8Array(data);
      if (bytes.length > MAX_VALUE) {
        throw new RangeError(
          `Cannot put ${JSON.stringify(key)} as Workers KV takes ${MAX_VALUE} bytes: current value has ${bytes.length}`,
        );
      }
      const version = crypto.randomUUID();
      await run(`put ${JSON.stringify(key)}`, () => binding.put(name, bytes, { metadata: { kind, version } }));
      return version;
    },

    async remove(key, { expect } = {}) {
      if (expect !== undefined) throw unsuitable("compare and set");
      const name = nameOf(key);
      await run(`remove ${JSON.stringify(key)}`, () => binding.delete(name));
    },

    async *list(keyPrefix, { after, limit = Infinity } = {}) {
      let count = 0;
      let page: KvPage | undefined;
      do {
        const cursor = page?.cursor;
        const where = { prefix: root + encodeOrderedKey(keyPrefix), ...(cursor === undefined ? {} : { cursor }) };
        page = await run(`list ${JSON.stringify(keyPrefix)}`, () => binding.list(where));
        for (const { name, metadata } of page.keys) {
          const key = decodeOrderedKey(name.slice(root.length));
          const about = describeValue(metadata);
          if (about === undefined || (after !== undefined && key <= after)) continue;
          if (count++ >= limit) return;
          yield { key, version: about.version };
        }
      } while (!page.list_complete);
    },

    async append() {
      throw unsuitable("keep logs");
    },

    // No append ever succeeds, so every log is empty.
    async *read() {},

    async lastSeq() {
      return 0;
    },

    async close() {},
  };
}

/** Reads the metadata that `put` stored with a value; `undefined` for a value that the store did not write. */
function describeValue(metadata: unknown): { kind: ValueKind; version: string } | undefined {
  const { kind, version } = (metadata ?? {}) as Record<string, unknown>;
  return (kind === "text" || kind === "json" || kind === "bytes") && typeof version === "string"
    ? { kind, version }
    : undefined;
}
