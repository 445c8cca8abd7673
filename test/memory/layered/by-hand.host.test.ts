import { mkdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../mod.ts";
import {
  type Memory,
  createDays,
  createLayeredStore,
  createMemory,
  createMemoryFiles,
  exportMemory,
} from "../../../src/memory/index.ts";
import { migrateFlatLayout } from "../../../src/memory/migration/flat-layout.ts";
import { silentLogger } from "../../../src/telemetry/index.ts";
import { withRoot } from "../../store/fs-root.ts";
import { platform } from "../../support/this-platform.ts";
import { within } from "../../support/within.ts";

const SOON_MS = 2000;

describe("a person who edits files of a memory in an editor while it is in use", () => {
  it("is heard within two seconds, each time, and never overwritten", async () => {
    await withRoot(async ({ open, path, names, text }) => {
      const memory = createMemory({ yaml: platform.yaml, store: await open(), clock: systemClock() });
      const recall = async (words: string) =>
        (await memory.recall({ userId: "@a", text: words })).map(({ entry }) => entry.content);
      const { id } = await memory.save({ userId: "@a", content: "Plays the violin" });
      expect(await recall("violin")).toEqual(["Plays the violin"]);

      const [name = ""] = await names("memory", "@a", "entries");
      const file = path("memory", "@a", "entries", name);
      for (const [before, after] of [
        ["violin", "cello"],
        ["cello", "trumpet"],
        ["trumpet", "harp"],
      ] as const) {
        const edited = (await readFile(file, "utf8")).replace(before, after);
        // Editors write beside it and rename.
        await writeFile(`${file}.tmp~`, edited);
        await rename(`${file}.tmp~`, file);
        await within(
          SOON_MS,
          () => recall(after),
          (seen) => expect(seen).toEqual([`Plays the ${after}`]),
        );
        expect(await recall(before)).toEqual([]);
      }
      await memory.update("@a", id, { keywords: ["music"] });
      expect(await text("memory", "@a", "entries", name)).toMatch(/keywords: \["music"\][\s\S]*Plays the harp/);

      await writeFile(path("memory", "@a", "entries", "bicycle.md"), "Owns a red bicycle\n");
      await within(
        SOON_MS,
        () => recall("bicycle"),
        (seen) => expect(seen).toEqual(["Owns a red bicycle"]),
      );
      await writeFile(path("memory", "@a", "MEMORY.md"), "# Me\n\n- Allergic to peanuts\n");
      await within(
        4000,
        () => recall("peanuts"),
        (seen) => expect(seen).toEqual(["Allergic to peanuts"]),
      );
      await mkdir(path("memory", "@a", "archive"), { recursive: true });
      await rename(path("memory", "@a", "entries", "bicycle.md"), path("memory", "@a", "archive", "bicycle.md"));
      await within(
        4000,
        async () => (await memory.counts("@a")).archived,
        (seen) => expect(seen).toBe(1),
      );
      await rm(file);
      await within(
        SOON_MS,
        () => recall("harp"),
        (seen) => expect(seen).toEqual([]),
      );
      await memory.close();
    });
  });
});

/** Names that people and other assistants give, and what stands in the file. */
const BY_HAND = [
  ["Kitchen.md", "The sugar is in the blue tin\n", "Where is the sugar?"],
  ["my notes.md", "# Garden\n\nThe rake hangs in the shed\n", "rake"],
  ["01JD8XK3VQ5W8T9Y2Z4N6M7P0RX.md", "The violin is tuned by Marta\n", "violin"],
  ["厨房 笔记.md", "猫粮在阳台的柜子里\n", "猫粮在哪里？"],
  ["Café.md", '---\nkeywords: "espresso, lunch"\n---\n\nBruno roasts on Tuesdays\n', "espresso"],
  ["100%.md", "The boiler runs at full load\n", "boiler"],
] as const;

async function withMemory(
  body: (given: {
    memory: Memory;
    store: Awaited<ReturnType<Parameters<Parameters<typeof withRoot>[0]>[0]["open"]>>;
    layered: ReturnType<typeof createLayeredStore>;
    recall(words: string): Promise<readonly string[]>;
    entries(...names: readonly string[]): string;
    names(folder: "entries" | "archive"): Promise<readonly string[]>;
  }) => Promise<void>,
): Promise<void> {
  await withRoot(async ({ open, path, names }) => {
    const store = await open();
    const clock = systemClock();
    const layered = createLayeredStore({ store, clock }, platform.yaml);
    const memory = createMemory({ yaml: platform.yaml, store, clock, entries: layered });
    await mkdir(path("memory", "@a", "entries"), { recursive: true });
    await body({
      memory,
      store,
      layered,
      recall: async (words) => (await memory.recall({ userId: "@a", text: words })).map(({ entry }) => entry.id),
      entries: (...below) => path("memory", "@a", "entries", ...below),
      names: (folder) => names("memory", "@a", folder),
    });
    await memory.close();
    await layered.close();
  });
}

describe("a Markdown file that a person puts into entries/", () => {
  it.each([
    { state: "while the files are watched", before: ["first.md"] },
    { state: "as the first of a memory", before: [] },
  ])("is found within two seconds, whatever its name, $state", async ({ before }) => {
    await withMemory(async ({ memory, recall, entries }) => {
      for (const name of before) await writeFile(entries(name), "Was there before\n");
      await recall("anything");
      for (const [name, text] of BY_HAND) await writeFile(entries(name), text);
      for (const [name, , question] of BY_HAND)
        await within(
          SOON_MS,
          () => recall(question),
          (seen) => expect(seen).toContain(name.replace(/\.md$/, "")),
        );
      expect((await memory.get("@a", "my notes"))?.content).toBe("# Garden\n\nThe rake hangs in the shed");
    });
  });

  it("has the file's time where nothing in it tells another", async () => {
    await withMemory(async ({ memory, entries }) => {
      const at = new Date("2025-03-04T05:06:07Z");
      await writeFile(entries("Kitchen.md"), "The sugar is in the blue tin\n");
      await writeFile(entries("Cellar.md"), "---\ncreated_at: 2024-01-01T00:00:00Z\n---\n\nThe wine lies here\n");
      for (const name of ["Kitchen.md", "Cellar.md"]) await utimes(entries(name), at, at);
      expect(await memory.get("@a", "Kitchen")).toMatchObject({ createdAt: at, updatedAt: at });
      expect((await memory.get("@a", "Cellar"))?.createdAt).toEqual(new Date("2024-01-01T00:00:00Z"));
    });
  });

  it.each(BY_HAND)("is edited, archived, restored and removed under its own name: %s", async (name, _, question) => {
    await withMemory(async ({ memory, recall, entries, names }) => {
      for (const [each, text] of BY_HAND) await writeFile(entries(each), text);
      const id = name.replace(/\.md$/, "");
      await within(
        SOON_MS,
        () => recall(question),
        (seen) => expect(seen).toContain(id),
      );
      const all = (await names("entries")).length;

      await memory.update("@a", id, { content: "It was lent to Zebedee" });
      expect(await readFile(entries(name), "utf8")).toContain("It was lent to Zebedee");
      expect(await names("entries")).toHaveLength(all);
      expect(await recall("Zebedee")).toEqual([id]);
      expect(await memory.archive("@a", [id])).toBe(1);
      expect(await names("entries")).not.toContain(name);
      expect((await memory.counts("@a")).archived).toBe(1);
      expect(await memory.restore("@a", [id])).toBe(1);
      expect(await names("entries")).toContain(name);
      expect(await memory.remove("@a", [id])).toBe(1);
      expect(await names("entries")).not.toContain(name);
      expect(await recall("Zebedee")).toEqual([]);
    });
  });

  it("is in an export, and goes when its person is forgotten", async () => {
    await withMemory(async ({ memory, store, layered, entries }) => {
      for (const [name, text] of BY_HAND) await writeFile(entries(name), text);
      let exported = "";
      for await (const line of exportMemory(
        { memory, archive: layered, files: createMemoryFiles({ store }) },
        { userId: "@a" },
      ))
        exported += line;
      for (const [name] of BY_HAND) expect(exported).toContain(`"id":"${name.replace(/\.md$/, "")}"`);
      await layered.forget("@a");
      await expect(readFile(entries("Kitchen.md"), "utf8")).rejects.toThrow();
      const left: string[] = [];
      for await (const { key } of store.list("memory/")) left.push(key);
      expect(left).toEqual([]);
    });
  });

  it("is named with its line when it cannot be read", async () => {
    await withMemory(async ({ layered, entries }) => {
      await writeFile(entries("good.md"), "Owns a bicycle\n");
      await writeFile(entries("My Broken.md"), "---\nkeywords: [a]\nslots: [\n---\n\ntext\n");
      await writeFile(entries("Empty.md"), "");
      await writeFile(entries("Latin 1.md"), new Uint8Array([0x63, 0x61, 0x66, 0xe9]));
      await writeFile(entries(`${"x".repeat(220)}.md`), "too long a name\n");
      const problems = await layered.problems("@a");
      const named = new Map(problems.map(({ key, line, message }) => [key.split("/").at(-1), `${line}: ${message}`]));
      expect(named.get("My Broken.md")).toMatch(/^[34]: /);
      expect(named.get("Empty.md")).toBe("1: expected a text, but there is none");
      expect(named.get("Latin 1.md")).toContain("UTF-8");
      expect(named.get(`${"x".repeat(220)}.md`)).toContain("at most 200 characters");
      expect(named.size).toBe(4);
      await rm(entries("Empty.md"));
      expect(await layered.problems("@a")).toHaveLength(3);
    });
  });
});

describe("an older layout", () => {
  it("is taken whatever the ids of another assistant are, with the time of each file", async () => {
    await withRoot(async ({ open, path, names }) => {
      const store = await open();
      const clock = systemClock();
      const memory = createLayeredStore({ store, clock }, platform.yaml);
      const days = createDays({ store, memory, clock, timezoneOf: () => "UTC" });
      const parts = { store, memory, days, clock, yaml: platform.yaml, logger: silentLogger };
      await mkdir(path("memory"));
      const at = new Date("2025-03-04T05:06:07Z");
      for (const [name, text] of BY_HAND) {
        await writeFile(path("memory", name), text);
        await utimes(path("memory", name), at, at);
      }
      expect(await migrateFlatLayout(parts)).toMatchObject({ moved: BY_HAND.length, failed: [] });
      expect(await migrateFlatLayout(parts)).toMatchObject({ moved: 0 });
      expect(await names("memory")).toEqual(["@owner"]);
      const moved = await names("memory", "@owner", "entries");
      for (const [name] of BY_HAND.slice(0, 4)) expect(moved).toContain(name);
      expect(await memory.get("@owner", "my notes")).toMatchObject({ createdAt: at });
      await memory.close();
    });
  });
});
