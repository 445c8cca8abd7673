import QuickLRU from "quick-lru";
import type { Clock } from "../clock.ts";
import { AssistantError, ConflictError, messageOf } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { getIndex, type Store, type Version, keySegments, storeKey } from "../store/index.ts";
import type { Logger, Metrics } from "../telemetry/index.ts";
import { DEFAULT_MAX_CONSEC_FAILURES, type Job, type JobEdit } from "./job.ts";
import { type JobFileProblem, type ReadJob, changeJobFile, isProblem, readJobFile, writeJobFile } from "./job-file.ts";
import { createKnownJobs } from "./known-jobs.ts";
import { RUNS } from "./runs.ts";
import { DEFAULT_MIN_INTERVAL_MS } from "./parse-schedule.ts";
import { nextRuns } from "./schedule.ts";

const ROOM = "jobs/";
/** Sorts after all keys of runs and before all later keys. */
const AFTER_RUNS = `${RUNS.slice(0, -1)}0`;
const INDEX = ".index/jobs";
const FAILURES = "scheduler.job.consec_failures";
const FILE_END = ".yaml";
/** Suffix of the key of a file that was set aside. */
export const BAD_END = ".bad";
const NO_TEXT: JobFileProblem = { line: 1, field: "", message: "expected a text in UTF-8" };
/** Files read at once. */
const BATCH = 64;
/** Most parsed files in memory; the cache may hold twice as many, at 2 KB each. */
const MAX_KEPT = 2000;

export interface JobsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly yaml: Platform["yaml"];
  readonly logger: Logger;
  /** Sets the number of consecutive failures of each job. Default: none. */
  readonly metrics?: Pick<Metrics, "set">;
}

export interface JobsOptions {
  /** Zone of schedules without one. Default `UTC`. */
  readonly timezone?: string;
  readonly minIntervalMs?: number | undefined;
  readonly maxConsecFailures?: number | undefined;
}

/** A job as in its file, with the version for compare-and-set. */
interface Kept {
  readonly job: Job;
  readonly text: string;
  readonly version: Version;
}

/** Jobs, one YAML file each. */
export type Jobs = ReturnType<typeof createJobs>;

/**
 * Jobs as YAML files that people may edit, and when the next one is due. Memory holds a small entry for each job. A
 * file is read when its job is due, requested, or changed.
 *
 * Source: docs/jobs.md, "A job's file".
 */
