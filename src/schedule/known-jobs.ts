import { type DueHeap, createDueHeap } from "../engine/index.ts";
import type { Version } from "../store/index.ts";
import type { Job } from "./job.ts";

const INDEX_FORMAT = 2;

/** A job in memory, without its file. */
interface Entry {
  readonly id: string;
  version: Version;
  user: string;
  dedupeKey: string | undefined;
  /** Whether the job may still run. */
  isLive: boolean;
  /** Whether the job is from the configuration. */
  isStatic: boolean;
  dueMs: number;
  /** Place in the heap; -1: the job waits for no time. */
  place: number;
}

/**
 * Id, version of the file, due time in epoch milliseconds (0: none), user, whether it may still run, whether it is from
 * the configuration, and the `dedupeKey`, if any.
 */
type IndexLine = readonly [string, Version, number, string, boolean, boolean, string | null];

/** @param timezone Zone of files without one. In another zone they are due at other times. */
export function createKnownJobs(timezone: string) {
  const entries = new Map<string, Entry>();
  const due: DueHeap<Entry> = createDueHeap();
  let isSaved = true;

  return {
    /** Stores what a version of a job's file says. */
    note(job: Job, version: Version): void {
      const entry: Entry = Object.assign(entries.get(job.id) ?? { id: job.id, dueMs: 0, place: -1 }, {
        version,
        user: job.user,
        dedupeKey: job.dedupeKey,
        isLive: job.status === "active" || job.status === "paused",
        isStatic: job.source === "static",
      });
      entries.set(job.id, entry);
      if (job.status === "active" && job.nextRunAt !== null) due.set(entry, job.nextRunAt.getTime());
      else due.remove(entry);
      isSaved = false;
    },
    forget(id: string): void {
      const entry = entries.get(id);
      if (entry === undefined) return;
      due.remove(entry);
      entries.delete(id);
      isSaved = false;
    },
    versionOf: (id: string): Version | undefined => entries.get(id)?.version,
    /** The due time according to this version of the file; `undefined`: the job waits for none. */
    dueOf(id: string, version: Version): number | undefined {
      const entry = entries.get(id);
      return entry?.version === version && entry.place !== -1 ? entry.dueMs : undefined;
    },
    ids: (user?: string): readonly string[] =>
      [...entries.values()].filter((entry) => user === undefined || entry.user === user).map(({ id }) => id),
    /** Ids of due jobs, earliest first. */
    due(now: number): readonly string[] {
      const taken: Entry[] = [];
      for (let first = due.first(); first !== undefined && first.dueMs <= now; first = due.first()) {
        taken.push(first);
        due.remove(first);
      }
      for (const entry of taken) due.set(entry, entry.dueMs);
      return taken.map(({ id }) => id);
    },
    /** The earliest due time, in epoch milliseconds. */
    nextDue: (): number | undefined => due.first()?.dueMs,
    /** Number of jobs that may still run. */
    count: (user?: string): number =>
      [...entries.values()].filter((entry) => entry.isLive && (user === undefined || entry.user === user)).length,
    /** Number of jobs that wait for a time. */
    enabled: (): number => due.size,
    /** Ids of the jobs from the configuration. */
    statics: (): readonly string[] => [...entries.values()].filter(({ isStatic }) => isStatic).map(({ id }) => id),
    /** The live job of a person with this key. */
    withKey: (user: string, dedupeKey: string): string | undefined =>
      [...entries.values()].find((entry) => entry.isLive && entry.user === user && entry.dedupeKey === dedupeKey)?.id,
    /** Loads the result of `written`. @returns False when its format or zone differs. */
    read(value: unknown): boolean {
      const { v, tz, jobs = [] } = (value ?? {}) as { v?: number; tz?: string; jobs?: readonly IndexLine[] };
      if (v !== INDEX_FORMAT || tz !== timezone) return false;
      for (const [id, version, dueMs, user, isLive, isStatic, dedupeKey] of jobs) {
        // Already read from its file: with two entries the job would be due twice.
        if (entries.has(id)) continue;
        const entry: Entry = {
          id,
          version,
          user,
          dedupeKey: dedupeKey ?? undefined,
          isLive,
          isStatic,
          dueMs: 0,
          place: -1,
        };
        entries.set(id, entry);
        if (dueMs > 0) due.set(entry, dueMs);
      }
      return true;
    },
    /** All entries for the index; `undefined` when nothing has changed since the last call. */
    written(): { readonly v: number; readonly tz: string; readonly jobs: readonly IndexLine[] } | undefined {
      if (isSaved) return undefined;
      isSaved = true;
      const jobs = [...entries.values()].map(
        ({ id, version, dueMs, place, user, isLive, isStatic, dedupeKey }) =>
          [id, version, place === -1 ? 0 : dueMs, user, isLive, isStatic, dedupeKey ?? null] as const,
      );
      return { v: INDEX_FORMAT, tz: timezone, jobs };
    },
  };
}
