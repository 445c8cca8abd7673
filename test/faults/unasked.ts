import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { seeded } from "../support/seeded.ts";
import type { HostRuntime } from "./host-target.ts";
import { bornOf, killedOver } from "./life.ts";
import type { Checks } from "./report.ts";
import { few } from "./scene.ts";
import { toldIn } from "./told.ts";
import { ATTENTION, NOTICES, QUIET } from "./unasked-script.ts";

const KILLS = 20;
/** Two days and a half by the fast clock; a busy machine may take longer for its lives. */
const END_LIMIT_MS = 240_000;
const CHILD = join(import.meta.dirname, "unasked-child.ts");
const HOUR_MS = 3_600_000;
const INTERVAL_MS = HOUR_MS / 2;

interface Said {
  readonly type: string;
  readonly at: number;
}

/** Notices over an afternoon and a night, while the process that says them is killed over and over: each is said once, alone or in a digest, and no limit is broken. */
export async function unasked(checks: Checks, seed: number, runtime: HostRuntime): Promise<void> {
  const chance = seeded(seed);
  const folder = mkdtempSync(join(tmpdir(), "wakeful-unasked-"));
  const [root, told] = [join(folder, "data"), join(folder, "told.jsonl")];
  const tellings = () => new Map(toldIn(told).map(({ id, text }) => [id, text]));
  const timesOf = (text: string) => [...tellings().values()].filter((one) => one.includes(text)).length;
  const untold = () => NOTICES.filter(({ given }) => timesOf(given.text) === 0);
  const begun = Date.now() + 1000;
  const endBy = begun + END_LIMIT_MS;
  const kills = await killedOver(() => bornOf(runtime, CHILD, [root, told, String(begun)]), {
    kills: KILLS,
    afterMs: () => chance() * 1600,
    isDone: () => untold().length === 0 || Date.now() >= endBy,
  });

  const faults = [
    ...untold().map(({ given }) => `${given.id} was never said`),
    ...NOTICES.filter(({ given }) => timesOf(given.text) > 1).map(({ given }) => `${given.id} was said twice`),
  ];
  const store = await fsStore({ root });
  let said = 0;
  let digests = 0;
  for await (const { key } of store.list("attention/")) {
    const found = (await store.get(key))?.value as { readonly sent: readonly Said[] } | undefined;
    const sent = found?.sent ?? [];
    said += sent.length;
    digests += sent.filter(({ type }) => type === "digest").length;
    faults.push(...broken(sent).map((what) => `${key}: ${what}`));
  }
  await store.close?.();
  checks.check(
    `unasked: ${NOTICES.length} notices over ${kills} kills are said once each, within every limit`,
    faults.length === 0 && digests > 0,
    few(faults),
  );
  console.log(
    `  ${said} messages, ${digests} of them digests, ${toldIn(told).length - tellings().size} handed over again`,
  );
  if (faults.length === 0) rmSync(folder, { recursive: true, force: true });
  else console.log(`  look at ${folder}`);
}

/** Limits that what was said to a person breaks. */
function broken(sent: readonly Said[]): readonly string[] {
  const inOrder = sent.toSorted((one, other) => one.at - other.at);
  const faults: string[] = [];
  for (const [index, { at, type }] of inOrder.entries()) {
    const when = new Date(at);
    const hour = when.getUTCHours();
    if (hour >= QUIET.from || hour < QUIET.to) faults.push(`said in quiet hours: ${when.toISOString()}`);
    const before = inOrder.slice(0, index);
    const day = when.toISOString().slice(0, 10);
    const today = before.filter((one) => new Date(one.at).toISOString().startsWith(day));
    if (today.length >= ATTENTION.maxDailyNotifications) faults.push(`more than may be on ${day}`);
    const last = before.findLast((one) => one.type === type);
    if (last && at - last.at < INTERVAL_MS) faults.push(`${type} twice in ${(at - last.at) / 60_000} minutes`);
  }
  return faults;
}
