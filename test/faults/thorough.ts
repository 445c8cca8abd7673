import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Checks } from "./report.ts";

const ROOT = join(import.meta.dirname, "../..");
/** What has more cases than `npm test` tries. */
const HAS_MORE = /support\/thorough\.ts|from "fast-check"/;

/** The tests that `npm test` runs on a sample of their cases, on all of them, with this seed for what is made up. Once, on Node. */
export async function thorough(checks: Checks, seed: number): Promise<void> {
  const files = globSync("test/**/*.test.ts", { cwd: ROOT }).filter((file) =>
    HAS_MORE.test(readFileSync(join(ROOT, file), "utf8")),
  );
  const parts = Math.min(2, availableParallelism());
  const codes = await Promise.all(
    Array.from({ length: parts }, (_, index) => runPart(files, seed, `${index + 1}/${parts}`)),
  );
  checks.check(
    "thorough: every test holds on all its cases",
    codes.every((code) => code === 0),
    `again: npm run faults -- --only thorough --seed ${seed}`,
  );
}

function runPart(files: readonly string[], seed: number, part: string): Promise<number | null> {
  const child = spawn(
    process.execPath,
    [
      join(ROOT, "node_modules/vitest/vitest.mjs"),
      ...["run", "--project", "node", "--reporter=minimal", `--shard=${part}`],
      ...files,
    ],
    {
      cwd: ROOT,
      env: { ...process.env, WAKEFUL_TEST_SEED: String(seed), WAKEFUL_TEST_THOROUGH: "1" },
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  return new Promise((resolve) => child.once("close", resolve));
}
