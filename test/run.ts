import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";
import type { Counts } from "./support/count-reporter.ts";
import { joinPrograms } from "./support/join-programs.ts";
import { type Skip, groupSkips } from "./support/skips.ts";

// What `npm test` runs: the one suite on every runtime, several at a time where there are several cores: much of it waits, for processes. `npm run test:machine` adds what needs a program that npm does not install (`--part machine`), `npm run faults` kills, floods and bombs (`--part stress`): CI runs all. Arguments: `--runtime node` (may be repeated; node, workerd, bun, deno), `--seed 7` (other made-up cases), `--thorough` (all cases, as `npm run faults -- --only thorough` asks for them) and parts of file names.

const root = join(import.meta.dirname, "..");
const bin = (name: string) => join(root, "node_modules", ".bin", name);
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");

const PARTS = ["suite", "machine", "stress"] as const;
type Part = (typeof PARTS)[number];

/** How many processes share the tests of a runtime. */
const PIECES: Readonly<Record<Part, Readonly<Record<Runtime, number>>>> = {
  // Each piece of Deno and Node loads what the others load: no more of them than leave no core idle at the end.
  suite: { node: 3, deno: 3, bun: 1, workerd: 1 },
  // A minute's work: the browser on Node, Redis and the sandbox everywhere.
  machine: { node: 2, deno: 1, bun: 1, workerd: 0 },
  stress: { node: 1, deno: 1, bun: 1, workerd: 1 },
};

/** Where tests are thorough some files take minutes: smaller pieces, so that a core which has had the short ones takes another. */
const THOROUGH_PIECES = 6;

/** The longest first, the shortest last. */
const ORDER: readonly Runtime[] = ["bun", "workerd", "node", "deno"];

/** Processes at once: two more than there are cores, since each waits now and then. Measured on two: with one more a core idles for half a minute; with three more they take each other's caches, and a tenth more time of the cores. */
const lanes = availableParallelism() > 1 ? availableParallelism() + 2 : 1;

/** A process in which no test ends for so long hangs: a single one has 40 s, 240 s where tests are thorough. How long all of them take is the machine's matter. */
const LIMIT_MS = 10 * 60_000;

/** How often it is looked whether tests end. */
const LOOK_MS = 5_000;

/** Ten times what the tests have at one time. */
const SCRATCH_BYTES = 2 ** 30;

/** What vitest says of a run as a whole; the table at the end says it for all of them. */
const headings = /^\s*(RUN|Test Files|Tests|Start at|Duration)\b/;

const colours = process.stdout.isTTY ? { FORCE_COLOR: "1" } : { NO_COLOR: "1", FORCE_COLOR: undefined };

type Runtime = "node" | "workerd" | "bun" | "deno";

interface Installed {
  readonly runtime: Runtime;
  /** Prints its version. */
  readonly command: readonly [string, ...string[]];
  readonly package: string;
}

const runtimes: readonly Installed[] = [
  { runtime: "node", command: [bin("node"), "--version"], package: "node" },
  { runtime: "workerd", command: [bin("workerd"), "--version"], package: "workerd" },
  { runtime: "bun", command: [bin("bun"), "--version"], package: "bun" },
  { runtime: "deno", command: [bin("deno"), "--version"], package: "deno" },
];

/** One vitest process: all tests of a runtime, or a part of them. */
interface Job {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly runtime: Runtime;
}

interface Outcome {
  readonly job: Job;
  readonly counts: Counts;
  readonly seconds: number;
  /** Why the process itself failed, if it did. */
  readonly failure?: string;
}

const { values, positionals: filters } = parseArgs({
  options: {
    runtime: { type: "string", multiple: true, default: ["node", "workerd", "bun", "deno"] },
    seed: { type: "string" },
    thorough: { type: "boolean", default: false },
    part: { type: "string", default: "suite" },
  },
  allowPositionals: true,
});
const wanted = runtimes.filter(({ runtime }) => values.runtime.includes(runtime));
const unknown = values.runtime.filter((name) => !runtimes.some(({ runtime }) => runtime === name));
if (unknown.length > 0) {
  console.error(`Unknown runtime ${unknown.join(", ")}: expected ${runtimes.map(({ runtime }) => runtime).join(", ")}`);
  process.exit(2);
}

