import { existsSync, readdirSync } from "node:fs";
import { mkdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { polled } from "../support/within.ts";
import { type FileSystem, hostFileSystem } from "../../adapters/storage/fs/file-system.ts";
import { ConflictError } from "../../mod.ts";
import { storeKey, type Store } from "../../kit.ts";
import { withRoot } from "./fs-root.ts";

const NAMES = [
  "Kitchen.md",
  "my notes.md",
  "01JD8XK3VQ5W8T9Y2Z4N6M7P0RX.md",
  "厨房 笔记.md",
  "Café.md",
  "a(1) & b's.md",
  "100% me.md",
  "CON.md",
  "~u.md",
  `${"长".repeat(80)}.md`,
];
const keyOf = (name: string) => storeKey("notes", name);

async function keysIn(store: Store): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list("notes/")) keys.push(key);
  return keys;
}

/** The host's files as a system gives them that ignores letter case. */
function foldingFileSystem(): FileSystem {
  const host = hostFileSystem();
  const found = (path: string) => {
    const isIt = (name: string) => name.toLowerCase() === basename(path).toLowerCase();
    const name = existsSync(dirname(path)) ? readdirSync(dirname(path)).find(isIt) : undefined;
    return name === undefined ? path : join(dirname(path), name);
  };
  return {
    ...host,
    existsSync: (path) => host.existsSync(found(path)),
    readFile: (path) => host.readFile(found(path)),
    modifiedMs: (path) => host.modifiedMs(found(path)),
  };
}

describe("Markdown files that people put into a store's folder", () => {
  it.each(NAMES)("are listed, read, replaced and removed under their own name: %s", async (name) => {
    await withRoot(async ({ open, path, names }) => {
      const store = await open();
      await mkdir(path("notes"));
      await writeFile(path("notes", name), "by hand\n");
      const key = keyOf(name);
      expect(await keysIn(store)).toEqual([key]);
      const found = await store.get(key);
      expect(found?.value).toBe("by hand\n");
      await expect(store.put(key, "a second one", { expect: null })).rejects.toSatisfy(ConflictError.is);
      await store.put(key, "by program\n", { expect: found!.version });
      expect(await names("notes")).toEqual([name]);
      await store.remove(key);
      expect(await store.get(key)).toBeNull();
      expect(await keysIn(store)).toEqual([]);
    });
  });

  it.each([".Hidden.md", "Kitchen.md~", "#Kitchen.md#", "Kitchen.txt", "Kitchen.MD"])(
    "are no others than Markdown under a name of its own: %s",
    async (name) => {
      await withRoot(async ({ open, path }) => {
        const store = await open();
        await mkdir(path("notes", "Folder.md"), { recursive: true });
        await writeFile(path("notes", name), "by hand\n");
        await symlink("nowhere.md", path("notes", "Dangling.md"));
        expect(await keysIn(store)).toEqual([]);
      });
    },
  );

  it("are told of as they come, change and go", async () => {
    await withRoot(async ({ open, path }) => {
      const store = await open();
      await store.put("notes/first.md", "here before");
      const stop = new AbortController();
      const told = new Set<string>();
      const watching = (async () => {
        for await (const { key } of store.watch("notes/", stop.signal)) told.add(key);
      })();
      for (const [act, name] of [
        [() => writeFile(path("notes", "Kitchen.md"), "by hand"), "Kitchen.md"],
        [() => writeFile(path("notes", "my notes.md"), "by hand"), "my notes.md"],
        [() => rm(path("notes", "Kitchen.md")), "Kitchen.md"],
      ] as const) {
        told.clear();
        await act();
        await polled(() => told.has(keyOf(name)), { timeout: 2000, interval: 10 }).toBe(true);
      }
      stop.abort();
      await watching;
    });
  });

  it("say when they were last changed", async () => {
    await withRoot(async ({ open, path }) => {
      const store = await open();
      await mkdir(path("notes"));
      await writeFile(path("notes", "Kitchen.md"), "by hand");
      const at = new Date("2026-02-01T09:30:00Z");
      await utimes(path("notes", "Kitchen.md"), at, at);
      expect(await store.modifiedAt?.(keyOf("Kitchen.md"))).toEqual(at);
      expect(await store.modifiedAt?.(keyOf("Cellar.md"))).toBeUndefined();
    });
  });

  it("of YAML with a name that no key has are reported once, with a better name", async () => {
    await withRoot(async ({ open, path, reports }) => {
      const store = await open();
      await mkdir(path("notes"));
      for (const name of ["My job.yaml", "plain.yaml", ".Draft.yaml"]) await writeFile(path("notes", name), "a: 1\n");
      for (let time = 0; time < 2; time += 1) expect(await keysIn(store)).toEqual([keyOf("plain.yaml")]);
      const file = path("notes", "My job.yaml");
      expect(reports.filter(({ kind }) => kind === "misnamed")).toEqual([
        {
          ...{ kind: "misnamed", level: "warning", file },
          message: `${JSON.stringify(file)} is not read because of its name: rename it, for example to "my-job.yaml"`,
        },
      ]);
    });
  });

  it("are reported once and left alone where the store has a file of that key already; a removal takes both", async () => {
    await withRoot(async ({ open, path, names, reports, text }) => {
      const store = await open();
      await mkdir(path("notes"));
      await writeFile(path("notes", "+kitchen.md"), "the store's");
      await writeFile(path("notes", "Kitchen.md"), "by hand");
      for (let time = 0; time < 2; time += 1) expect(await keysIn(store)).toEqual([keyOf("Kitchen.md")]);
      expect(reports.filter(({ kind }) => kind === "hidden")).toMatchObject([{ file: path("notes", "Kitchen.md") }]);
      const found = await store.get(keyOf("Kitchen.md"));
      expect(found?.value).toBe("the store's");
      await store.put(keyOf("Kitchen.md"), "changed");
      expect(await text("notes", "Kitchen.md")).toBe("by hand");
      await store.remove(keyOf("Kitchen.md"));
      expect(await names()).not.toContain("notes");
    });
  });
});

