import { ConflictError } from "../errors.ts";
import { storeKey } from "./key.ts";
import type { LogRecord, Store } from "./port.ts";

/** Prefix of rewritten logs until they replace the originals. */
const STAGED = "rewriting/";
const RECORDS_AT_ONCE = 200;

export interface RewriteOptions {
  /**
   * Returns the id that a rewritten record is appended with, so that later duplicates are recognized. Of two records
   * with the same id, the first gets it. Default: no ids.
   */
  idOf?(record: LogRecord): string | undefined;
  /** Replaces a record that cannot be read, so that the records behind it keep their numbers. Default `{ v: 1 }`. */
  readonly filler?: LogRecord;
}

/** First record of a staged log. */
interface Header {
  readonly log: string;
  /** Sequence number of the last record of the log that it replaces. */
  readonly lastSeq: number;
}

type Staged = { readonly id?: string; readonly record: LogRecord };

/**
 * Replaces a log's records, each under the same number. Records that others append in the meantime stay, behind them.
 *
 * A crash loses nothing: the new log is complete in another place before the old one is removed, and `finishRewrites`
 * moves it into place.
 *
 * @param change Returns the new record, or the same object if nothing changes.
 * @returns The number of changed records. If it is 0, nothing is written.
 */
export async function rewriteLog(
  store: Store,
  log: string,
  change: (record: LogRecord) => LogRecord,
  options: RewriteOptions = {},
): Promise<number> {
  for (;;) {
    let changed = 0;
    for await (const { record } of store.read(log)) if (change(record) !== record) changed += 1;
    if (changed === 0) return 0;
    const staging = STAGED + storeKey(`${crypto.randomUUID()}.jsonl`);
    await stage(store, staging, log, change, options);
    if (await putInPlace(store, staging)) return changed;
  }
}

/** Finishes rewrites that a crash interrupted. Call it before anything else writes to these logs. */
export async function finishRewrites(store: Store): Promise<void> {
  const found: string[] = [];
  for await (const { key } of store.list(STAGED)) found.push(key);
  for (const staging of found) await putInPlace(store, staging);
}

async function stage(
  store: Store,
  staging: string,
  log: string,
  change: (record: LogRecord) => LogRecord,
  { idOf, filler = { v: 1 } }: RewriteOptions,
): Promise<void> {
  const lastSeq = await store.lastSeq(log);
  const lines: LogRecord[] = [{ v: 1, header: { log, lastSeq } }];
  let next = 1;
  const add = async (line: LogRecord) => {
    lines.push(line);
    if (lines.length >= RECORDS_AT_ONCE) await store.append(staging, lines.splice(0), { flush: false });
  };
  for await (const { seq, record } of store.read(log, { limit: lastSeq })) {
    if (seq > lastSeq) break;
    for (; next < seq; next += 1) await add({ record: filler });
    const now = change(record);
    const id = idOf?.(now);
    await add({ record: now, ...(id !== undefined && { id }) });
    next = seq + 1;
  }
  for (; next <= lastSeq; next += 1) await add({ record: filler });
  await store.append(staging, [...lines, { whole: true }]);
}

/**
 * Replaces the log by its staged copy. @returns False if the log grew in the meantime, so that the rewrite must start
 * again.
 */
async function putInPlace(store: Store, staging: string): Promise<boolean> {
  const { header, staged, isWhole, isOldGone } = await readStaged(store, staging);
  if (!header || !isWhole) {
    await store.remove(staging);
    return false;
  }
  const { log, lastSeq } = header;
  if (!isOldGone) {
    try {
      // A log with fewer records is not the old one: a crash happened after its removal.
      if ((await store.lastSeq(log)) >= lastSeq) await store.remove(log, { expect: lastSeq });
    } catch (error) {
      if (!ConflictError.is(error)) throw error;
      await store.remove(staging);
      return false;
    }
    await store.append(staging, { gone: true });
  }
  while (!(await fill(store, staging, log, staged)));
  await store.remove(staging);
  return true;
}

/**
 * Appends the missing records. @returns False if another writer appended in between, so that the log must be checked
 * again.
 */
async function fill(store: Store, staging: string, log: string, staged: Staged[]): Promise<boolean> {
  const lastSeq = await store.lastSeq(log);
  let common = 0;
  const foreign: LogRecord[] = [];
  for await (const { seq, record } of store.read(log)) {
    if (seq > lastSeq) break;
    if (foreign.length > 0 || !isSame(record, staged[seq - 1]?.record)) foreign.push(record);
    else common += 1;
  }
  if (common === staged.length) return true;
  try {
    // Others appended, or the rest that a crash left cannot be read to its end.
    if (lastSeq > common) {
      const lines = foreign.map((record): Staged => ({ record }));
      if (lines.length > 0) await store.append(staging, [...lines]);
      staged.push(...lines);
      await store.remove(log, { expect: lastSeq });
      return false;
    }
    for (let at = common; at < staged.length;) {
      const { id } = staged[at] ?? {};
      const behind = staged.slice(at, at + RECORDS_AT_ONCE).findIndex((one) => one.id !== undefined);
      const count = id !== undefined ? 1 : behind === -1 ? RECORDS_AT_ONCE : Math.max(1, behind);
      const records = staged.slice(at, at + count).map(({ record }) => record);
      at += records.length;
      // Only the last append needs a flush: records lost in a crash are still staged.
      const flush = at === staged.length;
      const how = { expectSeq: at - records.length, flush, ...(id !== undefined && { id }) };
      if ((await store.append(log, records, how)).duplicate) return false;
    }
    return true;
  } catch (error) {
    if (ConflictError.is(error)) return false;
    throw error;
  }
}

async function readStaged(store: Store, staging: string) {
  const staged: Staged[] = [];
  const ids = new Set<string>();
  let header: Header | undefined;
  let [isWhole, isOldGone] = [false, false];
  for await (const { record: line } of store.read(staging)) {
    if (line["header"] !== undefined) header = line["header"] as unknown as Header;
    else if (line["whole"] === true) isWhole = true;
    else if (line["gone"] === true) isOldGone = true;
    else {
      const { id, record } = line as unknown as Staged;
      // A second append with the same id would never be written.
      staged.push({ record, ...(id !== undefined && !ids.has(id) && { id }) });
      if (id !== undefined) ids.add(id);
    }
  }
  return { header, staged, isWhole, isOldGone };
}

function isSame(one: LogRecord, other: LogRecord | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
