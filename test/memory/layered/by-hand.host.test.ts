import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../../mod.ts";
import { createMemory } from "../../../src/memory/index.ts";
import { withRoot } from "../../store/fs-root.ts";
import { platform } from "../../support/this-platform.ts";

const SOON = { timeout: 2000, interval: 20 };

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
        await expect.poll(() => recall(after), SOON).toEqual([`Plays the ${after}`]);
        expect(await recall(before)).toEqual([]);
      }
      await memory.update("@a", id, { keywords: ["music"] });
      expect(await text("memory", "@a", "entries", name)).toMatch(/keywords: \["music"\][\s\S]*Plays the harp/);

      await writeFile(path("memory", "@a", "entries", "bicycle.md"), "Owns a red bicycle\n");
      await expect.poll(() => recall("bicycle"), SOON).toEqual(["Owns a red bicycle"]);
      await writeFile(path("memory", "@a", "MEMORY.md"), "# Me\n\n- Allergic to peanuts\n");
      await expect.poll(() => recall("peanuts"), { timeout: 4000, interval: 20 }).toEqual(["Allergic to peanuts"]);
      await mkdir(path("memory", "@a", "archive"), { recursive: true });
      await rename(path("memory", "@a", "entries", "bicycle.md"), path("memory", "@a", "archive", "bicycle.md"));
      await expect.poll(async () => (await memory.counts("@a")).archived, { timeout: 4000, interval: 20 }).toBe(1);
      await rm(file);
      await expect.poll(() => recall("harp"), SOON).toEqual([]);
      await memory.close();
    });
  });
});