const part = PARTS.find((name) => name === values.part);
if (part === undefined) {
  console.error(`Unknown part ${values.part}: expected ${PARTS.join(", ")}`);
  process.exit(2);
}

const missing = wanted.filter(
  ({ command: [command, ...args] }) => spawnSync(command, args, { stdio: "ignore" }).status !== 0,
);
for (const { runtime, package: name } of missing) {
  console.error(
    `${runtime} is missing: its install script did not run. Mend: npm install-scripts approve ${name} && npm rebuild ${name}`,
  );
}
const present = wanted.filter((one) => !missing.includes(one)).map(({ runtime }) => runtime);

const scratch = mkdtempSync(join(placeForScratch(), "wakeful-tests-"));
// Each process that a test starts on Node would compile the whole program anew.
const compiled = join(scratch, "compiled");
const programs = await joinPrograms();
const outcomes = await atOnce(jobsFor(part, present), lanes);
for (const folder of [scratch, programs]) rmSync(folder, { recursive: true, force: true });
process.exitCode = report(outcomes);

/** Memory where there is enough of it, since thousands of tests wait for what they write to reach the disk; `npm run faults` writes to the disk. */
function placeForScratch(): string {
  const memory = "/dev/shm";
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > SCRATCH_BYTES ? memory : tmpdir();
}

function jobsFor(part: Part, present: readonly Runtime[]): readonly Job[] {
  const run = ["run", "--reporter=minimal", "--reporter=./test/support/count-reporter.ts", "--passWithNoTests"];
  const denoFlags = ["run", "-A", "--unstable-kv", "--node-modules-dir=manual"];
  const starts: Readonly<Record<Runtime, { readonly command: string; readonly args: readonly string[] }>> = {
    node: { command: bin("node"), args: [vitest, ...run, "--project", "node"] },
    deno: { command: bin("deno"), args: [...denoFlags, vitest, ...run, "--project", "node"] },
    bun: { command: bin("bun"), args: ["--bun", vitest, ...run, "--project", "node", "--pool=threads"] },
    workerd: { command: bin("node"), args: [vitest, ...run, "--project", "workerd"] },
  };
  // vitest refuses to make more parts than there are files, and some files are asked for quickly.
  const piecesOf = (runtime: Runtime) => {
    if (filters.length === 0) return PIECES[part][runtime];
    return values.thorough ? Math.min(THOROUGH_PIECES, filters.length) : 1;
  };
  return ORDER.filter((runtime) => present.includes(runtime)).flatMap((runtime) =>
    Array.from({ length: piecesOf(runtime) }, (_, index) => {
      const { command, args } = starts[runtime];
      const piece = `${index + 1}/${piecesOf(runtime)}`;
      return piecesOf(runtime) === 1
        ? { name: runtime, runtime, command, args: [...args, ...filters] }
        : { name: `${runtime} ${piece}`, runtime, command, args: [...args, `--shard=${piece}`, ...filters] };
    }),
  );
}

async function atOnce(jobs: readonly Job[], width: number): Promise<readonly Outcome[]> {
  const waiting = [...jobs];
  const outcomes: Outcome[] = [];
  const lane = async () => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) outcomes.push(await runJob(job));
  };
  await Promise.all(Array.from({ length: width }, lane));
  return outcomes;
}

