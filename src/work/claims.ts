import { type Engine, createArrivals } from "../engine/index.ts";
import type { Runs } from "../schedule/index.ts";
import { jobKeyOf } from "./job-key.ts";

/** Claims of runs, which wake whoever does them. */
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
    /** A run of a job for a planned time; a second claim of it changes nothing. In one tick, so that the claim and its wake share a durable point. */
    async claim(id: string, planned: number, byHand = false): Promise<void> {
      const key = jobKeyOf(id, planned);
      const claiming = runs.claim(id, planned, byHand);
      arrivals.add(key, claiming);
      await Promise.all([claiming, engine.wake(key)]);
    },
    /** The owner agreed that a run does this task; it waits for that. */
    async agree(id: string, planned: number, task: string): Promise<void> {
      const key = jobKeyOf(id, planned);
      const agreeing = runs.agree(id, planned, task);
      arrivals.add(key, agreeing);
      await Promise.all([agreeing, engine.wake(key)]);
    },
    /** Resolves when what was claimed before can be read. */
    landed: arrivals.landed,
  };
}
