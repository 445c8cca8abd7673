/** Kills a process that writes to a store, opens the store again and looks for what was lost, doubled or torn. */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { sqliteStore } from "../../adapters/storage/sqlite/index.ts";
import type { Store } from "../../kit.ts";
import { programFile } from "../support/programs.ts";

export type CrashedStore = "fs" | "sqlite";

export interface CrashResult {
  readonly acknowledged: number;
  /** One sentence for each thing that is not as it was acknowledged. */
  readonly faults: readonly string[];
}

const writer = programFile("test/store/crash-writer.ts");
const runtimeArguments = "Deno" in globalThis ? ["run", "-A", "--node-modules-dir=manual"] : [];

/** What the writers were told is safe. */
export interface Acknowledged {
  readonly logs: Map<string, Map<string, { seq: number; count: number }>>;
  readonly documents: Map<string, number>;
  readonly texts: Map<string, "created" | "removed">;
  restarted: number;
  generation: { number: number; seq: number };
  count: number;
}

export function createAcknowledged(): Acknowledged {
  return {
    logs: new Map(),
    documents: new Map(),
    texts: new Map(),
    restarted: -1,
    generation: { number: -1, seq: 0 },
    count: 0,
  };
}

/** @param writes One round each: how many writes are acknowledged before the process is killed. */
export async function crashRounds(kind: CrashedStore, writes: readonly number[]): Promise<CrashResult> {
  const folder = await mkdtemp(join(tmpdir(), `wakeful-crash-${kind}-`));
  const path = kind === "fs" ? join(folder, "root") : join(folder, "store.db");
  if (kind === "fs") await mkdir(path);
  const acknowledged = createAcknowledged();
  const faults: string[] = [];
  try {
    for (const [round, count] of writes.entries()) {
      await writeUntilKilled(kind, path, round, count, acknowledged);
      const store =
        kind === "fs" ? await fsStore({ root: path, onReport: reportFault(faults) }) : await sqliteStore({ path });
      await findFaults(store, acknowledged, (fault) => faults.push(`round ${round}: ${fault}`));
      await store.close();
      if (kind === "fs") {
        const left = [...(await readdir(join(path, "tmp"))), ...(await readdir(join(path, "wal")))];
        if (left.length > 0) faults.push(`round ${round}: files are left after a close: ${left.join(", ")}`);
      }
      if (faults.length > 20) break;
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  return { acknowledged: acknowledged.count, faults };
}

/** A killed process leaves unfinished lines at the end; damage anywhere else, and gaps, are faults. */
const reportFault = (faults: string[]) => (report: { kind: string; message: string }) => {
  if (report.kind === "bad-line" || report.kind === "gap" || report.kind === "checkpoint-failed")
    faults.push(report.message);
};

async function writeUntilKilled(
  kind: string,
  path: string,
  round: number,
  writes: number,
  acknowledged: Acknowledged,
): Promise<void> {
  const child = spawn(process.execPath, [...runtimeArguments, writer, kind, path, String(round)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const enough = acknowledged.count + writes;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line !== "ready ." && line.endsWith(" .")) note(line.split(" "), acknowledged);
    if (acknowledged.count >= enough) child.kill("SIGKILL");
  }
  await ended;
}

/** Takes one line of a writer in. */
export function note([what, key = "", ...rest]: readonly string[], acknowledged: Acknowledged): void {
  acknowledged.count++;
  const [first = "", second = "", third = ""] = rest;
  if (what === "appended") {
    const ids = acknowledged.logs.get(key) ?? new Map<string, { seq: number; count: number }>();
    acknowledged.logs.set(key, ids.set(first, { seq: Number(second), count: Number(third) }));
  } else if (what === "put") acknowledged.documents.set(key, Number(first));
  else if (what === "created" || what === "removed") acknowledged.texts.set(key, what);
  else if (what === "restarted") acknowledged.restarted = Number(first);
  else if (what === "generation") acknowledged.generation = { number: Number(first), seq: Number(second) };
}

/** Compares a store with what its writers were told, and goes on from what is there. */
export async function findFaults(
  store: Store,
  acknowledged: Acknowledged,
  fault: (text: string) => void,
): Promise<void> {
  for (const [log, ids] of acknowledged.logs) await findLogFaults(store, log, ids, (text) => fault(`${log}: ${text}`));
  for (const [key, n] of acknowledged.documents) {
    const value = (await store.get(key))?.value as { n: number; end: number } | undefined;
    if (value === undefined || value.n !== value.end) fault(`${key} is ${value === undefined ? "gone" : "torn"}`);
    // One more may have been written without being told.
    else if (value.n !== n && value.n !== n + 1) fault(`${key} is at ${value.n} after ${n} was acknowledged`);
    else acknowledged.documents.set(key, value.n);
  }
  for (const [key, state] of acknowledged.texts) {
    const value = (await store.get(key))?.value;
    // The last one may have been removed without being told.
    if (state === "removed" && value !== undefined) fault(`${key} came back`);
    if (value !== undefined && value !== `text ${key}`) fault(`${key} is torn`);
  }
  acknowledged.texts.clear();
  await findRestartFaults(store, acknowledged, fault);
}

async function findLogFaults(
  store: Store,
  log: string,
  ids: ReadonlyMap<string, { seq: number; count: number }>,
  fault: (text: string) => void,
): Promise<void> {
  const found = new Map<string, number[]>();
  let previous = 0;
  for await (const { seq, record } of store.read(log)) {
    if (seq !== previous + 1) fault(`seq ${seq} follows ${previous}`);
    previous = seq;
    const id = record["id"] as string;
    const seqs = found.get(id) ?? [];
    if (record["part"] !== seqs.length)
      fault(`${id} has part ${JSON.stringify(record["part"])} at ${seq} after ${seqs.length} parts`);
    found.set(id, [...seqs, seq]);
  }
  for (const [id, { seq, count }] of ids) {
    const seqs = found.get(id);
    if (seqs?.length !== count || seqs.at(-1) !== seq)
      fault(`${id} was acknowledged at ${seq} and is at ${seqs?.join(",") ?? "no seq"}`);
  }
  const last = [...ids].at(-1);
  if (last === undefined) return;
  const again = await store.append(log, { id: "again" }, { id: last[0] });
  if (!again.duplicate || again.seq !== last[1].seq) fault(`${last[0]} was appended twice`);
  if ((await store.lastSeq(log)) !== previous) fault(`the last seq is not ${previous}`);
}

async function findRestartFaults(
  store: Store,
  acknowledged: Acknowledged,
  fault: (text: string) => void,
): Promise<void> {
  const log = "restarted/log.jsonl";
  const generations = new Set<number>();
  let last = 0;
  for await (const { seq, record } of store.read(log)) {
    if (seq !== last + 1 || record["n"] !== seq)
      fault(`${log}: seq ${seq} follows ${last} and holds ${JSON.stringify(record["n"])}`);
    last = seq;
    generations.add(record["generation"] as number);
  }
  if (generations.size > 1) fault(`${log}: records of ${[...generations].join(" and ")} are together`);
  const [generation] = generations;
  const { number, seq } = acknowledged.generation;
  if (generation !== undefined && generation <= acknowledged.restarted)
    fault(`${log}: removed generation ${generation} came back`);
  // Nothing at all: the next removal went through without being told.
  if (number > acknowledged.restarted && generation === number && last < seq)
    fault(`${log}: ${seq} of ${number} is lost`);
  if (generation !== undefined && generation < number) fault(`${log}: generation ${number} is lost`);
  if (generation === undefined) acknowledged.generation = { number: -1, seq: 0 };
  acknowledged.restarted = generation === undefined ? -1 : generation - 1;
}
