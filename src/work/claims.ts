import { type Engine, createArrivals } from "../engine/index.ts";
import type { Runs } from "../schedule/index.ts";
import { jobKeyOf } from "./job-key.ts";

/** Claims runs of jobs and wakes their keys. */
export type Claims = ReturnType<typeof createClaims>;

export function createClaims({
  runs,
  engine,
}: {
  readonly runs: Pick<Runs, "claim" | "agree">;
  readonly engine: Pick<Engine, "wake">;
}) {
  const arrivals = createArrivals();
  return {
    /**
     * Claims a job's run for a planned time. A second claim of the same time changes nothing.
     * Contract: both writes are issued in one tick, so that the claim and its wake share a durable point.
     */
    async claim(id: string, planned: number, byHand = false): Promise<void> {
      const key = jobKeyOf(id, planned);
      const claiming = runs.claim(id, planned, byHand);
      arrivals.add(key, claiming);
      await Promise.all([claiming, engine.wake(key)]);
    },
    /** Records that the owner approved this task for a run that waits for approval, and wakes the run. */
    async agree(id: string, planned: number, task: string): Promise<void> {
      const key = jobKeyOf(id, planned);
      const agreeing = runs.agree(id, planned, task);
      arrivals.add(key, agreeing);
      await Promise.all([agreeing, engine.wake(key)]);
    },
    /** Resolves when the claims issued before the call can be read. */
    landed: arrivals.landed,
  };
}
