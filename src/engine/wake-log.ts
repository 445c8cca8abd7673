import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import { newId } from "../ids.ts";
import { storeKey } from "../store/index.ts";
import type { LogRecord, Store } from "../store/index.ts";

/** Format of the records. A newer format is refused. */
const FORMAT = 1;
/** Records per append of a snapshot, so that no append is too large for a single write of a backend. */
const SNAPSHOT_CHUNK = 500;

/** A requested wake. `number` is unique within one run of the program. */
export interface Wake {
  readonly number: number;
  /** Milliseconds since the epoch; 0 for a wake that was due when it was requested. */
  readonly atMs: number;
  /**
   * For a short wait: milliseconds from the request to the due time. It is a duration, independent of later changes
   * of the clock.
   */
  readonly waitMs?: number | undefined;
}

/** A key's pending wakes. */
export interface PendingKey {
  readonly key: string;
  readonly wakes: readonly Wake[];
  /** Consecutive throws of its handler; 0 if the last run succeeded. */
  readonly failures: number;
}

/**
 * The persistent state of the embedded engine: wakes, and the marks that answer them, in logs under `engine/wakes/`.
 *
 * Every run of the program writes its own logs, named by the run and a generation number, and reads those of earlier
 * runs. A mark names the wakes that it answers, and all generations of a run are read together. Therefore neither the
 * order of two appends nor a crash between a snapshot and the removal of what it replaces can lose a wake; at worst
 * it is handled again.
 */
export interface WakeLog {
  /** Appends a wake. Calls the store before it returns. Durable once it resolves. */
  wake(key: string, wake: Wake): Promise<void>;
  /** Appends a mark without a flush: if a power loss takes the mark, the key is handled once more. Never rejects. */
  answered(key: string, wakes: readonly Wake[]): Promise<void>;
  failed(key: string, failures: number): Promise<void>;
  /** Replaces the log by a snapshot of what is pending. Resolves when the old log is removed. */
  compact(): Promise<void>;
  /**
   * Makes a durable write without content. Resolves after every append that was requested before it, on stores that
   * keep the order.
   */
  barrier(): Promise<void>;
  /** Reads what earlier runs left. Their logs stay until `adopt`. */
  load(): Promise<readonly PendingKey[]>;
  /** Copies what was loaded, with new numbers, to this run's log, then removes the logs it came from. */
  adopt(pending: readonly PendingKey[]): Promise<void>;
}

interface Generation {
  readonly log: string;
  records: number;
  /** Appends that have not settled. */
  open: number;
  /** Number of records from which the log may be replaced. */
  limit: number;
}

