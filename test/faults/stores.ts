import { type CrashedStore, crashRounds } from "../store/crash.ts";
import { seeded } from "../support/seeded.ts";
import type { Checks } from "./report.ts";

const STORES: readonly CrashedStore[] = ["fs", "sqlite"];
const ROUNDS = 10;
const MAX_WRITES = 400;

/** Kills a process that writes to a store, after another number of acknowledged writes in each round. */
export async function stores(checks: Checks, seed: number): Promise<void> {
  const chance = seeded(seed);
  for (const kind of STORES) {
    const writes = Array.from({ length: ROUNDS }, () => 1 + Math.floor(chance() * MAX_WRITES));
    const { acknowledged, faults } = await crashRounds(kind, writes);
    console.log(`${kind}: killed ${ROUNDS} times, ${acknowledged} writes acknowledged`);
    checks.check(
      `stores: ${kind} loses, doubles and tears nothing that was acknowledged`,
      faults.length === 0,
      faults.slice(0, 5).join("; "),
    );
  }
}
