import type { Clock } from "../../clock.ts";
import type { Engine } from "../../engine/index.ts";
import { AssistantError, messageOf } from "../../errors.ts";
import {
  type Goal,
  type GoalFiles,
  type KeptGoals,
  type PersonGoals,
  goalUserOf,
  isUnreadable,
  nameOf,
} from "../../goals/index.ts";
import { idOf } from "../../ids.ts";
import {
  DEFAULT_MAX_CONSEC_FAILURES,
  JOB_DEFAULTS,
  type Job,
  type JobPlace,
  type Jobs,
  type Runs,
  type Schedule,
  nextTimeOf,
  showTime,
} from "../../schedule/index.ts";
import { languageOf } from "../../session/index.ts";
import { type Store, type Version, createTurns } from "../../store/index.ts";
import type { Logger } from "../../telemetry/index.ts";
import { readCadence } from "./cadence.ts";
import { goalText } from "./texts.ts";

/** The engine key whose handler looks for goals that were changed from outside. */
const REVIEWS_KEY = "goals:reviews";
const LOOK_EVERY_MS = 300_000;
const JOB_IDS = "okr-";

export interface ReviewedGoalsDeps {
  readonly files: Pick<GoalFiles, "read" | "change" | "list" | "moveUser">;
  readonly jobs: Pick<Jobs, "load" | "ids" | "get" | "create" | "change" | "remove">;
  readonly runs: Pick<Runs, "copy" | "list" | "remove">;
  /** Sets the wake for the next due job. */
  arm(): Promise<void>;
  readonly homes: {
    /** The chat for reviews that were not set up in a conversation. `undefined` if there is none. */
    placeOf(userId: string): JobPlace | undefined;
    timezoneOf(userId: string): string;
  };
  readonly engine: Pick<Engine, "wake">;
  readonly store: Pick<Store, "watch" | "caps">;
  readonly clock: Pick<Clock, "now">;
  readonly logger: Pick<Logger, "warn">;
}

export interface ReviewedGoalsOptions {
  /** Whether jobs are enabled. */
  readonly keepsJobs: boolean;
  /** Whether goals are enabled. If not, review jobs of an earlier process are removed. */
  readonly keepsGoals: boolean;
  /** Default 3. */
  readonly maxConsecFailures?: number | undefined;
}

/** Goals with their review jobs. */
export type ReviewedGoals = ReturnType<typeof createReviewedGoals>;

/**
 * Keeps a job of the source `okr` for each goal with reviews. Job ids derive from person and objective, so a second
 * sync creates nothing twice.
 *
 * A change through this API updates the jobs immediately. Edits by hand are noticed at once if the store can watch.
 * Otherwise the versions are compared every five minutes while any person has goals, at a person's next message, and at
 * the start. If there are no goals, or no other writer is possible, there is no wake, so a Durable Object can sleep.
 *
 * Source: docs/goals.md, "Reviews".
 */
