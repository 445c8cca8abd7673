import type { Runtime } from "./kill.ts";
import type { Checks } from "./report.ts";
import { runSuite } from "./suite.ts";

/** The tests of kills, floods, bombs and megabytes, which `npm test` leaves out, on each of the runtimes. */
export async function stress(checks: Checks, seed: number, runtimes: readonly Runtime[]): Promise<void> {
  checks.check(
    "stress: every test of kills, floods, bombs and megabytes holds",
    await runSuite(["--part", "stress"], seed, runtimes),
    `again: npm run faults -- --only stress --seed ${seed}`,
  );
}