export function createWakeLog(options: {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** All that a snapshot must contain: wakes that wait, are being written, or are being answered. */
  readonly pending: () => Iterable<PendingKey>;
  /** A log is replaced when it has this many records and four times as many as its snapshot would have. */
  readonly rotateRecords: number;
  readonly onError: (error: unknown) => void;
}): WakeLog {
  const { store, clock, pending, rotateRecords, onError } = options;
  const loaded: { log: string; lastSeq: number }[] = [];
  // A full generation is first in `replaced`, then (once a snapshot is durable) in `removable`, then (once its last
  // append has settled) removed.
  let replaced: Generation[] = [];
  const removable = new Set<Generation>();
  let run = "";
  let count = 0;
  let current: Generation | undefined;

  function nextGeneration(): Generation {
    // Created late, because Workers forbid randomness while a module loads.
    if (run === "") run = newId(clock);
    count++;
    const log = storeKey("engine", "wakes", `${run}-${String(count).padStart(6, "0")}.jsonl`);
    return { log, records: 0, open: 0, limit: rotateRecords };
  }

  async function append(records: LogRecord | readonly LogRecord[], flush: boolean): Promise<void> {
    const generation = (current ??= nextGeneration());
    generation.open++;
    generation.records += Array.isArray(records) ? records.length : 1;
    try {
      await store.append(generation.log, records, flush ? undefined : { flush: false });
    } finally {
      generation.open--;
      if (generation !== current) void removeReplaced();
    }
    if (generation === current && generation.records >= generation.limit) rotateWhenWorthIt(generation);
  }

  async function mark(record: LogRecord): Promise<void> {
    try {
      await append(record, false);
    } catch (error) {
      onError(error);
    }
  }

  function rotateWhenWorthIt(full: Generation): void {
    const records = snapshot(pending());
    full.limit = Math.max(rotateRecords, 4 * records.length);
    if (full.records < full.limit) return;
    current = nextGeneration();
    current.limit = full.limit;
    const covered = [...replaced, full];
    // The new generation's first appends are issued here, in the tick of the switch. The old generations stay until
    // these are durable.
    writeSnapshot(records).then(
      () => {
        for (const generation of covered) removable.add(generation);
        replaced = replaced.filter((generation) => !removable.has(generation));
        void removeReplaced();
      },
      (error: unknown) => {
        replaced = [...new Set([...replaced, full])];
        onError(error);
      },
    );
  }

  function removeReplaced(): Promise<unknown> {
    const removals: Promise<void>[] = [];
    for (const generation of removable) {
      if (generation.open > 0) continue;
      removable.delete(generation);
      const removal = store.remove(generation.log).catch((error: unknown) => {
        replaced.push(generation); // with the next rotation
        onError(error);
      });
      removals.push(removal);
    }
    return Promise.all(removals);
  }

  async function compact(): Promise<void> {
    const full = current;
    if (!full) return;
    const limit = full.limit;
    current = nextGeneration();
    current.limit = limit;
    const covered = [...replaced, full];
    replaced = covered;
    await Promise.all([writeSnapshot(snapshot(pending())), barrier()]);
    for (const generation of covered) removable.add(generation);
    replaced = replaced.filter((generation) => !removable.has(generation));
    await removeReplaced();
  }

  const barrier = () => append({ v: FORMAT, barrier: true }, true);

  async function writeSnapshot(records: readonly LogRecord[]): Promise<void> {
    const appends: Promise<void>[] = [];
    for (let from = 0; from < records.length; from += SNAPSHOT_CHUNK) {
      appends.push(append(records.slice(from, from + SNAPSHOT_CHUNK), true));
    }
    await Promise.all(appends);
  }

  async function load(): Promise<readonly PendingKey[]> {
    loaded.length = 0;
    const runs = new Map<string, RunFold>();
    for await (const { key: log } of store.list("engine/wakes/")) {
      const [owner = ""] = log.slice("engine/wakes/".length).split("-");
      if (owner === run) continue;
      let fold = runs.get(owner);
      if (fold === undefined) runs.set(owner, (fold = { wakes: new Map(), answered: new Set(), failures: new Map() }));
      let lastSeq = 0;
      for await (const { seq, record } of store.read(log)) {
        addRecord(fold, record, log);
        lastSeq = seq;
      }
      loaded.push({ log, lastSeq });
    }
    return pendingOf(runs.values());
  }

  async function adopt(found: readonly PendingKey[]): Promise<void> {
    await writeSnapshot(snapshot(found));
    for (const { log, lastSeq } of loaded.splice(0)) {
      try {
        // Removes only what was read: a process that is still ending may have added a wake, which the next start will
        // find.
        await store.remove(log, { expect: lastSeq });
      } catch (error) {
        if (!AssistantError.is(error, "CONFLICT")) onError(error);
      }
    }
  }

  return {
    wake: (key, wake) => append(wakeRecord(key, wake), true),
    answered: (key, wakes) => mark({ v: FORMAT, key, done: wakes.map((wake) => wake.number) }),
    failed: (key, failures) => mark({ v: FORMAT, key, failed: failures }),
    barrier,
    compact,
    load,
    adopt,
  };
}

interface RunFold {
  readonly wakes: Map<number, Omit<Wake, "number"> & { readonly key: string }>;
  readonly answered: Set<number>;
  readonly failures: Map<string, number>;
}

function addRecord(fold: RunFold, record: LogRecord, log: string): void {
  const { v, key, at = 0, n, wait, done, failed } = record;
  if (typeof v !== "number" || v > FORMAT) {
    throw new AssistantError(
      "FORMAT_TOO_NEW",
      `Cannot read ${log} as it was written by a newer version: its format is ${JSON.stringify(v)}, this version reads ${FORMAT}`,
    );
  }
  if (typeof key !== "string") return;
  if (typeof at === "number" && typeof n === "number") {
    fold.wakes.set(n, { key, atMs: at, ...(typeof wait === "number" && { waitMs: wait }) });
  }
  if (typeof failed === "number") fold.failures.set(key, failed);
  if (Array.isArray(done)) {
    for (const number of done) if (typeof number === "number") fold.answered.add(number);
    fold.failures.delete(key);
  }
}

function pendingOf(runs: Iterable<RunFold>): PendingKey[] {
  const keys = new Map<string, { key: string; wakes: Wake[]; failures: number }>();
  for (const { wakes, answered, failures } of runs) {
    for (const [number, { key, ...wake }] of wakes) {
      if (answered.has(number)) continue;
      let pending = keys.get(key);
      if (pending === undefined) keys.set(key, (pending = { key, wakes: [], failures: 0 }));
      pending.wakes.push({ number, ...wake });
      pending.failures = Math.max(pending.failures, failures.get(key) ?? 0);
    }
  }
  return [...keys.values()];
}

function wakeRecord(key: string, { number, atMs, waitMs }: Wake): LogRecord {
  if (atMs === 0) return { v: FORMAT, key, n: number };
  return { v: FORMAT, key, at: atMs, n: number, ...(waitMs !== undefined && { wait: waitMs }) };
}

function snapshot(keys: Iterable<PendingKey>): LogRecord[] {
  const records: LogRecord[] = [];
  for (const { key, wakes, failures } of keys) {
    for (const wake of wakes) records.push(wakeRecord(key, wake));
    if (failures > 0 && wakes.length > 0) records.push({ v: FORMAT, key, failed: failures });
  }
  return records;
}
