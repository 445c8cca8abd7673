import { describe, expect, inject, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { keepJobs } from "../support/keep-jobs.ts";
import { beginLife } from "../support/life.ts";
import { THOROUGH, WHOLE } from "../support/thorough.ts";
import { YEAR_DAYS, YEAR_START, faultsOfRuns, writeMixedJobs } from "../support/year-of-jobs.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = THOROUGH ? YEAR_DAYS : WHOLE ? 100 : 40;
const JOBS = THOROUGH ? 200 : 12;
const KILLS = THOROUGH ? 100 : WHOLE ? 12 : 8;

/** Numbers from 0 to 1, the same for the same seed. */
function seeded(): () => number {
  let state = inject("seed") >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixedBits = Math.imul(state ^ (state >>> 15), 1 | state);
    mixedBits = (mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), 61 | mixedBits)) ^ mixedBits;
    return ((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * How much a life writes before it dies. Every other one dies early, most while it starts; those between have the time to do all that is due: of several times
 * that a process slept through only the last is run.
 */
function writesOf(deaths: number, random: () => number): number {
  return deaths % 2 === 0 ? Math.floor(random() * 120) : JOBS * 10 + Math.floor(random() * JOBS * 40);
}

describe("a year of jobs in six time zones", () => {
  it(
    "claims and ends every planned time once and none besides, whenever its process dies",
    { timeout: 600_000 },
    async () => {
      const random = seeded();
      const store = memoryStore();
      const clock = fakeClock(YEAR_START);
      const jobs = await writeMixedJobs(store, { count: JOBS, days: DAYS, random });
      const end = YEAR_START + DAYS * DAY_MS;
      const ran = new Map<string, number>();
      let deaths = 0;
      while (clock.now() < end) {
        const isMortal = deaths < KILLS;
        const life = beginLife(store, clock, isMortal ? writesOf(deaths, random) : Infinity);
        // The end is written once: whoever wrote it did the work.
        const onRun = (runId: string) => void (life.killed || ran.set(runId, (ran.get(runId) ?? 0) + 1));
        let isStarted = false;
        const starting = keepJobs(life, onRun).catch(() => {});
        void starting.then(() => (isStarted = true));
        // It starts in no time, however many turns of the event loop that takes.
        while (!isStarted && !life.killed) await clock.advance(0);
        const until = isMortal ? Math.min(end, clock.now() + DAY_MS * Math.ceil(random() * (DAYS / KILLS) * 2)) : end;
        while (clock.now() < until && !life.killed) await clock.advance(Math.min(until - clock.now(), HOUR_MS));
        life.kill();
        if (isMortal) deaths += 1;
      }
      expect(deaths).toBe(KILLS);
      // What a last death left is done by the next life, at the same time.
      await keepJobs(beginLife(store, clock));
      await clock.advance(1000);
      expect(await faultsOfRuns({ store, clock }, jobs, end)).toEqual([]);
      expect([...ran.values()].every((times) => times === 1)).toBe(true);
    },
  );
});
