import { join } from "node:path";
import process from "node:process";

/** Programs that tests start as processes of their own, from the root of the repository. */
export const PROGRAMS = [
  "adapters/cli/main.ts",
  "test/faults/assistant-child.ts",
  "test/runtimes/embed-child.ts",
  "test/store/crash-writer.ts",
  "test/store/redis-writer.ts",
  "test/store/sqlite-writer.ts",
] as const;

/** The file of a program: as it was joined for this run, since a start that reads 700 small files takes twice the time; where a test runs alone, the source itself. */
export function programFile(program: (typeof PROGRAMS)[number]): string {
  const joined = process.env["WAKEFUL_TEST_PROGRAMS"];
  return joined === undefined
    ? join(import.meta.dirname, "../..", program)
    : join(joined, program.replace(/\.ts$/, ".js"));
}
