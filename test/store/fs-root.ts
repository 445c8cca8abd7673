import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FsStoreInternals, openFsStore } from "../../adapters/storage/fs/fs-store.ts";
import type { FsStore, FsStoreOptions, StoreReport } from "../../adapters/storage/fs/index.ts";
import { systemClock } from "../../mod.ts";
import type { Store } from "../../kit.ts";

export interface FsRoot {
  readonly root: string;
  readonly reports: StoreReport[];
  open(options?: Partial<FsStoreOptions>, internals?: FsStoreInternals): Promise<FsStore>;
  path(...names: readonly string[]): string;
  text(...names: readonly string[]): Promise<string>;
  names(...names: readonly string[]): Promise<string[]>;
}

/** A clock that never rings: checkpoints happen only when a test asks for one. */
export const still = { ...systemClock(), at: () => () => {} };

/** Gives `body` an empty folder, and closes its stores and removes it afterwards. */
export async function withRoot(body: (root: FsRoot) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), "wakeful-fs-"));
  const stores: FsStore[] = [];
  const reports: StoreReport[] = [];
  try {
    await body({
      root,
      reports,
      async open(options = {}, internals = {}) {
        const onReport = (report: StoreReport) => void reports.push(report);
        const store = await openFsStore({ root, clock: still, onReport, ...options }, internals);
        stores.push(store);
        return store;
      },
      path: (...names) => join(root, ...names),
      text: (...names) => readFile(join(root, ...names), "utf8"),
      names: async (...names) => (await readdir(join(root, ...names))).sort(),
    });
  } finally {
    for (const store of stores) await store.close();
    await rm(root, { recursive: true, force: true });
  }
}

export async function recordsOf(store: Store, log: string): Promise<{ seq: number; record: unknown }[]> {
  const found: { seq: number; record: unknown }[] = [];
  for await (const entry of store.read(log)) found.push(entry);
  return found;
}

export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
