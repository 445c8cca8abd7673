import type { SkillSource } from "../skills/index.ts";
import { nextTask } from "./next-task.ts";
import type { TestApi } from "./test-api.ts";

/** A source opened for one test. */
export interface OpenedSkillSource {
  /** The source under test. */
  readonly source: SkillSource;
  /** Writes a file of the source, by its path from the folder of all skills. Absent: the source cannot be changed. */
  write?(path: string, text: string): Promise<void>;
  /** Removes a file by its path. Absent: as `write`. */
  remove?(path: string): Promise<void>;
  /** Releases the source. Called after each test. */
  dispose?(): Promise<void>;
}

/** Options of `skillSourceContract`. */
export interface SkillSourceContractOptions {
  /** The source's name in the titles of the tests. */
  readonly name: string;
  /** Opens a source with these files: texts by their paths from the folder of all skills, such as `greet/SKILL.md`. */
  open(files: Readonly<Record<string, string>>): Promise<OpenedSkillSource>;
  /** Resolves when a change may have been noticed. Called until it is reported. Default: the next task of the runtime. */
  settle?(): Promise<void>;
}

const GREET = "---\nname: greet\ndescription: Says hello\n---\nSay hello.\n";
const FILES = {
  "greet/SKILL.md": GREET,
  "greet/references/words.md": "hello, good morning",
  "greet/scripts/run.sh": "echo hello",
  "note-keeper/SKILL.md": "---\nname: note-keeper\ndescription: Keeps notes\n---\n",
  "no-skill/README.md": "nothing",
  "deep/inside/SKILL.md": GREET,
  ".staging/SKILL.md": GREET,
  ".installing/greet/SKILL.md": GREET,
  "loose.md": "nothing",
};
/** Most calls of `settle` before a change counts as not reported. */
const MAX_TRIES = 500;

/**
 * Registers the contract of the `SkillSource` port as tests.
 *
 * Source: the Contract lines of `SkillSource`; docs/skills.md, "Where they lie".
 *
 * @example
 * ```ts
 * import { describe, expect, it } from "vitest";
 * skillSourceContract({ describe, it, expect }, { name: "mine", open: async (files) => ({ source: mine(files) }) });
 * ```
 */
export function skillSourceContract(api: TestApi, { name, open, settle = nextTask }: SkillSourceContractOptions): void {
  const { it, expect } = api;
  const test = (title: string, body: (opened: OpenedSkillSource) => Promise<void>) =>
    it(title, async () => {
      const opened = await open(FILES);
      try {
        await body(opened);
      } finally {
        await opened.dispose?.();
      }
    });
  const namesIn = async (source: SkillSource) => (await source.list()).map((skill) => skill.name).toSorted();
  const versionOf = async (source: SkillSource, skill: string) =>
    (await source.list()).find((one) => one.name === skill)?.version;

  api.describe(`the source of skills ${name}`, () => {
    test("has a name", async ({ source }) => {
      expect(source.name === "").toBe(false);
    });

    test("lists the folders with a SKILL.md, and nothing else", async ({ source }) => {
      expect(await namesIn(source)).toEqual(["greet", "note-keeper"]);
    });

    test("lists nothing when it is empty", async () => {
      const { source, dispose } = await open({});
      expect(await source.list()).toEqual([]);
      await dispose?.();
    });

    test("reads a skill as it was written, and null for one that it does not have", async ({ source }) => {
      expect(await source.read("greet")).toBe(GREET);
      for (const absent of ["absent", "no-skill", "deep", ".staging", "..", ".", "", "greet/../greet", "Greet"])
        expect(await source.read(absent)).toBe(null);
    });

    test("reads files beside it, and none outside of its folder", async ({ source }) => {
      if (source.readFile === undefined) return;
      const text = async (skill: string, path: string) => {
        const bytes = (await source.readFile?.(skill, path)) ?? null;
        return bytes === null ? null : new TextDecoder().decode(bytes);
      };
      expect(await text("greet", "references/words.md")).toBe("hello, good morning");
      expect(await text("greet", "SKILL.md")).toBe(GREET);
      for (const path of [
        "absent.md",
        "",
        ".",
        "references",
        "references/",
        "/references/words.md",
        "../note-keeper/SKILL.md",
        "references/../../note-keeper/SKILL.md",
        "..\\note-keeper\\SKILL.md",
        "references//words.md",
        "words\0.md",
      ])
        expect([path, await text("greet", path)]).toEqual([path, null]);
      expect(await text("..", "greet/SKILL.md")).toBe(null);
      expect(await text("absent", "SKILL.md")).toBe(null);
    });

    test("names the files beside it", async ({ source }) => {
      if (source.files === undefined) return;
      expect(await source.files("greet")).toEqual(["references/words.md", "scripts/run.sh"]);
      expect(await source.files("note-keeper")).toEqual([]);
      for (const absent of ["absent", "..", ".staging", ""]) expect(await source.files(absent)).toEqual([]);
    });

    test("gives at most 1 MiB of a file", async ({ source, write }) => {
      if (source.readFile === undefined || write === undefined) return;
      await write("greet/long.txt", "a".repeat(1_048_577));
      expect((await source.readFile("greet", "long.txt"))?.length).toBe(1_048_576);
    });

    test("gives another version to what changed, and the same to what did not", async ({ source, write }) => {
      if (write === undefined) return;
      const [greet, notes] = [await versionOf(source, "greet"), await versionOf(source, "note-keeper")];
      await write("greet/SKILL.md", GREET.replace("hello.", "hello twice."));
      expect((await versionOf(source, "greet")) === greet).toBe(false);
      expect(await versionOf(source, "note-keeper")).toBe(notes);
      expect((await source.read("greet"))?.includes("hello twice.")).toBe(true);
    });

    test("sees what comes and what goes", async ({ source, write, remove }) => {
      if (write === undefined || remove === undefined) return;
      await write("new-one/SKILL.md", GREET);
      await remove("greet/SKILL.md");
      expect(await namesIn(source)).toEqual(["new-one", "note-keeper"]);
      expect(await source.read("greet")).toBe(null);
    });

    test("tells of a change until it is stopped", async ({ source, write }) => {
      if (source.watch === undefined || write === undefined) return;
      const stop = new AbortController();
      let told = 0;
      source.watch(() => (told += 1), stop.signal);
      for (let tries = 0; told === 0 && tries < MAX_TRIES; tries += 1) {
        await write("greet/SKILL.md", `${GREET}${tries}`);
        await settle();
      }
      expect(told > 0).toBe(true);
      stop.abort();
      await settle();
      const before = told;
      await write("greet/SKILL.md", GREET);
      for (let tries = 0; tries < 5; tries += 1) await settle();
      expect(told).toBe(before);
    });

    test("does not watch for a signal that has aborted, and does not throw", async ({ source }) => {
      source.watch?.(() => {
        throw new Error("It was told");
      }, AbortSignal.abort());
    });
  });
}
