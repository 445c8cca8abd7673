import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { WorkflowRun } from "../../src/workflow/index.ts";
import { seeded } from "../support/seeded.ts";
import type { HostRuntime } from "./host-target.ts";
import { bornOf } from "./life.ts";
import type { Checks } from "./report.ts";
import { few } from "./scene.ts";
import { storedDocuments } from "./stored-document.ts";
import { workerdTarget } from "./workerd-target.ts";
import { DEFINITION, START, STEPS, TOKEN, WITH_EFFECT } from "./workflow-script.ts";

const KILLS = 20;
const END_LIMIT_MS = 120_000;
/** Within so long a life begins an effect. */
const BEGIN_LIMIT_MS = 5000;
/** The API has a limit of requests. */
const LOOK_MS = 1000;
const CHILD = join(import.meta.dirname, "workflows-child.ts");
const CONFIG = join(import.meta.dirname, "workflow-worker", "wrangler.jsonc");
/** Longest that one effect takes: kills fall into it. In a Durable Object the work begins long before the Worker says that it is ready. */
const EFFECT_MS = { host: 120, workerd: 4000 } as const;

/** A workflow of 20 steps whose process is killed 20 times: every step's effect once by its key, its document readable at every moment. The same in a Durable Object. */
export async function workflows(
  checks: Checks,
  seed: number,
  runtime: HostRuntime,
  workerd: { readonly kills: number } | undefined,
): Promise<void> {
  await onHost(checks, seed, runtime);
  if (workerd) await onWorkerd(checks, seed, workerd.kills);
}

async function onHost(checks: Checks, seed: number, runtime: HostRuntime): Promise<void> {
  const chance = seeded(seed);
  const server = await effectServer(chance, EFFECT_MS.host);
  const folder = mkdtempSync(join(tmpdir(), "wakeful-workflows-"));
  const root = join(folder, "data");
  const unreadable: string[] = [];
  let reads = 0;
  const state = (): { readonly status: string; readonly id: string } | undefined => {
    const rooms = join(root, "workflows");
    const file = existsSync(rooms) ? readdirSync(rooms).find((name) => /^run-.*\.json$/.test(name)) : undefined;
    if (file === undefined) return undefined;
    const text = readFileSync(join(rooms, file), "utf8");
    try {
      reads += 1;
      return (JSON.parse(text) as { readonly value: { readonly status: string; readonly id: string } }).value;
    } catch {
      unreadable.push(text.slice(0, 80));
      return undefined;
    }
  };
  const endBy = Date.now() + END_LIMIT_MS;
  let kills = 0;
  let lives = 0;
  while (state()?.status !== "done" && Date.now() < endBy) {
    // In the middle of an effect, which may begin before it says that it is ready, so that not many steps are done in one life; the last one comes to the end.
    const before = server.count();
    const life = bornOf(runtime, CHILD, [root, server.url]);
    lives += 1;
    await Promise.race([life.ready, life.gone]);
    const until = Date.now() + (kills < KILLS ? BEGIN_LIMIT_MS : END_LIMIT_MS);
    const goesOn = () => Date.now() < until && Date.now() < endBy && state()?.status !== "done";
    while (goesOn() && (kills === KILLS || server.count() === before)) await sleep(5);
    if (kills < KILLS) await sleep(chance() * (EFFECT_MS.host / 2));
    if (kills < KILLS) kills += 1;
    life.kill();
    await life.gone;
  }
  const run = state();
  const faults = [
    ...(run?.status === "done" ? [] : [`it is ${run?.status ?? "not there"} after ${lives} lives`]),
    ...unreadable.map((text) => `unreadable: ${text}`),
    ...server.faults(run?.id ?? ""),
  ];
  checks.check(
    `workflows: ${STEPS} steps over ${kills} kills have their effect once each by its key, and the document is readable at every moment`,
    faults.length === 0 && kills === KILLS,
    few(faults),
  );
  console.log(
    `  ${lives} lives, ${kills} kills, ${reads} reads of the document, ${server.repeated()} effects asked for again`,
  );
  await server.stop();
  if (faults.length === 0) rmSync(folder, { recursive: true, force: true });
  else console.log(`  look at ${folder}`);
}

