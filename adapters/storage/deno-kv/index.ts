/**
 * A store on Deno's built-in database: `denoKvStore()`. Deno needs `--unstable-kv`.
 *
 * @module
 */
import { AssistantError, ConflictError } from "../../../mod.ts";
import {
  createTurns,
  decodeOrderedKey,
  decodeValue,
  encodeOrderedKey,
  encodeValue,
  orderedKeyRange,
  type LogRecord,
  type StoreCaps,
  type ValueKind,
  type Store,
} from "../../../kit.ts";
import { createBlobs, type Blob } from "./blobs.ts";
import { attempt, openDenoKv, type DenoKv, type KvKey } from "./kv.ts";

/** Options of `denoKvStore`. */
export interface DenoKvStoreOptions {
  /**
   * A file for the database, or the URL of a remote one. Default: Deno's own database for this script, or the project's
   * on Deno Deploy.
   */
  readonly path?: string;
}

/** The value of a key: a document, stored inline or as a blob, or a log with the id that its entries are stored under. */
type Head =
  | { readonly kind: ValueKind; readonly data?: Uint8Array; readonly blob?: Blob }
  | { readonly kind: "log"; readonly log: string; readonly last: number };

/** The records of one append, as a JSON list in UTF-8. */
interface Batch {
  readonly count: number;
  readonly data?: Uint8Array;
  readonly blob?: Blob;
}

/** First part of every key of the store. */
const ROOT = "wakeful";
/** Version of the layout under it. */
const FORMAT = 1;
/** A key may have 2 KiB: https://docs.deno.com/deploy/kv/ */
const MAX_KEY = 2000;
/** Listings read heads too, so heads stay small. A log entry may use the whole value. */
const MAX_IN_HEAD = 16_000;
const MAX_IN_ENTRY = 60_000;

/**
 * Documents and logs in Deno KV. A conditional write checks the key's versionstamp. Values larger than Deno KV's limit
 * are stored in parts, written before the commit that refers to them. A key longer than 2000 bytes is refused with a
 * `RangeError`.
 *
 * Source: docs/storage.md, "Deno KV".
 *
 * @throws {AssistantError} `STORE_UNAVAILABLE` outside Deno, without `--unstable-kv`, or when the database does not
 *   open; `FORMAT_TOO_NEW`.
 */
