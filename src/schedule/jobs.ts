import type { Clock } from "../clock.ts";
import { type DueHeap, createDueHeap } from "../engine/index.ts";
import { AssistantError, ConflictError } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { type Store, type Version, keySegments, storeKey } from "../store/index.ts";
import type { Logger } from "../telemetry/index.ts";
import { DEFAULT_MAX_CONSEC_FAILURES, type Job } from "./job.ts";
import { type JobFileGiven, type ReadJob, changeJobFile, isProblem, readJobFile, writeJobFile } from "./job-file.ts";
import { DEFAULT_MIN_INTERVAL_MS, nextRuns } from "./schedule.ts";

const ROOM = "jobs/";
const RUNS = "jobs/runs/";
const INDEX = ".index/jobs";
const INDEX_FORMAT = 1;
const FILE_END = ".yaml";
const BAD_END = ".bad";
/** So many files are read at one time. */
const BATCH = 64;

export interface JobsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly yaml: Platform["yaml"];
  readonly logger: Logger;
}

export interface JobsOptions {
  /** Zone of schedules that name none. Default `UTC`. */
  readonly timezone?: string;
  readonly minIntervalMs?: number | undefined;
  readonly maxConsecFailures?: number | undefined;
}

/** What is known of a job without its file. */
interface Entry {
  readonly id: string;
  version: Version;
  user: string;
  dedupeKey: string | undefined;
  isLive: boolean;
  dueMs: number;
  place: number;
}

/** A job as its file has it, with what a compare-and-set needs. */
interface Kept {
  readonly job: Job;
  readonly text: string;
  readonly version: Version;
}

/** Jobs, a YAML file each. */
export type Jobs = ReturnType<typeof createJobs>;

/**
 * Jobs: YAML files that people may edit, and when the next of them is due. In memory stands a few words for each; a file is read when its job is due, is
 * asked for, or has changed.
 *
 * Source: docs/jobs.md, "A job's file".
 */
