import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openFsStore } from "../../adapters/storage/fs/fs-store.ts";
import type { FsStore } from "../../adapters/storage/fs/fs-store.ts";
import { AssistantError } from "../../mod.ts";
import { createAcknowledged, findFaults, note } from "./crash.ts";
import type { Acknowledged } from "./crash.ts";
import { still } from "./fs-root.ts";
import { memoryDisk } from "./memory-disk.ts";
import type { MemoryDisk } from "./memory-disk.ts";
import { THOROUGH, WHOLE, sampled } from "../support/thorough.ts";

/** A little of everything that a store does. Every write that fails is tried once more, as a caller would, under the same id. */
async function work(store: FsStore, acknowledged: Acknowledged): Promise<void> {
  const say = (...words: readonly (string | number)[]) => note(words.map(String), acknowledged);
  async function persist<T>(attempt: () => Promise<T>): Promise<T | undefined> {
    for (let tries = 0; tries < 2; tries++) {
      try {
        return await attempt();
      } catch (error) {
        if (!AssistantError.is(error)) throw error;
      }
    }
    return undefined;
  }
  async function append(log: string, id: string, count: number, flush: boolean): Promise<void> {
    const records = Array.from({ length: count }, (_, part) => ({ id, part, count }));
    const result = await persist(() => store.append(log, records, { id, flush }));
    if (result !== undefined && flush) say("appended", log, id, result.seq, count);
  }
  async function put(key: string, n: number): Promise<void> {
    if ((await persist(() => store.put(key, { n, text: "y".repeat(50), end: n }))) !== undefined) say("put", key, n);
  }
  async function restart(generation: number): Promise<void> {
    const log = "restarted/log.jsonl";
    if ((await persist(() => store.remove(log).then(() => true))) === undefined) return;
    say("restarted", log, generation - 1);
    for (const n of [1, 2]) {
      const result = await persist(() => store.append(log, { generation, n }, { id: `${generation}-${n}` }));
      if (result === undefined) return;
      say("generation", log, generation, result.seq);
    }
  }
  await restart(1);
  await Promise.all([append("a/log.jsonl", "1", 2, true), append("wakes", "1", 1, true)]);
  await append("a/log.jsonl", "2", 1, false);
  await put("documents/d.json", 1);
  await append("a/log.jsonl", "3", 1, true);
  await persist(() => store.checkpoint());
  await restart(2);
  await Promise.all([append("a/log.jsonl", "4", 3, true), append("b/log.jsonl", "1", 1, true)]);
  const checkpoint = persist(() => store.checkpoint());
  await append("b/log.jsonl", "2", 2, true);
  await checkpoint;
  await put("documents/d.json", 2);
  if ((await persist(() => store.put("documents/t.md", "text documents/t.md").then(() => true))) === true)
    say("created", "documents/t.md");
  if ((await persist(() => store.remove("documents/t.md").then(() => true))) === true) say("removed", "documents/t.md");
  await append("wakes", "2", 1, true);
}

/** Runs the work over a disk that fails, and once more over the disk as it then is. */
async function survive(plan: {
  fails(operation: number): string | undefined;
  end: "close" | "kill" | "power";
  seed: number;
}): Promise<{ faults: string[]; operations: number }> {
  const root = await mkdtemp(join(tmpdir(), "wakeful-faults-"));
  const disk: MemoryDisk = memoryDisk(root);
  const acknowledged = createAcknowledged();
  const faults: string[] = [];
  const open = () =>
    openFsStore(
      {
        root,
        clock: still,
        onReport({ kind, message }) {
          // After a power loss a line may hold anything; otherwise nothing that the store wrote may be damaged.
          if (kind === "bad-line" && plan.end !== "power" && !message.includes("/wal/")) faults.push(message);
        },
      },
      { fs: disk.fs },
    );
  try {
    disk.failing = (operation) => plan.fails(operation);
    let store: FsStore | undefined;
    try {
      store = await open();
      await work(store, acknowledged);
    } catch (error) {
      if (!AssistantError.is(error)) throw error; // opening may fail, with an error that says so
    }
    if (plan.end !== "close") disk.failing = () => "EIO"; // the process is gone: a close must change nothing
    await store?.close();
    const operations = disk.operations();
    if (plan.end === "power") disk.cutPower(chances(plan.seed));
    disk.failing = () => undefined;

    store = await open();
    await findFaults(store, acknowledged, (fault) => faults.push(fault));
    await work(store, createAcknowledged());
    await store.close();
    for (const folder of ["tmp", "wal"]) {
      const left = await disk.fs.readDirectory(join(root, folder));
      if (left.length > 0) faults.push(`${left.length} files are left in ${folder}`);
    }
    return { faults, operations };
  } finally {
    await rm(root, { recursive: true });
  }
}

/** A small generator, so that a fault that was found can be found again. */
function chances(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** For every n (in short: for every fourth, and for fewer elsewhere than on Node) until the work ends before n. */
async function forEveryOperation(plan: (n: number) => Parameters<typeof survive>[0]): Promise<string[]> {
  const found: string[] = [];
  for (let n = 1; ; n += THOROUGH ? 1 : WHOLE ? 4 : 13) {
    const { faults, operations } = await survive(plan(n));
    for (const fault of faults) found.push(`operation ${n}: ${fault}`);
    if (operations < n || found.length > 5) return found;
  }
}

describe("the fs store, whichever call to the disk fails", () => {
  it("works without a failure", async () => {
    expect((await survive({ fails: () => undefined, end: "close", seed: 0 })).faults).toEqual([]);
  });

  it("keeps what it acknowledged and goes on, when one call fails", async () => {
    expect(
      await forEveryOperation((n) => ({
        fails: (operation) => (operation === n ? "EIO" : undefined),
        end: "close",
        seed: n,
      })),
    ).toEqual([]);
  }, 60_000);

  it("keeps what it acknowledged when one call fails and the power goes later", async () => {
    expect(
      await forEveryOperation((n) => ({
        fails: (operation) => (operation === n ? "EIO" : undefined),
        end: "power",
        seed: n,
      })),
    ).toEqual([]);
  }, 60_000);

  it("keeps what it acknowledged when several calls fail in a row, as on a full disk", async () => {
    expect(
      await forEveryOperation((n) => ({
        fails: (operation) => (operation >= n && operation < n + 6 ? "ENOSPC" : undefined),
        end: "close",
        seed: n,
      })),
    ).toEqual([]);
  }, 60_000);

  it("keeps what it acknowledged when the process is killed before any call", async () => {
    expect(
      await forEveryOperation((n) => ({
        fails: (operation) => (operation >= n ? "EIO" : undefined),
        end: "kill",
        seed: n,
      })),
    ).toEqual([]);
  }, 60_000);

  it("keeps what it acknowledged when the power goes before any call", async () => {
    for (const round of sampled([1, 2], 2)) {
      expect(
        await forEveryOperation((n) => ({
          fails: (operation) => (operation >= n ? "EIO" : undefined),
          end: "power",
          seed: n * 7 + round,
        })),
      ).toEqual([]);
    }
  }, 60_000);
});