export function createReviewedGoals(deps: ReviewedGoalsDeps, options: ReviewedGoalsOptions) {
  const { files, jobs, runs, arm, homes, engine, store, clock, logger } = deps;
  const { keepsJobs, keepsGoals, maxConsecFailures = DEFAULT_MAX_CONSEC_FAILURES } = options;
  const inTurn = createTurns();
  const stopping = new AbortController();
  /** The file version that each person's jobs correspond to. */
  const synced = new Map<string, Version>();
  /** Users who have a file, including unreadable ones. */
  const withFile = new Set<string>();
  /** Whether no other process and no editor can change this store. */
  const isAlone = store.caps.exclusive === true && store.watch === undefined;
  let following: Promise<void> | undefined;
  let isWatched = false;
  let isAsked = false;

  /** Syncs a person's review jobs with their goals. @param place The chat for new jobs. */
  async function bring(userId: string, place?: JobPlace): Promise<void> {
    if (!keepsJobs || !keepsGoals) return;
    await jobs.load();
    const found = await files.read(userId);
    const prefix = await jobPrefixOf(userId);
    const wanted = new Set<string>();
    for (const goal of found?.goals.goals ?? []) {
      if (goal.reviewCadence === undefined) continue;
      const id = prefix + (await hashOf(nameOf(goal.objective)));
      wanted.add(id);
      await bringOne(id, goal, userId, place);
    }
    for (const id of jobs.ids()) if (id.startsWith(prefix) && !wanted.has(id)) await end(id);
    if (found === null) {
      synced.delete(userId);
      withFile.delete(userId);
    } else {
      synced.set(userId, found.version);
      withFile.add(userId);
    }
    await arm();
    await lookLater();
  }

  async function bringOne(id: string, goal: Goal, userId: string, place = homes.placeOf(userId)): Promise<void> {
    const { objective, reviewCadence = "" } = goal;
    const language = { language: languageOf(objective) };
    const said = {
      name: goalText("NAME", language, { objective }),
      task: goalText("REVIEW", language, { objective }),
      schedule: readCadence(reviewCadence, homes.timezoneOf(userId)),
    };
    const known = await jobs.get(id);
    if (known === undefined) {
      if (place === undefined) logger.warn("A person's goals are not reviewed: no channel reaches them", { userId });
      else await jobs.create(made(id, said, place)).catch(unlessMade);
      return;
    }
    // A paused review stays paused.
    if (known.source !== "okr" || JSON.stringify({ ...known, ...said }) === JSON.stringify(known)) return;
    const [last] = await runs.list(id, 1);
    const came = last?.status === "skipped" ? undefined : last?.planned;
    await jobs.change(id, (job) => {
      // In a new time zone, the local time of the last review may come again. Skip it, so that the review does not run
      // twice.
      const next = nextTimeOf({ ...job, ...said }, clock.now());
      const isSame = next !== null && came !== undefined && showIn(job.schedule, came) === showIn(said.schedule, next);
      return { ...said, nextRunAt: isSame ? nextTimeOf({ ...job, ...said }, next.getTime()) : next };
    });
  }

  function made(id: string, said: Pick<Job, "name" | "task" | "schedule">, place: JobPlace): Job {
    const createdAt = new Date(clock.now());
    return {
      id,
      ...said,
      ...place,
      ...JOB_DEFAULTS,
      maxConsecFailures,
      // A missed review runs once, later.
      catchUp: "once",
      source: "okr",
      createdAt,
      nextRunAt: nextTimeOf({ schedule: said.schedule, createdAt }, createdAt.getTime()),
    };
  }

  async function end(id: string): Promise<void> {
    if ((await jobs.get(id))?.source !== "okr") return;
    await jobs.remove(id);
    await runs.remove(id);
  }

  /**
   * Copies reviews when their person gets another user id, since the job ids change. State and runs are kept.
   * @returns The number of reviews.
   */
  async function copyReviews(from: string, to: string): Promise<number> {
    await jobs.load();
    const [before, now] = [await jobPrefixOf(from), await jobPrefixOf(to)];
    const ids = jobs.ids().filter((id) => id.startsWith(before));
    for (const id of ids) {
      const job = await jobs.get(id);
      if (job?.source !== "okr") continue;
      const copy = now + id.slice(before.length);
      await runs.copy(id, copy);
      const lastRunId = job.lastRunId?.replace(`${id}:`, () => `${copy}:`);
      await jobs.create({ ...job, id: copy, ...(lastRunId !== undefined && { lastRunId }) }).catch(unlessMade);
    }
    return ids.length;
  }

  /** Leaves the jobs of an unreadable file unchanged. Other failures are retried at the next look. */
  function sync(userId: string): Promise<void> {
    return inTurn(userId, () => bring(userId)).catch((error: unknown) => {
      if (!isUnreadable(error) && !stopping.signal.aborted)
        logger.warn("Reviews of goals could not be set up", { userId, error: messageOf(error) });
    });
  }

  /** Syncs every person whose file changed, appeared or disappeared. @returns Users who have a file. */
  async function look(): Promise<ReadonlySet<string>> {
    const there = new Set<string>();
    for await (const { userId, version } of files.list()) {
      there.add(userId);
      withFile.add(userId);
      if (synced.get(userId) !== version) await sync(userId);
    }
    for (const userId of withFile) if (!there.has(userId)) await sync(userId);
    await lookLater();
    return there;
  }

  async function lookLater(): Promise<void> {
    if (isAlone || isAsked || isWatched || withFile.size === 0) return;
    isAsked = true;
    await engine.wake(REVIEWS_KEY, new Date(clock.now() + LOOK_EVERY_MS));
  }

  /** Syncs what changed while no process ran, then watches for changes from outside. */
  async function follow(): Promise<void> {
    const { signal } = stopping;
    isWatched = store.watch !== undefined;
    try {
      await jobs.load();
      // Jobs created from here on are correct, so only earlier ones are checked.
      const earlier = jobs.ids().filter((id) => id.startsWith(JOB_IDS));
      const prefixes = await Promise.all([...(keepsGoals ? await look() : [])].map(jobPrefixOf));
      for (const id of earlier) if (!prefixes.some((prefix) => id.startsWith(prefix))) await end(id);
      if (!keepsGoals) return;
      for await (const { key } of store.watch?.("goals/", signal) ?? []) {
        const userId = goalUserOf(key);
        if (userId !== undefined) await sync(userId);
      }
    } catch (error) {
      if (signal.aborted) return;
      isWatched = false;
      logger.warn("Files of goals are no longer watched", { error: messageOf(error) });
      await lookLater().catch(() => {});
    }
  }

  return {
    read: files.read,
    /** Changes goals and their reviews. @param place The chat for new reviews. Default: the person's own chat. */
    change: (
      userId: string,
      how: (goals: PersonGoals) => PersonGoals,
      place?: JobPlace,
      expect?: Version | null,
    ): Promise<KeptGoals> =>
      inTurn(userId, async () => {
        const kept = await files.change(userId, how, expect);
        await bring(userId, place);
        return kept;
      }),
    /** Implements `Movable`: moves goals with their reviews. */
    moveUser: (from: string, to: string): Promise<number> =>
      inTurn(from, () =>
        inTurn(to, async () => {
          const reviews = keepsJobs && keepsGoals ? await copyReviews(from, to) : 0;
          const moved = await files.moveUser(from, to);
          if (moved + reviews === 0) return 0;
          // An unreadable file keeps its reviews.
          for (const userId of [to, from]) await bring(userId).catch(unlessUnreadable);
          return moved;
        }),
      ),
    /**
     * Called when goals were read: if their version differs from that of the jobs, syncs the jobs in the background.
     */
    notice(userId: string, { version }: KeptGoals): void {
      if (synced.get(userId) !== version) void sync(userId);
    },
    start(): void {
      if (keepsJobs) following ??= follow();
    },
    isKey: (key: string): boolean => key === REVIEWS_KEY,
    async handle(): Promise<void> {
      isAsked = false;
      if (!keepsJobs || !keepsGoals) return;
      await look();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await following;
      await inTurn.idle();
    },
  };
}

/** Returns the local time in a cron schedule's zone. `undefined` for other schedules. */
function showIn(schedule: Schedule, time: Date): string | undefined {
  return schedule.kind === "cron" ? showTime(time, schedule.tz) : undefined;
}

async function jobPrefixOf(userId: string): Promise<string> {
  return `${JOB_IDS}${await hashOf(userId)}-`;
}

/** A hash in lower case, as all names of job files. */
async function hashOf(text: string): Promise<string> {
  const withoutTime = (await idOf(0, text)).slice(-16);
  return withoutTime.toLowerCase();
}

function unlessUnreadable(error: unknown): void {
  if (!isUnreadable(error)) throw error;
}

/** Ignores the conflict if another process created the job at the same time. */
function unlessMade(error: unknown): void {
  if (!AssistantError.is(error, "CONFLICT")) throw error;
}
