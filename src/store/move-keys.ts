import { AssistantError } from "../errors.ts";
import { canonicalJson } from "./canonical-json.ts";
import { isLog } from "./is-log.ts";
import type { LogRecord, Store, Value } from "./port.ts";
import { listKeys } from "./list-keys.ts";

/** Types of session records that come from platforms, which may deliver them again. */
const KNOWN_BY_ID: ReadonlySet<unknown> = new Set(["in", "heard", "change"]);
const RECORDS_AT_ONCE = 200;

/** The current key of a value and the key that it belongs under. */
export interface KeyMove {
  readonly from: string;
  readonly to: string;
  /** Changes the content. Default: it stays as it is. */
  readonly respell?: Respell;
}

/** Returns the new content of a document or record. */
export type Respell = (value: Value | LogRecord) => Value | LogRecord;

const same: Respell = (value) => value;

/**
 * A room whose keys contain names of sessions or users, for when such a name changes its spelling. Each room knows
 * its own keys.
 */
export interface Renamable {
  /** Returns the moves of the keys that contain a session's name. */
  sessionMoves?(from: string, to: string): Promise<readonly KeyMove[]>;
  /** Changes documents that stay in place and contain a session's name. Contract: can be called again. */
  renameSession?(from: string, to: string): Promise<void>;
  /** Returns the moves of the keys that contain a user's id. */
  userMoves?(from: string, to: string): Promise<readonly KeyMove[]>;
  /** Drops what is rebuilt from the moved keys. Contract: can be called again. */
  dropUser?(userId: string): Promise<void>;
}

/** Returns the moves of all keys under a prefix. */
export async function keysUnder(
  store: Pick<Store, "list">,
  from: string,
  to: string,
  respell: Respell = same,
): Promise<KeyMove[]> {
  return (await listKeys(store, from)).map((key) => ({ from: key, to: to + key.slice(from.length), respell }));
}

/** Returns a function that replaces `from` with `to` wherever it is a whole string in a record or document. */
export function respelling(from: string, to: string): Respell {
  const respell = (value: unknown): unknown => {
    if (value instanceof Uint8Array || typeof value !== "object" || value === null) return value === from ? to : value;
    if (Array.isArray(value)) return value.map(respell);
    return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, respell(held)]));
  };
  return (value) => respell(value) as Value | LogRecord; // only strings in it change
}

/**
 * Copies each key, reads every copy back, and only then removes the originals. After a crash at any moment it can run
 * again: existing copies are compared, removed originals are skipped.
 *
 * @throws {AssistantError} `CONFLICT` if a copy differs from its original; all originals still exist then.
 */
export async function moveKeys(store: Store, moves: readonly KeyMove[]): Promise<void> {
  for (const { from, to, respell = same } of moves) {
    if (await isLog(store, from)) await copyLog(store, from, to, respell);
    else await copyDocument(store, from, to, respell);
  }
  for (const { from } of moves) await store.remove(from);
}

async function copyLog(store: Store, from: string, to: string, respell: Respell): Promise<void> {
  const copied = await store.lastSeq(to);
  let records: LogRecord[] = [];
  const write = async () => {
    if (records.length > 0) await store.append(to, records);
    records = [];
  };
  for await (const { seq, record } of store.read(from)) {
    if (seq <= copied) continue;
    const made = respell(record) as LogRecord;
    const id = KNOWN_BY_ID.has(made["type"]) ? made["id"] : undefined;
    if (typeof id === "string") {
      // The message keeps its id, so that a second delivery by its platform is recognized.
      await write();
      await store.append(to, made, { id });
    } else {
      records.push(made);
      if (records.length >= RECORDS_AT_ONCE) await write();
    }
  }
  await write();
  const copies = store.read(to)[Symbol.asyncIterator]();
  for await (const { seq, record } of store.read(from)) {
    const { value } = await copies.next();
    if (value?.seq !== seq || canonicalJson(value.record) !== canonicalJson(respell(record)))
      throw notTheSame(from, to);
  }
  if ((await copies.next()).done !== true) throw notTheSame(from, to);
}

async function copyDocument(store: Store, from: string, to: string, respell: Respell): Promise<void> {
  const found = await store.get(from);
  if (!found) return; // moved before the crash
  const value = respell(found.value);
  if (!(await store.get(to))) await store.put(to, value, { expect: null });
  const copy = await store.get(to);
  if (!copy || !isSame(copy.value, value)) throw notTheSame(from, to);
}

function isSame(one: Value, other: Value): boolean {
  if (one instanceof Uint8Array || other instanceof Uint8Array)
    return (
      one instanceof Uint8Array &&
      other instanceof Uint8Array &&
      one.length === other.length &&
      one.every((byte, at) => byte === other[at])
    );
  return canonicalJson(one) === canonicalJson(other);
}

function notTheSame(from: string, to: string): AssistantError {
  return new AssistantError("CONFLICT", `Cannot move ${from} to ${to}: the target exists with different content`);
}
