import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { polled } from "../support/within.ts";
import type { Store } from "../../kit.ts";
import { withRoot } from "./fs-root.ts";

/** What is heard of under `memory/`, until the body ends. */
async function listening(store: Store, body: (heard: Set<string>) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const heard = new Set<string>();
  const watching = (async () => {
    for await (const { key } of store.watch?.("memory/", stop.signal) ?? []) heard.add(key);
  })();
  try {
    await body(heard);
  } finally {
    stop.abort();
    await watching;
  }
}

describe("watching files that others change", () => {
  it("hears of a file each time that it is replaced, written, removed and written again", async () => {
    await withRoot(async ({ open, path }) => {
      const store = await open();
      await store.put("memory/a/entries/x.md", "one");
      await listening(store, async (heard) => {
        const told = async (change: () => Promise<void>) => {
          heard.clear();
          // Again until it is heard of: what follows another change within a millisecond is one with it for some systems.
          const isHeard = () => heard.has("memory/a/entries/x.md");
          const look = async () => isHeard() || (await change().then(() => isHeard()));
          await polled(look, { timeout: 5000, interval: 50 }).toBe(true);
        };
        const file = path("memory", "a", "entries", "x.md");
        for (let round = 0; round < 3; round++) {
          await told(async () => {
            await writeFile(`${file}.swp~`, `round ${round}`);
            await rename(`${file}.swp~`, file);
          });
        }
        await told(() => writeFile(file, "in place"));
        await told(() => rm(file, { force: true }));
        await told(() => writeFile(file, "again"));
        await told(() => writeFile(file, "and again"));
        await told(async () => void (await store.put("memory/a/entries/x.md", "ours")));
        await told(() => writeFile(file, "theirs"));
      });
    });
  });

  it("hears of files in folders that came later", async () => {
    await withRoot(async ({ open, path }) => {
      const store = await open();
      await store.put("memory/a/MEMORY.md", "one");
      await listening(store, async (heard) => {
        await mkdir(path("memory", "b", "entries"), { recursive: true });
        await writeFile(path("memory", "b", "entries", "y.md"), "new");
        await polled(() => heard.has("memory/b/entries/y.md"), { timeout: 5000, interval: 10 }).toBe(true);
        await rm(path("memory", "b"), { recursive: true });
        await polled(() => heard.size > 0, { timeout: 5000, interval: 10 }).toBe(true);
        heard.clear();
        await mkdir(path("memory", "b", "entries"), { recursive: true });
        await writeFile(path("memory", "b", "entries", "y.md"), "once more");
        await polled(() => heard.has("memory/b/entries/y.md"), { timeout: 5000, interval: 10 }).toBe(true);
        expect(heard.has("memory/a/MEMORY.md")).toBe(false);
      });
    });
  });

  it("hears of files that were moved into a folder made just before", async () => {
    await withRoot(async ({ open, path }) => {
      const store = await open();
      await store.put("memory/a/MEMORY.md", "one");
      await listening(store, async (heard) => {
        const keys: string[] = [];
        for (let round = 0; round < 20; round++) {
          const [file, folder] = [path("memory", `${round}.md`), path("memory", "a", `folder${round}`, "deeper")];
          await writeFile(file, "moved");
          await mkdir(folder, { recursive: true });
          await rename(file, `${folder}/x.md`);
          keys.push(`memory/a/folder${round}/deeper/x.md`);
        }
        await polled(() => keys.filter((key) => !heard.has(key)), { timeout: 5000, interval: 10 }).toEqual([]);
      });
    });
  });

  it("hears of files in more new folders than the system tells of at once", async () => {
    await withRoot(async ({ open, path }) => {
      const store = await open();
      await store.put("memory/a/MEMORY.md", "one");
      await listening(store, async (heard) => {
        // The watcher is there once something is heard of.
        const probe = async () => writeFile(path("memory", "a", "probe.md"), "x").then(() => heard.size > 0);
        await polled(probe, { timeout: 5000, interval: 20 }).toBe(true);
        const keys: string[] = [];
        for (let person = 0; person < 200; person++) {
          mkdirSync(path("memory", `p${person}`, "entries"), { recursive: true });
          for (const name of ["x", "y"]) writeFileSync(path("memory", `p${person}`, "entries", `${name}.md`), "new");
          keys.push(`memory/p${person}/entries/x.md`);
        }
        await polled(() => keys.filter((key) => !heard.has(key)), { timeout: 10_000, interval: 20 }).toEqual([]);
      });
    });
  });

  it("ends for a folder in whose place another one came before anybody could look", async () => {
    await withRoot(async ({ open, path }) => {
      const store = await open();
      await store.put("memory/a/entries/x.md", "one");
      mkdirSync(path("other", "entries"), { recursive: true });
      const stop = new AbortController();
      let hasEnded = false;
      const watching = (async () => {
        for await (const _ of store.watch?.("memory/a/", stop.signal) ?? []);
        hasEnded = true;
      })();
      await Promise.resolve();
      renameSync(path("memory", "a"), path("was"));
      renameSync(path("other"), path("memory", "a"));
      await polled(() => hasEnded, { timeout: 5000, interval: 20 }).toBe(true);
      await watching;
    });
  });

  it("hears of what is in a folder that replaced another one within it", async () => {
    await withRoot(async ({ open, path }) => {
      const store = await open();
      await store.put("memory/a/entries/x.md", "one");
      mkdirSync(path("other"));
      writeFileSync(path("other", "y.md"), "two");
      await listening(store, async (heard) => {
        await Promise.resolve();
        renameSync(path("memory", "a", "entries"), path("was"));
        renameSync(path("other"), path("memory", "a", "entries"));
        await polled(() => heard.has("memory/a/entries/y.md"), { timeout: 5000, interval: 20 }).toBe(true);
        heard.clear();
        writeFileSync(path("memory", "a", "entries", "z.md"), "three");
        await polled(() => heard.has("memory/a/entries/z.md"), { timeout: 5000, interval: 20 }).toBe(true);
      });
    });
  });
});
