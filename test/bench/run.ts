import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { compile, installPeers } from "./prepare.ts";
import type { Result, Row } from "./row.ts";
import { coldStart } from "./rows/cold-start.ts";
import { contextBuild } from "./rows/context.ts";
import { durableTurn } from "./rows/durable.ts";
import { eventBus } from "./rows/events.ts";
import { commandGuard } from "./rows/guard.ts";
import { hostileTexts } from "./rows/hostile-texts.ts";
import { manyJobs } from "./rows/jobs.ts";
import { longConversation } from "./rows/long.ts";
import { memory } from "./rows/memory.ts";
import { toolPolicy } from "./rows/policy.ts";
import { recall } from "./rows/recall.ts";
import { recallFusion } from "./rows/recall-fusion.ts";
import { skillMatching } from "./rows/skills.ts";
import { bundleSize, installedSize } from "./rows/size.ts";
import { recallUnasked } from "./rows/recall-unasked.ts";
import { skillEvaluation } from "./rows/skill-evaluation.ts";
import {
  historyGrowth,
  noticingTurn,
  plainTurn,
  skilledTurn,
  toolTurn,
  turnWithJobs,
  turnWithWorkflows,
} from "./rows/turn.ts";
import { webhook } from "./rows/webhook.ts";
import { workerLoad } from "./rows/worker-load.ts";
import { RUNTIMES, type Runtime, commandFor } from "./runtimes.ts";
import { formatMarkdown, formatResult } from "./table.ts";

// What `npm run bench` runs: every row beside its baselines, in the same run. A row that misses its bar, or its baseline, fails.

const ROWS: readonly Row[] = [
  plainTurn,
  toolTurn,
  skilledTurn,
  noticingTurn,
  turnWithJobs,
  turnWithWorkflows,
  historyGrowth,
  longConversation,
  durableTurn,
  webhook,
  coldStart,
  bundleSize,
  workerLoad,
  installedSize,
  memory,
  eventBus,
  toolPolicy,
  skillMatching,
  contextBuild,
  commandGuard,
  hostileTexts,
  manyJobs,
  recall,
  recallFusion,
  recallUnasked,
  skillEvaluation,
];

const USAGE = `npm run bench -- [<row>]… [--only <row>]… [--runtime node|bun|deno]… [--rounds <count>] [--data <folder>] [--markdown]
rows: ${ROWS.map(({ name }) => name).join(", ")}`;

const folder = import.meta.dirname;
const root = join(folder, "../..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", multiple: true },
    runtime: { type: "string", multiple: true },
    rounds: { type: "string" },
    data: { type: "string" },
    markdown: { type: "boolean" },
  },
});
if (values.data !== undefined) process.env["WAKEFUL_BENCH_DATA"] = resolve(values.data);
const named = [...positionals, ...(values.only ?? [])];
/** A row's name means also what is measured beside it: `recall` is `recall-fusion` too. */
const isMeant = (name: string, given: string) => name === given || name.startsWith(`${given}-`);
const rows = ROWS.filter(({ name }) => named.length === 0 || named.some((given) => isMeant(name, given)));
const runtimes = RUNTIMES.filter((name) => values.runtime?.includes(name) ?? true);
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
const isKnown =
  named.every((given) => ROWS.some(({ name }) => isMeant(name, given))) &&
  runtimes.length === (values.runtime?.length ?? runtimes.length);
if (!isKnown || (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))) {
  console.error(USAGE);
  process.exit(2);
}

const say = (text: string) => process.stderr.isTTY && process.stderr.write(`\r\x1b[K${text}`);
say("compiling");
const build = compile(root, folder);
let withoutPeers: string | undefined;
try {
  say("installing the baselines");
  installPeers(folder);
} catch (error) {
  withoutPeers = error instanceof Error ? error.message : String(error);
}

const results: Result[] = [];
for (const row of rows) {
  const context = { rounds: rounds ?? row.rounds, runtimes, build, peers: join(folder, "peers"), root, say };
  const measured = await row.run(context).catch((error: unknown) => [failed(row, error)]);
  results.push(...measured);
  say("");
  for (const result of measured) console.log(formatResult(result));
}

const machine = {
  at: new Date().toISOString(),
  cpu: cpus()[0]?.model ?? "unknown",
  cores: availableParallelism(),
  load: loadavg()[0],
  versions: Object.fromEntries(runtimes.map((runtime) => [runtime, versionOf(runtime)])),
};
mkdirSync(join(folder, "out"), { recursive: true });
writeFileSync(join(folder, "out", "latest.json"), `${JSON.stringify({ ...machine, results }, null, 2)}\n`);
if (values.markdown) console.log(`\n${formatMarkdown(results)}`);
const missed = results.filter(({ verdict }) => verdict === "fail");
const kept = results.filter(({ verdict }) => verdict === "pass");
console.log(`\n${kept.length} held, ${missed.length} missed; ${join(folder, "out", "latest.json")}`);
process.exit(missed.length > 0 ? 1 : 0);

/** A baseline that cannot be measured leaves nothing to compare with. */
function failed({ name }: Row, error: unknown): Result {
  const reason = error instanceof Error ? error.message : String(error);
  const figure = withoutPeers === undefined ? reason : `${reason}; ${withoutPeers}`;
  return { name, figure, verdict: "fail", measured: [] };
}

function versionOf(runtime: Runtime): string {
  const [command] = commandFor(root, runtime, "", []);
  const { stdout } = spawnSync(command, ["--version"], { encoding: "utf8" });
  return stdout.split("\n")[0] ?? "";
}
