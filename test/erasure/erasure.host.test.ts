import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { sqliteStore } from "../../adapters/storage/sqlite/index.ts";
import { embeddedEngine } from "../../src/engine/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { ADA, GROUP, remembered, rooms, used } from "./support.ts";

/** Her id however it is written, and every text that she wrote. */
const HERS = /ada.{0,4}7001|canary/i;

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function rootFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wakeful-forget-"));
  folders.push(folder);
  return join(folder, "data");
}

async function filesIn(root: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    files.set(relative(root, path), entry.isDirectory() ? "" : await readFile(path, "latin1"));
  }
  return files;
}

/** Where something of hers stands: names of files, and what is around it. */
async function traces(root: string): Promise<string[]> {
  const found: string[] = [];
  for (const [name, text] of await filesIn(root)) {
    if (HERS.test(name)) found.push(name);
    const at = text.search(HERS);
    if (at !== -1) found.push(`${name}: ${text.slice(Math.max(0, at - 80), at + 80)}`);
  }
  return found;
}

/** A store in which she, Bob and a group did everything. */
async function usedFolder(root: string) {
  const clock = fakeClock();
  const store = await fsStore({ root, clock });
  await used(store, clock);
  await store.close();
}

/** What belongs to Bob, byte for byte. */
function bobs(files: Map<string, string>): [string, string][] {
  return [...files].filter(([name]) => /bob/.test(name)).sort(([a], [b]) => (a < b ? -1 : 1));
}

describe("forgetting a person", () => {
  it("leaves nothing of them in any file, and the others' files as they were", async () => {
    const root = await rootFolder();
    await usedFolder(root);
    const clock = fakeClock();
    const store = await fsStore({ root, clock });
    await remembered(store);
    await store.checkpoint();
    await writeFile(join(root, "torn", "2026-01-05T08-1-log.jsonl"), "half a line of the canary");
    await mkdir(join(root, "backup", "v0-x"), { recursive: true });
    await writeFile(join(root, "backup", "v0-x", "log.jsonl"), `an old line of memory:${ADA}, the canary`);
    const before = await filesIn(root);
    const planted = await traces(root);
    for (const room of ["sessions", "memory", ".index", "contexts", "approvals", "outbox", "access", "usage", "audit"])
      expect(planted.filter((one) => one.startsWith(room)).length, room).toBeGreaterThan(0);
    for (const room of ["artifacts", "engine", "torn", "backup"])
      expect(planted.filter((one) => one.startsWith(room)).length, room).toBeGreaterThan(0);

    const engine = embeddedEngine({ store, clock });
    await engine.start(async () => {});
    const t = rooms(store, clock, engine);
    const result = await t.forget({ userId: `memory:${ADA}` });
    // Two that were put there, and what the turns captured.
    expect(result).toMatchObject({ userId: "memory:ada_7001:canary", sessions: 1 });
    expect(result.entries).toBeGreaterThan(3);
    expect(await traces(root)).toEqual([]);

    await t.audit.settled();
    const lines = await t.audit.read({ what: "memory.forgotten" });
    expect(lines).toMatchObject([{ who: "runtime", verdict: "ok", entries: result.entries, sessions: 1 }]);
    // Life goes on, and brings nothing back.
    const group = `group:memory:${GROUP}`;
    await t.memory.save({ userId: group, content: "Next party in June" });
    const found = await t.memory.recall({ userId: group, text: "party cake" });
    expect(found.map(({ entry }) => entry.content).sort()).toEqual(["Next party in June", "robin cake is fine"]);
    await engine.stop();
    await t.memory.settled();
    await t.memory.close();
    await store.close();
    expect(await traces(root)).toEqual([]);
    const after = await filesIn(root);
    expect(bobs(before).length).toBeGreaterThan(5);
    expect(bobs(after)).toEqual(bobs(before));
  });

  it("leaves nothing of them in a database file either", async () => {
    const root = await rootFolder();
    await mkdir(root);
    const clock = fakeClock();
    const first = await sqliteStore({ path: join(root, "data.db") });
    await used(first, clock);
    await first.close();
    const store = await sqliteStore({ path: join(root, "data.db") });
    await remembered(store);
    expect((await traces(root)).length).toBeGreaterThan(0);
    const engine = embeddedEngine({ store, clock });
    await engine.start(async () => {});
    const t = rooms(store, clock, engine);
    await t.forget({ userId: `memory:${ADA}` });
    await t.audit.settled();
    expect(await traces(root)).toEqual([]);
    await engine.stop();
    await t.memory.close();
    await store.close();
    expect(await traces(root)).toEqual([]);
  });
});
