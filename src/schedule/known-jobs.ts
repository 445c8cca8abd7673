import { type DueHeap, createDueHeap } from "../engine/index.ts";
import type { Version } from "../store/index.ts";
import type { Job } from "./job.ts";

const INDEX_FORMAT = 2;

/** What is known of a job without its file. */
interface Entry {
  readonly id: string;
  version: Version;
  user: string;
  dedupeKey: string | undefined;
  /** It may still run. */
  isLive: boolean;
  /** The configuration has it. */
  isStatic: boolean;
  dueMs: number;
  /** -1: it does not wait for a time. */
  place: number;
}

/** Its id, its file's version, when it is due in epoch milliseconds (0: not), whose it is, whether it may still run, whether the configuration has it, and the key it was made with, if any. */
type IndexLine = readonly [string, Version, number, string, boolean, boolean, string | null];

/** @param timezone Of files that name none: by another one they are due at other times. */
export function createKnownJobs(timezone: string) {
  const entries = new Map<string, Entry>();
  const due: DueHeap<Entry> = createDueHeap();
  let isSaved = true;

  return {
    /** What a job's file says, of this version. */
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
    /** When it is due, as a file of this version said; `undefined` when it does not wait. */
    dueOf(id: string, version: Version): number | undefined {
      const entry = entries.get(id);
      return entry?.version === version && entry.place !== -1 ? entry.dueMs : undefined;
    },
    ids: (user?: string): readonly string[] =>
      [...entries.values()].filter((entry) => user === undefined || entry.user === user).map(({ id }) => id),
    /** Ids of jobs that are due, the earliest first. */
    due(now: number): readonly string[] {
      const taken: Entry[] = [];
      for (let first = due.first(); first !== undefined && first.dueMs <= now; first = due.first()) {
        taken.push(first);
        due.remove(first);
      }
      for (const entry of taken) due.set(entry, entry.dueMs);
      return taken.map(({ id }) => id);
    },
    /** When the next one is due, epoch milliseconds. */
    nextDue: (): number | undefined => due.first()?.dueMs,
    /** How many there are that may still run. */
    count: (user?: string): number =>
      [...entries.values()].filter((entry) => entry.isLive && (user === undefined || entry.user === user)).length,
    /** How many wait for a time. */
    enabled: (): number => due.size,
    /** Ids of those that the configuration has. */
    statics: (): readonly string[] => [...entries.values()].filter(({ isStatic }) => isStatic).map(({ id }) => id),
    /** The job of a person that was made with this key, if it is still live. */
    withKey: (user: string, dedupeKey: string): string | undefined =>
      [...entries.values()].find((entry) => entry.isLive && entry.user === user && entry.dedupeKey === dedupeKey)?.id,
    /** Takes up what `written` gave. @returns False when it is of another format or zone. */
    read(value: unknown): boolean {
      const { v, tz, jobs = [] } = (value ?? {}) as { v?: number; tz?: string; jobs?: readonly IndexLine[] };
      if (v !== INDEX_FORMAT || tz !== timezone) return false;
      for (const [id, version, dueMs, user, isLive, isStatic, dedupeKey] of jobs) {
        // Read from its file since: two entries of one job would both be due.
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
    /** All of it, to be kept; `undefined` when nothing has changed since. */
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
