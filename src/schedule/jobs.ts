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
/** Sorts after every key of a run, and before every later one. */
const AFTER_RUNS = `${RUNS.slice(0, -1)}0`;
const INDEX = ".index/jobs";
const FAILURES = "scheduler.job.consec_failures";
const FILE_END = ".yaml";
/** Behind the key of a file that is set aside. */
export const BAD_END = ".bad";
const NO_TEXT: JobFileProblem = { line: 1, field: "", message: "expected a text in UTF-8" };
/** So many files are read at one time. */
const BATCH = 64;
/** What so many files say, up to twice as many: 2 KB each. */
const MAX_KEPT = 2000;

export interface JobsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly yaml: Platform["yaml"];
  readonly logger: Logger;
  /** Is told how often each job failed in a row. Default: nothing is. */
  readonly metrics?: Pick<Metrics, "set">;
}

export interface JobsOptions {
  /** Zone of schedules that name none. Default `UTC`. */
  readonly timezone?: string;
  readonly minIntervalMs?: number | undefined;
  readonly maxConsecFailures?: number | undefined;
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
export function createJobs({ store, clock, yaml, logger, metrics }: JobsDeps, options: JobsOptions = {}) {
  const {
    timezone = "UTC",
    minIntervalMs = DEFAULT_MIN_INTERVAL_MS,
    maxConsecFailures = DEFAULT_MAX_CONSEC_FAILURES,
  } = options;
  const known = createKnownJobs(timezone);
  /** By id: what was said of its file. */
  const reported = new Map<string, string>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let opening: Promise<void> | undefined;
  let loading: Promise<void> | undefined;
  let isCompared = false;
  /** The next time of a job that a person wrote is nowhere else than in memory. */
  let isBehind = false;

  function note(job: Job, version: Version): void {
    known.note(job, version);
    metrics?.set(FAILURES, job.consecFailures, { job_id: job.id });
  }

  function forget(id: string): void {
    known.forget(id);
    metrics?.set(FAILURES, 0, { job_id: id });
  }

  /** By text. A run reads its job's file several times, of which each would take a millisecond. */
  const readBefore = new QuickLRU<string, ReadJob>({ maxSize: MAX_KEPT });

  function readText(id: string, text: string): ReadJob | JobFileProblem {
    const key = `${id}\n${text}`;
    const before = readBefore.get(key);
    if (before !== undefined) return structuredClone(before);
    const job = readJobFile(text, { yaml, id, timezone, minIntervalMs, maxConsecFailures, now: clock.now() });
    if (!isProblem(job) && !job.isCountedFromNow) readBefore.set(key, structuredClone(job));
    return job;
  }

  /** The next time of a job: as its file says, as it was known of this same file, or counted from now when a person wrote or changed it. */
  function timed(read: ReadJob, version: Version): Job {
    const { nextRunAt, isCountedFromNow: _, ...job } = read;
    if (job.status !== "active") return { ...job, nextRunAt: null };
    // Null is right when the one time has come; a time that the schedule does not have is of the schedule before a person changed it.
    const { schedule } = job;
    const isRight =
      nextRunAt === null
        ? schedule.kind === "at" && Date.parse(schedule.at) <= clock.now()
        : nextRunAt !== undefined && isTimeOf(job, nextRunAt);
    if (isRight) return { ...job, nextRunAt: nextRunAt ?? null };
    const dueMs = known.dueOf(job.id, version);
    if (dueMs !== undefined) return { ...job, nextRunAt: new Date(dueMs) };
    // A single time that passed before anybody read it is made up for.
    if (schedule.kind === "at" && job.lastRunId === undefined) return { ...job, nextRunAt: new Date(schedule.at) };
    return { ...job, nextRunAt: nextTimeOf(job, clock.now()) };
  }

  /** Says once of a file what is wrong with it, until it can be read. */
  function report(id: string, what: string, fields: { readonly file: string; readonly problem: string }): void {
    if (reported.get(id) !== fields.problem) logger.error(what, fields);
    reported.set(id, fields.problem);
  }

  /** Reads a job's file. One that cannot be read is reported, and set aside where it can be moved; the others go on. */
  async function read(id: string): Promise<Kept | undefined> {
    const key = keyOf(id);
    const before = known.versionOf(id);
    const found = await store.get(key).catch(async () => {
      // A store that is down fails here too: else it is this file alone.
      await getIndex(store, INDEX);
      return store.get(key).catch((error: unknown) => {
        report(id, "A job's file cannot be read", { file: key, problem: messageOf(error) });
        return null;
      });
    });
    const isText = typeof found?.value === "string";
    const text = isText ? (found.value as string) : "";
    if (found === null || (isText && text.trim() === "")) {
      // Gone, or somebody is writing it: what they write would go with the file.
      forget(id);
      return undefined;
    }
    const job = isText ? readText(id, text) : NO_TEXT;
    if (isProblem(job)) {
      const { message: problem, ...place } = job;
      report(id, "A job's file cannot be read and is set aside", { file: `${key}${BAD_END}`, ...place, problem });
      // On a full disk it stays where it is.
      await store
        .put(`${key}${BAD_END}`, found.value)
        .then(() => store.remove(key, { expect: found.version }))
        .then(() => reported.delete(id), noop);
      forget(id);
      return undefined;
    }
    reported.delete(id);
    if (job.isCountedFromNow) {
      // From now on it says the time that it means.
      const anchored = readable(timed(job, found.version), changeJobFile(text, { schedule: job.schedule }));
      await store.put(key, anchored, { expect: found.version }).catch(unlessConflict);
      return read(id);
    }
    const kept = { job: timed(job, found.version), text, version: found.version };
    // What was written while it was read is newer.
    if (known.versionOf(id) === before) note(kept.job, kept.version);
    isBehind ||= before !== kept.version && kept.job.nextRunAt?.getTime() !== job.nextRunAt?.getTime();
    return kept;
  }

  async function get(id: string): Promise<Job | undefined> {
    return (await read(id))?.job;
  }

  /**
   * A job's file, which can be read again. One that a person wrote in a way that lines cannot be changed in, as in JSON, is written anew.
   * @throws {AssistantError} `OPTION_INVALID` for a job that no file can say.
   */
  function readable(job: Job, changed = writeJobFile(job)): string {
    if (!isProblem(readText(job.id, changed))) return changed;
    const anew = writeJobFile(job);
    const read = readText(job.id, anew);
    if (isProblem(read)) throw new AssistantError("OPTION_INVALID", `Invalid job: ${read.field}: ${read.message}`);
    return anew;
  }

  /** @throws {AssistantError} `CONFLICT` when there is one of this id. */
  async function create(job: Job): Promise<Job> {
    try {
      note(job, await store.put(keyOf(job.id), readable(job), { expect: null }));
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

  /** @returns False when there is none. */
  async function remove(id: string): Promise<boolean> {
    const isThere = (await store.get(keyOf(id))) !== null;
    await store.remove(keyOf(id));
    forget(id);
    return isThere;
  }

  /** All jobs, or those of one person, in the order in which they were made; those behind an id. */
  async function* list(user?: string, after = ""): AsyncGenerator<Job> {
    const ids = known
      .ids(user)
      .filter((id) => id > after)
      .toSorted();
    for (let from = 0; from < ids.length; from += BATCH)
      for (const job of await Promise.all(ids.slice(from, from + BATCH).map(get))) if (job !== undefined) yield job;
  }

  /** Brings in what was changed by other hands since it was last looked. */
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
    // What was not seen is gone, or was made meanwhile: its file tells.
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
   * What the index knows, once. A crash may have left it behind the files: a job's file is read before it is run, and `load` reads what has changed. Where there
   * is no index, all files are read.
   */
  function open(): Promise<void> {
    return (opening ??= (async () => {
      if (!known.read((await getIndex(store, INDEX))?.value)) await compare();
    })().catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
  }

  /** What the files say, once. */
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

  /** It can be made again from the files but for times that they do not say: written when a person gave one, at start and at the end. */
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

  /** Brings in what other hands have changed, and what they change from now on where the store sees it. @param onChange Called after each. */
  async function keepUp(onChange: () => Promise<void>): Promise<void> {
    try {
      await load();
      await onChange();
      for await (const { key } of store.watch?.(ROOM, signal) ?? []) {
        if (key.startsWith(RUNS) || !key.endsWith(FILE_END)) continue;
        const before = known.versionOf(idOf(key));
        // Most changes are this process's own. What a listing has read before is not, and its time is kept nowhere yet.
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
    /** Files that could not be read and wait for a person to mend them. */
    setAside: () => files(FILE_END + BAD_END),
    withKey: known.withKey,
    /** Ends what looks and watches, and keeps what is known. */
    async close(): Promise<void> {
      stopping.abort();
      await loading?.catch(noop);
      await saveIndex();
    },
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

function noop(): void {}