describe("a Markdown document with a name that people write", () => {
  it("gets a file of that name, and one that no system would take another", async () => {
    await withRoot(async ({ open, names }) => {
      const store = await open();
      for (const name of ["Kitchen.md", "KITCHEN.md", "kitchen.md", "my notes.md"]) await store.put(keyOf(name), name);
      for (const name of ["a?b.md", "Nul.md", "Memory.md"]) await store.put(keyOf(name), name);
      expect(new Set(await names("notes"))).toEqual(
        new Set(["Kitchen.md", "KITCHEN.md", "kitchen.md", "my notes.md", "a~3fb.md", "+nul.md", "+memory.md"]),
      );
      for (const key of await keysIn(store)) expect((await store.get(key))?.value).toBe(key.slice("notes/".length));
    });
  });

  it.each(["a\0b.md", `${"a".repeat(300)}.md`, `${"长".repeat(120)}.md`])(
    "gets the store's name where the system takes none such: %j",
    async (name) => {
      await withRoot(async ({ open }) => {
        const store = await open();
        await store.put(keyOf("other.md"), "other");
        expect(await store.get(keyOf(name))).toBeNull();
        await expect(store.append(keyOf(name), { n: 1 })).resolves.toMatchObject({ seq: 1 });
        await store.remove(keyOf(name));
        await store.put(keyOf(name), "kept");
        expect((await store.get(keyOf(name)))?.value).toBe("kept");
        await store.remove(keyOf(name));
        expect(await keysIn(store)).toEqual([keyOf("other.md")]);
      });
    },
  );

  it("gets the store's name where letter case is ignored, and takes no file of another case for its own", async () => {
    await withRoot(async ({ open, path, names }) => {
      const store = await open({}, { fs: foldingFileSystem() });
      await store.put(keyOf("Kitchen.md"), "capital");
      expect(await names("notes")).toEqual(["+kitchen.md"]);
      await writeFile(path("notes", "Cellar.md"), "by hand");
      expect((await store.get(keyOf("Cellar.md")))?.value).toBe("by hand");
      expect(await store.get(keyOf("CELLAR.md"))).toBeNull();
    });
  });
});