export function createJobs({ store, clock, yaml, logger, metrics }: JobsDeps, options: JobsOptions = {}) {
  const {
    timezone = "UTC",
    minIntervalMs = DEFAULT_MIN_INTERVAL_MS,
    maxConsecFailures = DEFAULT_MAX_CONSEC_FAILURES,
  } = options;
  const known = createKnownJobs(timezone);
  /** The last problem that was reported, by job id. */
  const reported = new Map<string, string>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let opening: Promise<void> | undefined;
  let loading: Promise<void> | undefined;
  let isCompared = false;
  /** Whether memory has a next time, of a job that a person wrote, that is not saved yet. */
  let isBehind = false;

  function note(job: Job, version: Version): void {
    known.note(job, version);
    metrics?.set(FAILURES, job.consecFailures, { job_id: job.id });
  }

  function forget(id: string): void {
    known.forget(id);
    metrics?.set(FAILURES, 0, { job_id: id });
  }

  /** Parsed files by text. A run reads its job's file several times, and each parse takes a millisecond. */
  const readBefore = new QuickLRU<string, ReadJob>({ maxSize: MAX_KEPT });

  function readText(id: string, text: string): ReadJob | JobFileProblem {
    const key = `${id}\n${text}`;
    const before = readBefore.get(key);
    if (before !== undefined) return structuredClone(before);
    const job = readJobFile(text, { yaml, id, timezone, minIntervalMs, maxConsecFailures, now: clock.now() });
    if (!isProblem(job) && !job.isCountedFromNow) readBefore.set(key, structuredClone(job));
    return job;
  }

  /**
   * The next time of a job: from its file, from memory for the same version of the file, or counted from now when a
   * person wrote or changed it.
   */
  function timed(read: ReadJob, version: Version): Job {
    const { nextRunAt, isCountedFromNow: _, ...job } = read;
    if (job.status !== "active") return { ...job, nextRunAt: null };
    // Null is right when the only time has passed. A time that is not in the schedule is from before a person changed
    // the schedule.
    const { schedule } = job;
    const isRight =
      nextRunAt === null
        ? schedule.kind === "at" && Date.parse(schedule.at) <= clock.now()
        : nextRunAt !== undefined && isTimeOf(job, nextRunAt);
    if (isRight) return { ...job, nextRunAt: nextRunAt ?? null };
    const dueMs = known.dueOf(job.id, version);
    if (dueMs !== undefined) return { ...job, nextRunAt: new Date(dueMs) };
    // A single time that passed before its file was first read is caught up.
    if (schedule.kind === "at" && job.lastRunId === undefined) return { ...job, nextRunAt: new Date(schedule.at) };
    return { ...job, nextRunAt: nextTimeOf(job, clock.now()) };
  }

  /** Reports a problem of a file once, until the file can be read. */
  function report(id: string, what: string, fields: { readonly file: string; readonly problem: string }): void {
    if (reported.get(id) !== fields.problem) logger.error(what, fields);
    reported.set(id, fields.problem);
  }

  /** Reads a job's file. An unreadable file is reported and, where possible, set aside; other jobs go on. */
  async function read(id: string): Promise<Kept | undefined> {
    const key = keyOf(id);
    const before = known.versionOf(id);
    const found = await store.get(key).catch(async () => {
      // If the store is down, this read throws too. Otherwise only this file is unreadable.
      await getIndex(store, INDEX);
      return store.get(key).catch((error: unknown) => {
        report(id, "A job's file cannot be read", { file: key, problem: messageOf(error) });
        return null;
      });
    });
    const isText = typeof found?.value === "string";
    const text = isText ? (found.value as string) : "";
    if (found === null || (isText && text.trim() === "")) {
      // The file is gone or is just being written. Setting it aside would lose what is written.
      forget(id);
      return undefined;
    }
    const job = isText ? readText(id, text) : NO_TEXT;
    if (isProblem(job)) {
      const { message: problem, ...place } = job;
      report(id, "A job's file cannot be read and is set aside", { file: `${key}${BAD_END}`, ...place, problem });
      // On a full disk the file stays where it is.
      await store
        .put(`${key}${BAD_END}`, found.value)
        .then(() => store.remove(key, { expect: found.version }))
        .then(() => reported.delete(id), noop);
      forget(id);
      return undefined;
    }
    reported.delete(id);
    if (job.isCountedFromNow) {
      // Replaces the relative time with the absolute one.
      const anchored = readable(timed(job, found.version), changeJobFile(text, { schedule: job.schedule }));
      await store.put(key, anchored, { expect: found.version }).catch(unlessConflict);
      return read(id);
    }
    const kept = { job: timed(job, found.version), text, version: found.version };
    // Skipped if a newer version was noted during the read.
    if (known.versionOf(id) === before) note(kept.job, kept.version);
    isBehind ||= before !== kept.version && kept.job.nextRunAt?.getTime() !== job.nextRunAt?.getTime();
    return kept;
  }

  async function get(id: string): Promise<Job | undefined> {
    return (await read(id))?.job;
  }

  /**
   * A job's file that is certain to be readable. A file that cannot be changed line by line, such as JSON by a person,
   * is rewritten.
   * @throws {AssistantError} `OPTION_INVALID` for a job that a file cannot hold.
   */
  function readable(job: Job, changed = writeJobFile(job)): string {
    if (!isProblem(readText(job.id, changed))) return changed;
    const anew = writeJobFile(job);
    const read = readText(job.id, anew);
    if (isProblem(read)) throw new AssistantError("OPTION_INVALID", `Invalid job: ${read.field}: ${read.message}`);
    return anew;
  }

  /** @throws {AssistantError} `CONFLICT` when the id exists. */
  async function create(job: Job): Promise<Job> {
    try {
      note(job, await store.put(keyOf(job.id), readable(job), { expect: null }));
    } catch (error) {
      if (!ConflictError.is(error)) throw error;
      throw new AssistantError("CONFLICT", `A job ${JSON.stringify(job.id)} already exists`);
    }
    return job;
  }

  /**
   * Changes some keys of a job's file by compare-and-set, and retries after a conflict.
   * @param how Returns the changes to the newest job; `null`: none.
   */
  async function change(id: string, how: (job: Job) => JobEdit | null): Promise<Job | undefined> {
    for (;;) {
      const kept = await read(id);
      if (kept === undefined) return undefined;
      const changes = how(kept.job);
      if (changes === null) return kept.job;
      const { chat, ...others } = { ...kept.job, ...changes };
      const job: Job = { ...others, ...(chat !== undefined && { chat }) };
      try {
        const text = readable(job, changeJobFile(kept.text, changes));
        note(job, await store.put(keyOf(id), text, { expect: kept.version }));
        return job;
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
      }
    }
  }

  /** @returns False when the job does not exist. */
  async function remove(id: string): Promise<boolean> {
    const isThere = (await store.get(keyOf(id))) !== null;
    await store.remove(keyOf(id));
    forget(id);
    return isThere;
  }

  /** Lists all jobs, or those of one person, in the order of creation, after an id. */
  async function* list(user?: string, after = ""): AsyncGenerator<Job> {
    const ids = known
      .ids(user)
      .filter((id) => id > after)
      .toSorted();
    for (let from = 0; from < ids.length; from += BATCH)
      for (const job of await Promise.all(ids.slice(from, from + BATCH).map(get))) if (job !== undefined) yield job;
  }

  /** Reads the files that changed outside since the last look. */
  async function look(): Promise<void> {
    const seen = new Set<string>();
    let changed: string[] = [];
    for await (const { key, version } of files()) {
      if (signal.aborted) return;
      const id = idOf(key);
      seen.add(id);
      if (known.versionOf(id) !== version) changed.push(id);
      if (changed.length < BATCH) continue;
      await Promise.all(changed.map(read));
      changed = [];
    }
    // A job that was not listed is gone or was created in the meantime: reading its file tells.
    await Promise.all([...changed, ...known.ids().filter((id) => !seen.has(id))].map(read));
    if (isBehind) await saveIndex();
  }

  async function* files(end = FILE_END): AsyncGenerator<{ key: string; version: Version }> {
    for (const range of [{}, { after: AFTER_RUNS }]) {
      let hasRuns = false;
      for await (const found of store.list(ROOM, range)) {
        hasRuns = found.key.startsWith(RUNS);
        if (hasRuns) break;
        if (found.key.endsWith(end)) yield found;
      }
      if (!hasRuns) return;
    }
  }

  /**
   * Reads the index, once. After a crash it may be older than the files: a job's file is read before it runs, and
   * `load` reads what has changed. Without an index, all files are read.
   */
  function open(): Promise<void> {
    return (opening ??= (async () => {
      if (!known.read((await getIndex(store, INDEX))?.value)) await compare();
    })().catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
  }

  /** Reads all changed files, once. */
  function load(): Promise<void> {
    return (loading ??= (async () => {
      await open();
      if (!isCompared) await compare();
    })().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  }

  async function compare(): Promise<void> {
    await look();
    await saveIndex();
    isCompared = true;
  }

  /**
   * Writes the index, when a person gave a job a time, at start and at the end. It can be rebuilt from the files,
   * except for times that they do not have.
   */
  async function saveIndex(): Promise<void> {
    isBehind = false;
    const index = known.written();
    if (index !== undefined)
      await store.put(INDEX, index).catch((error: unknown) => {
        logger.warn("The index of jobs could not be written; it is made again from the files", {
          error: messageOf(error),
        });
      });
  }

  /**
   * Reads files that changed outside, then watches for changes if the store can.
   * @param onChange Called after each change.
   */
  async function keepUp(onChange: () => Promise<void>): Promise<void> {
    try {
      await load();
      await onChange();
      for await (const { key } of store.watch?.(ROOM, signal) ?? []) {
        if (key.startsWith(RUNS) || !key.endsWith(FILE_END)) continue;
        const before = known.versionOf(idOf(key));
        // Most changes are this process's own and are skipped. A change that a listing already read is not, and its
        // time is not saved yet.
        if ((await read(idOf(key)))?.version === before && !isBehind) continue;
        if (isBehind) await saveIndex();
        await onChange();
      }
    } catch (error) {
      if (signal.aborted) return;
      logger.warn("Files of jobs are no longer watched; what is changed in them counts when it is due or listed", {
        error: messageOf(error),
      });
    }
  }

  return {
    open,
    load,
    look,
    keepUp,
    get,
    create,
    change,
    remove,
    list,
    due: known.due,
    nextDue: known.nextDue,
    count: known.count,
    enabled: known.enabled,
    ids: known.ids,
    statics: known.statics,
    /** Lists the files that were set aside, for a person to fix. */
    setAside: () => files(FILE_END + BAD_END),
    withKey: known.withKey,
    /** Stops watching and saves the index. */
    async close(): Promise<void> {
      stopping.abort();
      await loading?.catch(noop);
      await saveIndex();
    },
  };
}

/** The first time of a job after a moment; null: none is left. */
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

function noop(): void {}
