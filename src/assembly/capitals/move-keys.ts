import { AssistantError } from "../../errors.ts";
import { canonicalJson } from "../../approvals/index.ts";
import type { LogRecord, Store, Value } from "../../store/index.ts";

const RECORDS_AT_ONCE = 200;

/** Where something is and where it belongs. */
export interface KeyMove {
  readonly from: string;
  readonly to: string;
}

/** What stands in a document or record from now on. */
export type Respell = (value: Value | LogRecord) => Value | LogRecord;

const same: Respell = (value) => value;

/**
 * Copies each key, reads every copy back, and only then removes the originals. It can be done again after a crash at any moment: what is there already is compared,
 * what is gone already is passed over.
 *
 * @throws {AssistantError} `CONFLICT` when a copy is not what was copied; the originals are all there then.
 */
export async function moveKeys(store: Store, moves: readonly KeyMove[], respell: Respell = same): Promise<void> {
  for (const { from, to } of moves) {
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
    const id = made["type"] === "in" || made["type"] === "heard" ? made["id"] : undefined;
    if (typeof id === "string") {
      // A message stays known by its id, so that its platform may send it again.
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

async function isLog(store: Store, key: string): Promise<boolean> {
  try {
    return (await store.lastSeq(key)) > 0;
  } catch (error) {
    if (error instanceof TypeError) return false; // a document
    throw error;
  }
}

function notTheSame(from: string, to: string): AssistantError {
  return new AssistantError("CONFLICT", `Cannot move ${from} to ${to}: what stands there is not the same`);
}
