import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Runtime } from "./kill.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Runs tests of the suite with this seed for what is made up, on these runtimes. @returns Whether all of them passed. */
export async function runSuite(args: readonly string[], seed: number, runtimes: readonly Runtime[]): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [
      join(ROOT, "test/run.ts"),
      ...["--seed", String(seed)],
      ...runtimes.flatMap((runtime) => ["--runtime", runtime]),
      ...args,
    ],
    { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] },
  );
  return (await new Promise((resolve) => child.once("close", resolve))) === 0;
}