function runJob(job: Job): Promise<Outcome> {
  const folder = mkdtempSync(join(scratch, "counts-"));
  const countsFile = join(folder, "counts.json");
  const progressFile = join(folder, "progress");
  writeFileSync(progressFile, "");
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(job.command, job.args, {
      cwd: root,
      env: {
        ...process.env,
        ...(values.seed !== undefined && { WAKEFUL_TEST_SEED: values.seed }),
        ...(values.thorough && { WAKEFUL_TEST_THOROUGH: "1" }),
        ...(filters.length === 0 && { WAKEFUL_TEST_PART: values.part }),
        WAKEFUL_TEST_COUNTS: countsFile,
        WAKEFUL_TEST_PROGRESS: progressFile,
        NODE_COMPILE_CACHE: compiled,
        WAKEFUL_TEST_PROGRAMS: programs,
        TMPDIR: scratch,
        ...colours,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let hungIn: string | undefined;
    const timer = setInterval(() => {
      if (Date.now() - statSync(progressFile).mtimeMs < LIMIT_MS) return;
      hungIn = readFileSync(progressFile, "utf8") || "no test file";
      child.kill("SIGKILL");
    }, LOOK_MS);
    printLines(child.stdout, job.name);
    printLines(child.stderr, job.name);
    child.on("error", (error) => console.error(`${job.name} could not start: ${error.message}`));
    child.on("close", (code, signal) => {
      clearInterval(timer);
      const counts = readCounts(countsFile);
      rmSync(folder, { recursive: true, force: true });
      const failed = Object.values(counts).some((count) => count.failed > 0);
      const silent = Object.keys(counts).length === 0;
      const ended = signal ?? `exit code ${code}`;
      const failure = hungIn
        ? `ended no test for ${LIMIT_MS / 60_000} minutes, in ${hungIn}`
        : (code !== 0 && !failed) || silent
          ? `ended with ${ended} before it had counted its tests`
          : undefined;
      resolve({ job, counts, seconds: (performance.now() - started) / 1000, ...(failure && { failure }) });
    });
  });
}

function readCounts(path: string): Counts {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Counts;
  } catch {
    return {}; // it ended before it could write them
  }
}

function printLines(stream: NodeJS.ReadableStream, name: string): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) print(line);
  });
  stream.on("end", () => print(rest));

  function print(line: string): void {
    if (line.trim() !== "" && !headings.test(stripVTControlCharacters(line))) console.log(`${name} | ${line}`);
  }
}

/** Prints what came of it. @returns The exit code. */
function report(outcomes: readonly Outcome[]): number {
  let passed = 0;
  let failed = missing.length;
  const skips: Skip[] = [];
  const sums = new Map<Runtime, Record<"passed" | "failed" | "skipped", number> & { seconds: readonly string[] }>();
  const rows: string[] = missing.map(({ runtime }) => `${runtime}: not installed, see above`);
  for (const { job, counts, seconds, failure } of outcomes) {
    if (failure !== undefined) {
      failed += 1;
      rows.push(`${job.name}: ${failure}`);
    }
    const { runtime } = job;
    // Bun and Deno run the project "node".
    const count = counts[runtime === "workerd" ? "workerd" : "node"];
    if (count === undefined) continue;
    passed += count.passed;
    failed += count.failed;
    for (const title of count.failures) console.log(`failed on ${runtime}: ${title}`);
    skips.push(...count.skipped.map((skip) => ({ runtime, ...skip })));
    const sum = sums.get(runtime) ?? { passed: 0, failed: 0, skipped: 0, seconds: [] };
    sums.set(runtime, {
      passed: sum.passed + count.passed,
      failed: sum.failed + count.failed,
      skipped: sum.skipped + count.skipped.length,
      seconds: [...sum.seconds, seconds.toFixed(0)],
    });
  }
  for (const line of groupSkips(skips)) console.log(line);
  for (const [runtime, { seconds, ...sum }] of sums)
    rows.push(
      `${runtime}: ${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped (${seconds.join(" + ")} s)`,
    );
  if (passed + failed === 0) {
    console.log(`No test matches ${filters.join(" ")}`);
    failed = 1;
  }
  console.log(["", ...rows, "", `${passed} passed, ${failed} failed`].join("\n"));
  return failed === 0 ? 0 : 1;
}
