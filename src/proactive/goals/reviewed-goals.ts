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

/** The engine's key that looks for goals that were changed by other hands. */
const REVIEWS_KEY = "goals:reviews";
const LOOK_EVERY_MS = 300_000;
const JOB_IDS = "okr-";

export interface ReviewedGoalsDeps {
  readonly files: Pick<GoalFiles, "read" | "change" | "list" | "moveUser">;
  readonly jobs: Pick<Jobs, "load" | "ids" | "get" | "create" | "change" | "remove">;
  readonly runs: Pick<Runs, "copy" | "list" | "remove">;
  /** Waits for the nearest job. */
  arm(): Promise<void>;
  readonly homes: {
    /** Where a person is told of reviews that no conversation set up; `undefined`: nowhere. */
    placeOf(userId: string): JobPlace | undefined;
    timezoneOf(userId: string): string;
  };
  readonly engine: Pick<Engine, "wake">;
  readonly store: Pick<Store, "watch" | "caps">;
  readonly clock: Pick<Clock, "now">;
  readonly logger: Pick<Logger, "warn">;
}

export interface ReviewedGoalsOptions {
  /** Whether there are jobs at all. */
  readonly keepsJobs: boolean;
  /** Whether people have goals. Without, the jobs of an earlier process go. */
  readonly keepsGoals: boolean;
  /** Default 3. */
  readonly maxConsecFailures?: number | undefined;
}

/** Goals, and the jobs that review them. */
export type ReviewedGoals = ReturnType<typeof createReviewedGoals>;

/**
 * Goals with a job of the source `okr` for each that is reviewed. Ids of jobs follow from the person and the objective, so that looking twice makes nothing twice.
 *
 * What is written here changes the jobs at once. Edits by hand are heard of where the store can watch; elsewhere a wake looks at the versions every five minutes while
 * anybody has goals, and at a person's next message, and at the start. Where nobody has goals, or nobody else can write, nothing is woken: a Durable Object sleeps on.
 *
 * Source: docs/goals.md, "Reviews".
 */
export function createReviewedGoals(deps: ReviewedGoalsDeps, options: ReviewedGoalsOptions) {
  const { files, jobs, runs, arm, homes, engine, store, clock, logger } = deps;
  const { keepsJobs, keepsGoals, maxConsecFailures = DEFAULT_MAX_CONSEC_FAILURES } = options;
  const inTurn = createTurns();
  const stopping = new AbortController();
  /** The version of each file whose jobs are as it says. */
  const synced = new Map<string, Version>();
  /** Who has a file, those that cannot be read too. */
  const withFile = new Set<string>();
  /** Neither another process nor a person's editor can change what this store has. */
  const isAlone = store.caps.exclusive === true && store.watch === undefined;
  let following: Promise<void> | undefined;
  let isWatched = false;
  let isAsked = false;

  /** Makes the jobs of a person as their goals say. @param place Where new ones speak. */
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
    // A review that was paused stays paused.
    if (known.source !== "okr" || JSON.stringify({ ...known, ...said }) === JSON.stringify(known)) return;
    const [last] = await runs.list(id, 1);
    const came = last?.status === "skipped" ? undefined : last?.planned;
    await jobs.change(id, (job) => {
      // In another zone the hour of the review that came last may come again: that one is not done twice.
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
      // A review that was missed is made up for.
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

  /** Under another name of its person a review has another id; how it stands and what came of it stays. @returns How many there are. */
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

  /** Of a file that cannot be read the jobs stay as they are. What fails is tried at the next look. */
  function sync(userId: string): Promise<void> {
    return inTurn(userId, () => bring(userId)).catch((error: unknown) => {
      if (!isUnreadable(error) && !stopping.signal.aborted)
        logger.warn("Reviews of goals could not be set up", { userId, error: messageOf(error) });
    });
  }

  /** Everybody whose file changed, came or went. @returns Who has one. */
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

  /** What changed while nothing ran, and what changes by other hands from now on. */
  async function follow(): Promise<void> {
    const { signal } = stopping;
    isWatched = store.watch !== undefined;
    try {
      await jobs.load();
      // What is made meanwhile is right.
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
    /** Changes goals, and their reviews with them. @param place Where new reviews are said. Default: the person's own chat. */
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
    /** As `Movable`: goals with their reviews. */
    moveUser: (from: string, to: string): Promise<number> =>
      inTurn(from, () =>
        inTurn(to, async () => {
          const reviews = keepsJobs && keepsGoals ? await copyReviews(from, to) : 0;
          const moved = await files.moveUser(from, to);
          if (moved + reviews === 0) return 0;
          // What cannot be read keeps its reviews.
          for (const userId of [to, from]) await bring(userId).catch(unlessUnreadable);
          return moved;
        }),
      ),
    /** Goals were read: when they are not those whose jobs there are, these follow, behind the turn. */
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

/** A time by the clock of a schedule's zone; `undefined`: it follows no clock. */
function showIn(schedule: Schedule, time: Date): string | undefined {
  return schedule.kind === "cron" ? showTime(time, schedule.tz) : undefined;
}

async function jobPrefixOf(userId: string): Promise<string> {
  return `${JOB_IDS}${await hashOf(userId)}-`;
}

/** In small letters, as the names of all jobs' files. */
async function hashOf(text: string): Promise<string> {
  const withoutTime = (await idOf(0, text)).slice(-16);
  return withoutTime.toLowerCase();
}

function unlessUnreadable(error: unknown): void {
  if (!isUnreadable(error)) throw error;
}

/** Another process made it at the same time. */
function unlessMade(error: unknown): void {
  if (!AssistantError.is(error, "CONFLICT")) throw error;
}
