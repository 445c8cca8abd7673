import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import { newId } from "../ids.ts";
import { storeKey } from "../store/index.ts";
import type { LogRecord, Store } from "../store/index.ts";

/** The format of the records; a newer one is refused. */
const FORMAT = 1;
/** A snapshot is written in appends of so many records, so that none is too large for a backend's single write. */
const SNAPSHOT_CHUNK = 500;

/** A wake that somebody asked for. `number` tells it from every other wake of this run of the program. */
export interface Wake {
  readonly number: number;
  /** Milliseconds since the epoch; 0 for a wake that was due when it was asked for. */
  readonly atMs: number;
  /** Of a short wait: how far away the time was when the wake was asked for. It is a duration, whatever a clock says later. */
  readonly waitMs?: number | undefined;
}

/** What one key still owes. */
export interface PendingKey {
  readonly key: string;
  readonly wakes: readonly Wake[];
  /** Consecutive throws of its handler; 0 when the last one ended well. */
  readonly failures: number;
}

/**
 * The embedded engine's memory: wakes, and the marks that answer them, in logs under `engine/wakes/`.
 *
 * Every run of the program writes logs of its own, named by the run and a generation number, and reads those of the runs before. A mark
 * names the wakes that it answers, and within a run all generations are read together, so that neither the order of two appends nor a
 * crash between a snapshot and the removal of what it replaces can lose a wake: the worst is that one is handled again.
 */
export interface WakeLog {
  /** Calls the store before it returns. Resolved = durable. */
  wake(key: string, wake: Wake): Promise<void>;
  /** Not flushed: when a power loss takes the mark, the key is handled once more. Never rejects. */
  answered(key: string, wakes: readonly Wake[]): Promise<void>;
  failed(key: string, failures: number): Promise<void>;
  /** Replaces the log by a snapshot of what is pending; resolves when what it replaced is gone. */
  compact(): Promise<void>;
  /** Writes something durable and nothing else. Resolves after every append that was asked for before it, on stores that keep the order. */
  barrier(): Promise<void>;
  /** What earlier runs left over. Their logs stay until `adopt`. */
  load(): Promise<readonly PendingKey[]>;
  /** Makes what was loaded (numbered anew) part of this run's log, then removes the logs it came from. */
  adopt(pending: readonly PendingKey[]): Promise<void>;
}

interface Generation {
  readonly log: string;
  records: number;
  /** Appends that did not settle yet. */
  open: number;
  /** How many records it may hold before it is worth replacing. */
  limit: number;
}

export function createWakeLog(options: {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Everything that must be in a snapshot: wakes that wait, that are being written and that are being answered. */
  readonly pending: () => Iterable<PendingKey>;
  /** A log is replaced once it holds so many records, and four times as many as a snapshot would. */
  readonly rotateRecords: number;
  readonly onError: (error: unknown) => void;
}): WakeLog {
  const { store, clock, pending, rotateRecords, onError } = options;
  const loaded: { log: string; lastSeq: number }[] = [];
  // A generation that is full is first replaced, then (once a snapshot is durable) removable, then (once its last append settled) gone.
  let replaced: Generation[] = [];
  const removable = new Set<Generation>();
  let run = "";
  let count = 0;
  let current: Generation | undefined;

  function nextGeneration(): Generation {
    // Made late: Workers forbid randomness while a module loads.
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
    // The new generation's first appends are issued here, in the tick of the switch; until they are durable the old ones stay.
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
        // Only what was read goes: a process that is still ending may have added a wake, and the next start will find it.
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
