import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Located, createLocator, plant, readTexts } from "./locate.ts";
import type { Mutant } from "./mutant.ts";
import { MUTANTS } from "./mutants.ts";
import { isWellFormed } from "./syntax.ts";

// Plants one defect after the other in a copy of the sources and runs the test that must notice it. A check that can be taken away without a failing test
// is no check. `npm run test:mutants`, or with a word: only mutants whose file, declaration, promise, class or piece holds it.

const ROOT = resolve(import.meta.dirname, "../..");
const COPIED = ["src", "adapters", "test", "skills", "configs", "docs", "package.json", "tsconfig.json"];
const DOORS = readdirSync(ROOT).filter((file) => /^(?:mod|kit|entry\.[a-z]+)\.ts$/.test(file));
const COPIED_TOO = ["tsconfig.src.json", "vitest.config.ts", "deno.json", "wakeful.example.yaml", "README.md"];
/** A mutant that makes a test wait for ever is noticed too. */
const LIMIT_MS = 90_000;
const WORKERS = 2;

const only = process.argv[2]?.toLowerCase();
const locate = createLocator(await readTexts(ROOT));
const chosen = MUTANTS.map((mutant) => ({ mutant, located: locate(mutant) })).filter(
  ({ mutant, located }) => only === undefined || wordsOf(mutant, located).toLowerCase().includes(only),
);
const waiting = [...chosen];
const allTests = [...new Set(chosen.map(({ mutant }) => mutant.test))];
const unchecked = [...allTests];
const survivors: string[] = [];
let killed = 0;

const works = await Promise.allSettled(Array.from({ length: WORKERS }, () => work()));
for (const one of works) if (one.status === "rejected") throw one.reason;
console.log(`\n${killed} of ${chosen.length} planted defects were noticed`);
for (const line of survivors) console.log(`SURVIVED ${line}`);
console.log(`mutants: ${killed} passed, ${survivors.length} failed`);
process.exitCode = survivors.length === 0 && chosen.length > 0 ? 0 : 1;

async function work(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "wakeful-mutants-"));
  try {
    for (const name of [...COPIED, ...DOORS, ...COPIED_TOO]) {
      await cp(join(ROOT, name), join(folder, name), { recursive: true, filter: isSource }).catch((error: unknown) => {
        if ((error as { code?: string }).code !== "ENOENT") throw error;
      });
    }
    await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
    await healthy(folder);
    for (let next = waiting.shift(); next; next = waiting.shift()) await judge(folder, next.mutant, next.located);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A test that fails anyway notices nothing: all of them must pass first. Half of them in each of the copies. */
async function healthy(folder: string): Promise<void> {
  const part = unchecked.splice(0, Math.ceil(allTests.length / WORKERS));
  if (part.length === 0) return;
  const { failed, output } = await outcomeOf(folder, part, 4 * LIMIT_MS);
  if (!failed) return;
  waiting.length = 0;
  throw new Error(`Tests fail although no defect is planted:\n${output.slice(-4000)}`);
}

/** Results of earlier runs are no sources. */
function isSource(path: string): boolean {
  return !/[/\\](?:\.wrangler|out|node_modules)(?:[/\\]|$)/.test(path.slice(ROOT.length));
}

async function judge(folder: string, mutant: Mutant, located: Located): Promise<void> {
  const { room, piece, replacement, test, promise, threat } = mutant;
  const name = `class ${threat}: ${promise} (${fileOf(room, located)}: ${shorten(piece)})`;
  if (!("place" in located)) {
    survivors.push(`class ${threat}: ${located.problem}`);
    return;
  }
  const { file, text } = located.place.source;
  const planted = plant(located.place, replacement);
  if (!isWellFormed(file, planted)) {
    survivors.push(`${name}: with its replacement the file does not parse, which any test would notice`);
    return;
  }
  await writeFile(join(folder, file), planted);
  const startedAt = Date.now();
  const { failed: noticed } = await outcomeOf(folder, [test]);
  await writeFile(join(folder, file), text);
  if (noticed) killed += 1;
  else survivors.push(`${name}: ${test} still passes`);
  console.log(
    `${noticed ? "noticed " : "SURVIVED"} ${String(Math.round((Date.now() - startedAt) / 1000)).padStart(3)} s  ${name}`,
  );
}

/** A test that does not end has failed. */
function outcomeOf(
  folder: string,
  tests: readonly string[],
  limitMs = LIMIT_MS,
): Promise<{ readonly failed: boolean; readonly output: string }> {
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const arguments_ = [vitest, "run", "--project", "node", "--bail", "1", "--root", folder, ...tests];
  const child = spawn(process.execPath, arguments_, {
    cwd: folder,
    env: { ...process.env, WAKEFUL_TEST_THOROUGH: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((done, fail) => {
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, limitMs);
    child.on("error", fail);
    child.on("close", (code) => {
      clearTimeout(timer);
      if (/No test files found/.test(output)) fail(new Error(`There is no test ${tests.join(", ")}`));
      done({ failed: code !== 0, output });
    });
  });
}

function wordsOf(mutant: Mutant, located: Located): string {
  const { room, declaration, promise, threat, piece } = mutant;
  return `${fileOf(room, located)} ${declaration} ${promise} class-${threat} ${piece}`;
}

/** Of a mutant that has no place the room, as its file is not known. */
function fileOf(room: string, located: Located): string {
  return "place" in located ? located.place.source.file : room;
}

function shorten(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