async function onWorkerd(checks: Checks, seed: number, wantedKills: number): Promise<void> {
  const chance = seeded(seed + 1);
  const server = await effectServer(chance, EFFECT_MS.workerd);
  const folder = mkdtempSync(join(tmpdir(), "wakeful-workflows-do-"));
  const target = await workerdTarget({ folder, apiBase: () => server.base, config: CONFIG });
  let runId = "";
  let status = "";
  let kills = 0;
  let life = 0;
  const unreadable: string[] = [];
  let reads = 0;
  let done = 0;
  /** The document as the kill left it, before another life sees it: it says of no step less than was known. */
  const readStored = () => {
    const texts = storedDocuments(folder, "workflows/run-");
    const stored = texts.map((text) => doneIn(text, runId));
    reads += stored.length;
    if (stored.length !== 1 || stored[0] === undefined || stored[0] < done)
      unreadable.push(`after kill ${kills}, with ${done} steps done: ${texts.join(" | ").slice(0, 80)}`);
    done = stored[0] ?? done;
  };
  const call = async (path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${target.port}/api/v1${path}`, init);
    return (await response.json()) as Record<string, unknown>;
  };
  const endBy = Date.now() + END_LIMIT_MS + wantedKills * 20_000;
  while (status !== "done" && Date.now() < endBy) {
    life += 1;
    if ((await target.start(life)) < 0) break;
    if (runId === "") runId = String((await call("/workflows", { definition: DEFINITION, id: START }))["run_id"]);
    const until = Date.now() + (kills < wantedKills ? 30 + chance() * 160 : END_LIMIT_MS);
    while (Date.now() < until && status !== "done") {
      const read = await call(`/workflows/${runId}`);
      status = String(read["status"]);
      const { steps } = read as { readonly steps?: readonly { readonly status: string }[] };
      if (!Array.isArray(steps)) unreadable.push(JSON.stringify(read).slice(0, 80));
      else done = steps.filter((step) => step.status === "done").length;
      await sleep(LOOK_MS);
    }
    if (kills < wantedKills) kills += 1;
    await target.kill();
    readStored();
  }
  const faults = [
    ...(status === "done" ? [] : [`it is ${status || "not there"} after ${life} lives`]),
    ...unreadable.map((text) => `unreadable: ${text}`),
    ...server.faults(runId),
    ...(await target.faults()),
  ];
  checks.check(
    `workflows in a Durable Object: ${STEPS} steps over ${kills} kills of workerd have their effect once each by its key, and the stored document is whole after each`,
    faults.length === 0 && kills === wantedKills,
    few(faults),
  );
  console.log(
    `  ${life} lives, ${kills} kills, ${reads} reads of the stored document, ${server.repeated()} effects asked for again`,
  );
  await server.stop();
  if (faults.length === 0) rmSync(folder, { recursive: true, force: true });
  else console.log(`  look at ${folder}`);
}

/** How many steps are done by the text of a run's document; `undefined`: it is not whole. */
function doneIn(text: string, runId: string): number | undefined {
  try {
    const { id, steps } = JSON.parse(text) as Pick<WorkflowRun, "id" | "steps">;
    return id === runId ? Object.values(steps).filter(({ status }) => status === "done").length : undefined;
  } catch {
    return undefined;
  }
}

/** A server that knows an effect by its key, and takes a moment for each. */
async function effectServer(chance: () => number, longestMs: number) {
  const calls = new Map<string, number>();
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", () => {
      const { key } = JSON.parse(text) as { readonly key: string };
      calls.set(key, (calls.get(key) ?? 0) + 1);
      setTimeout(() => response.end("ok"), chance() * longestMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    base,
    url: `${base}/effect`,
    /** What is wrong with the effects of a run. */
    faults(runId: string): string[] {
      const expected = new Set(WITH_EFFECT.map((id) => `${runId}.${id}.1`));
      return [
        ...[...expected].filter((key) => !calls.has(key)).map((key) => `${key} had no effect`),
        ...[...calls.keys()].filter((key) => !expected.has(key)).map((key) => `${key} is an effect of nothing`),
      ];
    },
    count: () => [...calls.values()].reduce((sum, count) => sum + count, 0),
    repeated: () => [...calls.values()].reduce((sum, count) => sum + count - 1, 0),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
