import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { seeded } from "../support/seeded.ts";
import type { HostRuntime } from "./host-target.ts";
import { bornOf, killedOver } from "./life.ts";
import type { Checks } from "./report.ts";
import { few } from "./scene.ts";
import { TASKS } from "./subagents-script.ts";
import { toldIn } from "./told.ts";

const KILLS = 20;
const END_LIMIT_MS = 180_000;
const CHILD = join(import.meta.dirname, "subagents-child.ts");

/** Tasks that conversations hand on, while the process is killed over and over: each is done by one sub-agent, under one key for its effect, and its result is told once. */
export async function subagents(checks: Checks, seed: number, runtime: HostRuntime): Promise<void> {
  const chance = seeded(seed);
  const folder = mkdtempSync(join(tmpdir(), "wakeful-subagents-"));
  const [root, told, effects] = ["data", "told.jsonl", "effects.jsonl"].map((name) => join(folder, name));
  const tellings = () => toldIn(told!);
  const tellingsOf = (task: string) =>
    new Set(tellings().flatMap(({ id, text }) => (text.includes(`result of ${task}.`) ? [id] : [])));
  const untold = () => TASKS.filter((task) => tellingsOf(task).size === 0);
  const endBy = Date.now() + END_LIMIT_MS;
  const kills = await killedOver(() => bornOf(runtime, CHILD, [root!, told!, effects!]), {
    kills: KILLS,
    afterMs: () => 100 + chance() * 900,
    isDone: () => untold().length === 0 || Date.now() >= endBy,
  });

  const begun = toldIn(effects!);
  const faults = [
    ...untold().map((task) => `${task} was never told`),
    ...TASKS.filter((task) => tellingsOf(task).size > 1).map((task) => `${task} was told twice`),
    ...TASKS.flatMap((task) => {
      const keys = new Set(begun.flatMap(({ id, text }) => (text === task ? [id] : [])));
      return keys.size === 1 ? [] : [`${task} has effects under ${keys.size} keys`];
    }),
  ];
  const store = await fsStore({ root: root! });
  let documents = 0;
  for await (const { key } of store.list("subagents/")) {
    if (!/sa-\w+\.json$/.test(key)) continue;
    documents += 1;
    const one = (await store.get(key))?.value as { readonly state: string; readonly delivery: string } | undefined;
    if (one?.state !== "done" || one.delivery !== "told") faults.push(`${key}: ${one?.state} ${one?.delivery}`);
  }
  await store.close?.();
  if (documents !== TASKS.length) faults.push(`${documents} sub-agents for ${TASKS.length} tasks`);
  checks.check(
    `sub-agents: ${TASKS.length} tasks over ${kills} kills are done under one key each, and their results told once`,
    faults.length === 0,
    few(faults),
  );
  console.log(
    `  ${begun.length - TASKS.length} effects asked for again, ${tellings().length - TASKS.length} results handed over again`,
  );
  if (faults.length === 0) rmSync(folder, { recursive: true, force: true });
  else console.log(`  look at ${folder}`);
}
