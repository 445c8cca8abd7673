import { memoryStore } from "../../entry.host.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { keepJobs } from "./keep-jobs.ts";
import { beginLife } from "./life.ts";
import { type Chance, seeded } from "./seeded.ts";
import { faultsOfRuns, writeMixedJobs } from "./year-of-jobs.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface JobsToLiveThrough {
  readonly startMs: number;
  readonly days: number;
  /** How many jobs there are, of all kinds. */
  readonly count: number;
  readonly kills: number;
  readonly seed: number;
}

/**
 * Jobs on a fake clock, by processes of which so many are killed in the middle of a write.
 *
 * @returns How many died, what is wrong with the runs, and the runs whose work was done more than once.
 */
export async function liveThroughJobs({ startMs, days, count, kills, seed }: JobsToLiveThrough) {
  const random = seeded(seed);
  const store = memoryStore();
  const clock = fakeClock(startMs);
  const jobs = await writeMixedJobs(store, { startMs, count, days, random });
  const endMs = startMs + days * DAY_MS;
  const ran = new Map<string, number>();
  let deaths = 0;
  while (clock.now() < endMs) {
    const isMortal = deaths < kills;
    const life = beginLife(store, clock, isMortal ? writesOf(deaths, count, random) : Infinity);
    // The end is written once: whoever wrote it did the work.
    const onRun = (runId: string) => void (life.killed || ran.set(runId, (ran.get(runId) ?? 0) + 1));
    let isStarted = false;
    const starting = keepJobs(life, onRun).catch(() => {});
    void starting.then(() => (isStarted = true));
    // It starts in no time, however many turns of the event loop that takes.
    while (!isStarted && !life.killed) await clock.advance(0);
    const until = isMortal ? Math.min(endMs, clock.now() + DAY_MS * Math.ceil(random() * (days / kills) * 2)) : endMs;
    while (clock.now() < until && !life.killed) await clock.advance(Math.min(until - clock.now(), HOUR_MS));
    life.kill();
    if (isMortal) deaths += 1;
  }
  // What a last death left is done by the next life, at the same time.
  await keepJobs(beginLife(store, clock));
  await clock.advance(1000);
  return {
    deaths,
    faults: await faultsOfRuns({ store, clock }, jobs, { startMs, endMs }),
    again: [...ran].filter(([, times]) => times > 1).map(([runId]) => runId),
  };
}

/**
 * How much a life writes before it dies. Every other one dies early, most while it starts; those between have the time to do all that is due: of several times
 * that a process slept through only the last is run.
 */
function writesOf(deaths: number, count: number, random: Chance): number {
  return deaths % 2 === 0 ? Math.floor(random() * 120) : count * 10 + Math.floor(random() * count * 40);
}
