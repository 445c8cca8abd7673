import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Runtime } from "./kill.ts";
import type { Checks } from "./report.ts";
import { runSuite } from "./suite.ts";

const ROOT = join(import.meta.dirname, "../..");
/** What has more cases than `npm test` tries, or is tried there on Node alone. */
const IS_LONG = /\.long\.test\.ts$/;
const HAS_MORE = /support\/thorough\.ts|from "fast-check"/;

/** The tests that `npm test` runs on a sample of their cases, on all of them, with this seed for what is made up, on each of the runtimes. */
export async function thorough(checks: Checks, seed: number, runtimes: readonly Runtime[]): Promise<void> {
  const files = globSync("test/**/*.test.ts", { cwd: ROOT }).filter(
    (file) => IS_LONG.test(file) || HAS_MORE.test(readFileSync(join(ROOT, file), "utf8")),
  );
  checks.check(
    "thorough: every test holds on all its cases",
    await runSuite(["--thorough", ...files], seed, runtimes),
    `again: npm run faults -- --only thorough --seed ${seed}`,
  );
}