export async function denoKvStore(options: DenoKvStoreOptions = {}): Promise<Store> {
  const kv = await openDenoKv(options.path);
  const blobs = createBlobs(kv, ROOT);
  const inTurn = createTurns();
  try {
    await checkFormat(kv);
    await attempt("remove old data", () => blobs.sweep());
  } catch (error) {
    kv.close();
    throw error;
  }
  const remote = options.path !== undefined && /^https?:/.test(options.path);
  const isNowhere = options.path === ":memory:";
  const caps: StoreCaps = {
    replace: "atomic",
    append: "per-entry",
    cas: remote ? "global" : isNowhere ? "process" : "host",
    durable: remote ? "server" : isNowhere ? "none" : "os",
  };
  let open = true;

  const headKey = (key: string): KvKey => {
    const encoded = encodeOrderedKey(key);
    const bytes = new TextEncoder().encode(encoded).length;
    if (bytes > MAX_KEY)
      throw new RangeError(
        `Cannot use a key of ${bytes} bytes as Deno KV takes ${MAX_KEY}: ${JSON.stringify(key.slice(0, 80))}…`,
      );
    return [ROOT, "head", encoded];
  };

  async function headOf(key: string): Promise<{ key: KvKey; head: Head | undefined; versionstamp: string | null }> {
    const { value, versionstamp } = await attempt(`read ${JSON.stringify(key)}`, () => kv.get(headKey(key)));
    return { key: headKey(key), head: (value ?? undefined) as Head | undefined, versionstamp };
  }

  async function logOf(key: string): Promise<Extract<Head, { kind: "log" }> | undefined> {
    const { head } = await headOf(key);
    if (head !== undefined && head.kind !== "log") throw notALog(key);
    return head;
  }

  /** Places bytes inline when they fit, else in a blob. */
  async function place(bytes: Uint8Array, largest: number): Promise<{ data: Uint8Array } | { blob: Blob }> {
    return bytes.length <= largest ? { data: bytes } : { blob: await blobs.write(bytes) };
  }

  async function discard(placed: { data: Uint8Array } | { blob: Blob } | undefined): Promise<void> {
    if (placed !== undefined && "blob" in placed) await blobs.drop(placed.blob.id);
  }

  /**
   * Drops a blob after a failed commit. After `STORE_UNAVAILABLE` the outcome of the commit is unknown: the parts are
   * either referred to, or still marked for a later sweep.
   */
  async function discardUnless(
    error: unknown,
    placed: { data: Uint8Array } | { blob: Blob } | undefined,
  ): Promise<void> {
    if (!AssistantError.is(error, "STORE_UNAVAILABLE")) await discard(placed);
  }

  /** Removes data that a commit has just dereferenced. A failure does no harm, since the mark stays for a later sweep. */
  async function dropMarked(id: string | undefined): Promise<void> {
    if (id !== undefined) await blobs.drop(id).catch(() => {});
  }

  async function putDocument(
    key: string,
    kind: ValueKind,
    placed: { data: Uint8Array } | { blob: Blob },
    expect: string | null | undefined,
  ): Promise<string> {
    for (;;) {
      const found = await headOf(key);
      if (found.head?.kind === "log") throw notADocument(key);
      if (expect !== undefined && expect !== found.versionstamp)
        throw conflict(`put ${JSON.stringify(key)}`, expect, found.versionstamp);
      const commit = kv
        .atomic()
        .check({ key: found.key, versionstamp: found.versionstamp })
        .set(found.key, { kind, ...placed } satisfies Head);
      if ("blob" in placed) commit.delete(blobs.markKey(placed.blob.id));
      if (found.head?.blob !== undefined) commit.set(blobs.markKey(found.head.blob.id), blobs.mark());
      const result = await attempt(`put ${JSON.stringify(key)}`, () => commit.commit());
      if (!result.ok) continue;
      await dropMarked(found.head?.blob?.id);
      return result.versionstamp;
    }
  }

  return {
    caps,

    async get(key) {
      // If the document is replaced, its parts go. The next try reads the new head.
      for (let attempts = 0; attempts < 20; attempts++) {
        const { head, versionstamp } = await headOf(key);
        if (head === undefined || versionstamp === null) return null;
        if (head.kind === "log") throw notADocument(key);
        const data = head.data ?? (head.blob === undefined ? undefined : await blobs.read(head.blob));
        if (data !== undefined) return { value: decodeValue(head.kind, data), version: versionstamp };
      }
      throw new AssistantError(
        "STORE_UNAVAILABLE",
        `Deno KV could not read ${JSON.stringify(key)}: parts of it are missing`,
      );
    },

    put(key, value, { expect } = {}) {
      return inTurn(key, async () => {
        const { kind, data } = encodeValue(value);
        // Refuses a wrong key before parts of a large value are written.
        headKey(key);
        const placed = await place(typeof data === "string" ? new TextEncoder().encode(data) : data, MAX_IN_HEAD);
        try {
          return await putDocument(key, kind, placed, expect);
        } catch (error) {
          await discardUnless(error, placed);
          throw error;
        }
      });
    },

    remove(key, { expect } = {}) {
      return inTurn(key, async () => {
        for (;;) {
          const { key: at, head, versionstamp } = await headOf(key);
          if (expect !== undefined) {
            const actual =
              head === undefined
                ? typeof expect === "number"
                  ? 0
                  : null
                : head.kind === "log"
                  ? head.last
                  : versionstamp;
            if (actual !== expect) throw conflict(`remove ${JSON.stringify(key)}`, expect, actual);
          }
          if (head === undefined) return;
          const rest = head.kind === "log" ? head.log : head.blob?.id;
          const commit = kv.atomic().check({ key: at, versionstamp }).delete(at);
          if (rest !== undefined) commit.set(blobs.markKey(rest), blobs.mark());
          const result = await attempt(`remove ${JSON.stringify(key)}`, () => commit.commit());
          if (!result.ok) continue;
          await dropMarked(rest);
          return;
        }
      });
    },

    async *list(prefix, { after, limit = Infinity } = {}) {
      // Deno KV refuses a range whose start is after its end.
      if (after !== undefined && after > prefix && !after.startsWith(prefix)) return;
      const { start, exclusive, end } = orderedKeyRange(prefix, after);
      const entries = kv.list({ start: [ROOT, "head", start], end: [ROOT, "head", end] })[Symbol.asyncIterator]();
      for (let count = 0; count < limit;) {
        const next = await attempt(`list ${JSON.stringify(prefix)}`, () => entries.next());
        if (next.done === true) return;
        const { key, value, versionstamp } = next.value;
        const encoded = String(key.at(-1));
        if (exclusive && encoded === start) continue;
        const head = value as Head;
        count++;
        yield {
          key: decodeOrderedKey(encoded),
          version: head.kind === "log" ? String(head.last) : (versionstamp ?? ""),
        };
      }
    },

    append(key: string, record: LogRecord | readonly LogRecord[], { expectSeq, id } = {}) {
      const records = Array.isArray(record) ? record : [record];
      return inTurn(key, async () => {
        let placed: { data: Uint8Array } | { blob: Blob } | undefined;
        try {
          for (;;) {
            const { key: at, head, versionstamp } = await headOf(key);
            if (head !== undefined && head.kind !== "log") throw notALog(key);
            const log = head?.log ?? crypto.randomUUID();
            const idKey: KvKey | undefined = id === undefined ? undefined : [ROOT, "id", log, await idPart(id)];
            if (head !== undefined && idKey !== undefined) {
              const known = await attempt(`read ${JSON.stringify(key)}`, () => kv.get(idKey));
              if (known.versionstamp !== null) {
                await discard(placed);
                return { seq: known.value as number, duplicate: true };
              }
            }
            const last = head?.last ?? 0;
            if (expectSeq !== undefined && expectSeq !== last)
              throw conflict(`append to ${JSON.stringify(key)}`, expectSeq, last);
            if (records.length === 0)
              throw new RangeError(`Cannot append to ${JSON.stringify(key)} as the list of records is empty`);
            placed ??= await place(new TextEncoder().encode(JSON.stringify(records)), MAX_IN_ENTRY);
            const seq = last + records.length;
            // Every append changes the head, so its check covers the id and the seq too.
            const commit = kv
              .atomic()
              .check({ key: at, versionstamp })
              .set(at, { kind: "log", log, last: seq } satisfies Head)
              .set([ROOT, "entry", log, seq], { count: records.length, ...placed } satisfies Batch);
            if (idKey !== undefined) commit.set(idKey, seq);
            if ("blob" in placed) commit.delete(blobs.markKey(placed.blob.id));
            const result = await attempt(`append to ${JSON.stringify(key)}`, () => commit.commit());
            if (result.ok) return { seq, duplicate: false };
          }
        } catch (error) {
          await discardUnless(error, placed);
          throw error;
        }
      });
    },

    async *read(key, { after = 0, limit = Infinity, last = Infinity } = {}) {
      const log = await logOf(key);
      if (log === undefined) return;
      const from = Math.max(after, log.last - last);
      const until = Math.min(log.last, from + limit);
      if (from >= until) return;
      const under = (seq: number): KvKey => [ROOT, "entry", log.log, seq];
      const entries = kv.list({ start: under(from + 1), end: under(Number.MAX_SAFE_INTEGER) })[Symbol.asyncIterator]();
      for (;;) {
        const next = await attempt(`read ${JSON.stringify(key)}`, () => entries.next());
        if (next.done === true) return;
        const batch = next.value.value as Batch;
        const first = Number(next.value.key.at(-1)) - batch.count + 1;
        if (first > until) return;
        const data = batch.data ?? (batch.blob === undefined ? undefined : await blobs.read(batch.blob));
        // The parts are missing, so the whole log was removed: entries are never dropped alone.
        if (data === undefined) return;
        const records = decodeValue("json", data) as readonly LogRecord[];
        for (const [offset, record] of records.entries()) {
          if (first + offset > from && first + offset <= until) yield { seq: first + offset, record };
        }
      }
    },

    async lastSeq(key) {
      return (await logOf(key))?.last ?? 0;
    },

    async close() {
      if (!open) return;
      open = false;
      await inTurn.idle();
      kv.close();
    },
  };
}

/** Writes the format into a new database, and refuses a newer format. */
async function checkFormat(kv: DenoKv): Promise<void> {
  const key: KvKey = [ROOT, "format"];
  const { value } = await attempt("read the format", () => kv.get(key));
  if (value === null)
    await attempt("write the format", () => kv.atomic().check({ key, versionstamp: null }).set(key, FORMAT).commit());
  else if ((value as number) > FORMAT) {
    throw new AssistantError(
      "FORMAT_TOO_NEW",
      `The data in Deno KV has format ${value as number} and this version knows ${FORMAT}: update wakeful`,
    );
  }
}

const notADocument = (key: string) => new TypeError(`Cannot use ${JSON.stringify(key)} as a document as it is a log`);
const notALog = (key: string) => new TypeError(`Cannot use ${JSON.stringify(key)} as a log as it is a document`);

const conflict = (action: string, expected: string | number | null, actual: string | number | null) =>
  new ConflictError(`Cannot ${action}: expected ${expected}, found ${actual}`, actual);

/** An id as a part of a key. A long id is hashed. */
async function idPart(id: string): Promise<string> {
  const encoded = encodeOrderedKey(id);
  if (encoded.length <= 300) return `=${encoded}`;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(encoded)));
  return `#${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