export function createJobs({ store, clock, yaml, logger }: JobsDeps, options: JobsOptions = {}) {
  const {
    timezone = "UTC",
    minIntervalMs = DEFAULT_MIN_INTERVAL_MS,
    maxConsecFailures = DEFAULT_MAX_CONSEC_FAILURES,
  } = options;
  const entries = new Map<string, Entry>();
  const due: DueHeap<Entry> = createDueHeap();
  let isIndexed = true;
  let loading: Promise<void> | undefined;

  const givenFor = (id: string): JobFileGiven => ({
    yaml,
    id,
    timezone,
    minIntervalMs,
    maxConsecFailures,
    now: clock.now(),
  });

  function note(job: Job, version: Version): void {
    const entry = entries.get(job.id) ?? {
      id: job.id,
      version,
      user: "",
      dedupeKey: undefined,
      isLive: false,
      dueMs: 0,
      place: -1,
    };
    entries.set(job.id, entry);
    entry.version = version;
    entry.user = job.user;
    entry.dedupeKey = job.dedupeKey;
    entry.isLive = job.status === "active" || job.status === "paused";
    if (job.status === "active" && job.nextRunAt !== null) due.set(entry, job.nextRunAt.getTime());
    else due.remove(entry);
    isIndexed = false;
  }

  function forgetEntry(id: string): void {
    const entry = entries.get(id);
    if (entry === undefined) return;
    due.remove(entry);
    entries.delete(id);
    isIndexed = false;
  }

  /** The next time of a job: as its file says, as it was known of this same file, or counted from now when a person wrote or changed it. */
  function timed(read: ReadJob, version: Version): Job {
    const { nextRunAt, ...job } = read;
    if (job.status !== "active") return { ...job, nextRunAt: null };
    // Null is right when the one time has come; a time that the schedule does not have is of the schedule before a person changed it.
    const isRight =
      nextRunAt === null ? job.schedule.kind === "at" : nextRunAt !== undefined && isTimeOf(job, nextRunAt);
    if (isRight) return { ...job, nextRunAt: nextRunAt ?? null };
    const known = entries.get(job.id);
    const isKnown = known !== undefined && known.version === version && known.place !== -1;
    return { ...job, nextRunAt: isKnown ? new Date(known.dueMs) : nextTimeOf(job, clock.now()) };
  }

  /** Reads a job's file. One that cannot be read is set aside and reported; the others go on. */
  async function read(id: string): Promise<Kept | undefined> {
    const key = keyOf(id);
    const found = await store.get(key);
    if (found === null) {
      forgetEntry(id);
      return undefined;
    }
    const text = typeof found.value === "string" ? found.value : "";
    const job = readJobFile(text, givenFor(id));
    if (isProblem(job)) {
      const { line, field, message } = job;
      logger.error("A job's file cannot be read and is set aside", {
        file: `${key}${BAD_END}`,
        line,
        field,
        problem: message,
      });
      await store.put(`${key}${BAD_END}`, found.value);
      await store.remove(key, { expect: found.version }).catch(unlessConflict);
      forgetEntry(id);
      return undefined;
    }
    const kept = { job: timed(job, found.version), text, version: found.version };
    note(kept.job, kept.version);
    return kept;
  }

  async function get(id: string): Promise<Job | undefined> {
    return (await read(id))?.job;
  }

  /** @throws {AssistantError} `CONFLICT` when there is one of this id. */
  async function create(job: Job): Promise<Job> {
    try {
      note(job, await store.put(keyOf(job.id), writeJobFile(job), { expect: null }));
    } catch (error) {
      if (!ConflictError.is(error)) throw error;
      throw new AssistantError("CONFLICT", `There is a job ${JSON.stringify(job.id)} already`);
    }
    return job;
  }

  /**
   * Changes some keys of a job's file, whatever else was changed meanwhile.
   * @param change What changes, from the job as it is then; `null`: nothing does.
   */
  async function change(id: string, how: (job: Job) => Partial<Job> | null): Promise<Job | undefined> {
    for (;;) {
      const kept = await read(id);
      if (kept === undefined) return undefined;
      const changes = how(kept.job);
      if (changes === null) return kept.job;
      const job = { ...kept.job, ...changes };
      try {
        note(job, await store.put(keyOf(id), changeJobFile(kept.text, changes), { expect: kept.version }));
        return job;
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
      }
    }
  }

  /** @returns False when there is none. */
  async function remove(id: string): Promise<boolean> {
    const isThere = (await store.get(keyOf(id))) !== null;
    await store.remove(keyOf(id));
    forgetEntry(id);
    return isThere;
  }

  /** All jobs, or those of one person, in the order in which they were made. */
  async function* list(user?: string): AsyncGenerator<Job> {
    const ids = [...entries.values()].filter((entry) => user === undefined || entry.user === user).map(({ id }) => id);
    for (const id of ids.toSorted()) {
      const job = await get(id);
      if (job !== undefined) yield job;
    }
  }

  /** Brings in what was changed by other hands since it was last looked. */
  async function look(): Promise<void> {
    const seen = new Set<string>();
    let changed: string[] = [];
    for await (const { key, version } of store.list(ROOM)) {
      if (key.startsWith(RUNS) || !key.endsWith(FILE_END)) continue;
      const id = idOf(key);
      seen.add(id);
      if (entries.get(id)?.version !== version) changed.push(id);
      if (changed.length < BATCH) continue;
      await Promise.all(changed.map(read));
      changed = [];
    }
    await Promise.all(changed.map(read));
    for (const id of entries.keys()) if (!seen.has(id)) forgetEntry(id);
  }

  /** Once: what the index knows, and then what has changed since it was written. */
  function load(): Promise<void> {
    return (loading ??= (async () => {
      readIndex((await store.get(INDEX))?.value);
      await look();
      await saveIndex();
    })());
  }

  function readIndex(value: unknown): void {
    const { v, jobs = [] } = (value ?? {}) as { v?: number; jobs?: readonly (readonly unknown[])[] };
    if (v !== INDEX_FORMAT) return;
    for (const [id, version, dueMs, user, isLive, dedupeKey] of jobs as readonly [
      string,
      Version,
      number,
      string,
      boolean,
      string?,
    ][]) {
      const entry: Entry = { id, version, user, dedupeKey, isLive, dueMs: 0, place: -1 };
      entries.set(id, entry);
      if (dueMs > 0) due.set(entry, dueMs);
    }
  }

  /** It can be made again from the files: written when it is known to be wrong, at start and at the end. */
  async function saveIndex(): Promise<void> {
    if (isIndexed) return;
    isIndexed = true;
    const jobs = [...entries.values()].map(({ id, version, dueMs, place, user, isLive, dedupeKey }) => [
      id,
      version,
      place === -1 ? 0 : dueMs,
      user,
      isLive,
      ...(dedupeKey === undefined ? [] : [dedupeKey]),
    ]);
    await store.put(INDEX, { v: INDEX_FORMAT, jobs });
  }

  return {
    load,
    look,
    saveIndex,
    get,
    create,
    change,
    remove,
    list,
    /** Ids of jobs that are due, the earliest first. */
    due(now: number): readonly string[] {
      const ids: string[] = [];
      const taken: Entry[] = [];
      for (let first = due.first(); first !== undefined && first.dueMs <= now; first = due.first()) {
        ids.push(first.id);
        taken.push(first);
        due.remove(first);
      }
      for (const entry of taken) due.set(entry, entry.dueMs);
      return ids;
    },
    /** When the next one is due, epoch milliseconds. */
    nextDue: (): number | undefined => due.first()?.dueMs,
    /** How many there are that may still run. */
    count: (user?: string): number =>
      [...entries.values()].filter((entry) => entry.isLive && (user === undefined || entry.user === user)).length,
    enabled: (): number => due.size,
    /** The job of a person that was made with this key, if it is still live. */
    withKey: (user: string, dedupeKey: string): string | undefined =>
      [...entries.values()].find((entry) => entry.isLive && entry.user === user && entry.dedupeKey === dedupeKey)?.id,
  };
}

/** The first time of a job after a moment; null when it does not come any more. */
export function nextTimeOf({ schedule, createdAt }: Pick<Job, "schedule" | "createdAt">, after: number): Date | null {
  return nextRuns(schedule, { from: new Date(after), anchor: createdAt })[0] ?? null;
}

function isTimeOf(job: Pick<Job, "schedule" | "createdAt">, time: Date): boolean {
  return nextTimeOf(job, time.getTime() - 1)?.getTime() === time.getTime();
}

function keyOf(id: string): string {
  return storeKey("jobs", `${id}${FILE_END}`);
}

function idOf(key: string): string {
  return (keySegments(key).at(-1) ?? "").slice(0, -FILE_END.length);
}

function unlessConflict(error: unknown): void {
  if (!ConflictError.is(error)) throw error;
}
