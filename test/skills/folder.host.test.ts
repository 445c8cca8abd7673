import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { type SkillSource, createSkillShelf, folderSkillSource, storeSkillSource } from "../../src/skills/index.ts";
import { fakeClock, skillSourceContract } from "../../src/testing/index.ts";
import { silentLogger } from "../../src/telemetry/index.ts";
import { platform } from "../support/this-platform.ts";
import { polled } from "../support/within.ts";

const folders: string[] = [];

async function temporary(files: Readonly<Record<string, string>> = {}) {
  const root = await mkdtemp(join(tmpdir(), "wakeful-skills-"));
  folders.push(root);
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) await write(path, text);
  return { root, write, remove: (path: string) => rm(join(root, path)) };
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

function sourceOf(root: string): SkillSource {
  const folder = platform.machine?.folder?.(root);
  if (folder === undefined) throw new TypeError("This platform has no folders");
  return folderSkillSource(folder);
}

skillSourceContract(
  { describe, it, expect },
  {
    name: "of a folder",
    async open(files) {
      const { root, write, remove } = await temporary(files);
      return { source: sourceOf(root), write, remove };
    },
    settle: () => wait(20),
  },
);

skillSourceContract(
  { describe, it, expect },
  {
    name: "over the store of files",
    async open(files) {
      const written = Object.fromEntries(Object.entries(files).map(([path, text]) => [`skills/${path}`, text]));
      const { root, write, remove } = await temporary(written);
      const store = await fsStore({ root });
      return {
        source: storeSkillSource(store),
        write: (path, text) => write(`skills/${path}`, text),
        remove: (path) => remove(`skills/${path}`),
        dispose: async () => store.close?.(),
      };
    },
    settle: () => wait(20),
  },
);

const SKILL = "---\nname: greet\ndescription: Says hello\n---\nSay hello.\n";

describe("folderSkillSource()", () => {
  it("of a folder that somebody named and that is not there says so, and not of one that is empty or nobody named", async () => {
    const { root } = await temporary();
    const problemsOf = async (path: string, kind: "given" | "global") => {
      const warned: unknown[] = [];
      const shelf = createSkillShelf({
        sources: [{ source: sourceOf(path), kind }],
        yaml: platform.yaml,
        clock: fakeClock(),
        logger: { warn: (message, facts) => void warned.push({ message, ...facts }) },
      });
      const { problems } = await shelf.load();
      shelf.stop();
      return { problems: problems.map(({ level, file, message }) => ({ level, file, message })), warned };
    };
    const file = join(root, "skils");
    const message = "The folder does not exist: create it, or name another one in skills.sources";
    expect(await problemsOf(file, "given")).toEqual({
      problems: [{ level: "warning", file, message }],
      warned: [{ message: "A source of skills cannot be read", problem: `${file} ${message}` }],
    });
    expect(await problemsOf(root, "given")).toEqual({ problems: [], warned: [] });
    expect(await problemsOf(file, "global")).toEqual({ problems: [], warned: [] });
  });

  it("follows links inside of the folder, and none out of it", async () => {
    const outside = await temporary({ "secret/SKILL.md": SKILL, "secret/key.txt": "secret" });
    const { root } = await temporary({ "greet/SKILL.md": SKILL, "greet/words.md": "hello" });
    await symlink(join(outside.root, "secret"), join(root, "linked-folder"));
    await mkdir(join(root, "linked-file"));
    await symlink(join(outside.root, "secret/SKILL.md"), join(root, "linked-file/SKILL.md"));
    await symlink(join(outside.root, "secret/key.txt"), join(root, "greet/key.txt"));
    await symlink(join(outside.root, "secret"), join(root, "greet/references"));
    await symlink(join(root, "greet"), join(root, "alias"));
    await symlink("nowhere", join(root, "greet/dangling.md"));
    await symlink("loop.md", join(root, "greet/loop.md"));
    const source = sourceOf(root);
    expect((await source.list()).map(({ name }) => name)).toEqual(["alias", "greet"]);
    expect(await source.read("linked-folder")).toBe(null);
    expect(await source.read("linked-file")).toBe(null);
    expect(await source.read("alias")).toBe(SKILL);
    for (const path of ["key.txt", "references/key.txt", "dangling.md", "loop.md"])
      expect([path, await source.readFile?.("greet", path)]).toEqual([path, null]);
    expect(await source.files?.("greet")).toEqual(["words.md"]);
    expect(await source.files?.("linked-folder")).toEqual([]);
    expect(await source.readFile?.("greet", "words.md")).toEqual(new TextEncoder().encode("hello"));
  });

  it("reads a folder that comes later", async () => {
    const { root, write } = await temporary();
    const source = sourceOf(join(root, "later"));
    expect(await source.list()).toEqual([]);
    await write("later/greet/SKILL.md", SKILL);
    expect((await source.list()).map(({ name }) => name)).toEqual(["greet"]);
  });

  it("says that a file which is too large is too large", async () => {
    const { root } = await temporary({ "greet/SKILL.md": SKILL + "a".repeat(1_048_577) });
    const shelf = shelfOf(sourceOf(root));
    const { skills, problems } = await shelf.load();
    expect(skills).toEqual([]);
    expect(problems).toMatchObject([
      { level: "error", skill: "greet", line: 1, message: "The file has more than 1048576 bytes" },
    ]);
  });
});

function shelfOf(source: SkillSource) {
  return createSkillShelf({
    sources: [{ source, kind: "workspace" }],
    yaml: platform.yaml,
    clock: fakeClock(),
    logger: silentLogger,
  });
}

describe("createSkillShelf()", () => {
  it.each([
    ["a folder", async (root: string) => ({ source: sourceOf(join(root, "skills")), close: async () => {} })],
    [
      "the store of files",
      async (root: string) => {
        const store = await fsStore({ root });
        return { source: storeSkillSource(store), close: async () => store.close?.() };
      },
    ],
  ])("picks up what is edited by hand in %s, by its watcher", async (_, open) => {
    const { root, write } = await temporary({ "skills/greet/SKILL.md": SKILL });
    const { source, close } = await open(root);
    const shelf = shelfOf(source);
    const before = await shelf.load();
    expect(await shelf.load()).toBe(before);
    // As editors do: a new file takes the place of the old one.
    for (let tries = 0; tries < 200 && (await shelf.load()) === before; tries += 1) {
      await write("draft.md", SKILL.replace("Say hello.", `Say hello ${tries} times.`));
      await rename(join(root, "draft.md"), join(root, "skills/greet/SKILL.md"));
      await wait(20);
    }
    const after = await shelf.load();
    expect(after.skills[0]?.skill.body).toMatch(/^Say hello \d+ times\.$/);
    expect(after.revision).toBeGreaterThan(before.revision);
    shelf.stop();
    await close();
  });

  it("picks up what comes into a folder that was not there at first, and into one in its place", async () => {
    const { root, write } = await temporary();
    const shelf = shelfOf(sourceOf(join(root, "later")));
    const body = async () => (await shelf.load()).skills[0]?.skill.body;
    expect(await body()).toBeUndefined();
    await write("later/greet/SKILL.md", SKILL);
    await polled(body, { timeout: 5000 }).toBe("Say hello.");
    await rm(join(root, "later"), { recursive: true });
    await polled(body, { timeout: 5000 }).toBe(undefined);
    await write("later/greet/SKILL.md", SKILL.replace("hello.", "hi."));
    await polled(body, { timeout: 5000 }).toBe("Say hi.");
    await write("later/greet/SKILL.md", SKILL.replace("hello.", "bye."));
    await polled(body, { timeout: 5000 }).toBe("Say bye.");
    shelf.stop();
  }, 20_000);
});

describe("the machine of this platform", () => {
  it("finds a program on the path without starting it, and no file that is none", async () => {
    const { root, write } = await temporary();
    const path = process.env["PATH"];
    await write("bin/not-a-program", "text");
    await mkdir(join(root, "bin/folder"));
    await writeFile(join(root, "bin/a-program"), "#!/bin/false\n", { mode: 0o755 });
    process.env["PATH"] = `${path}:${join(root, "bin")}:relative`;
    try {
      const has = async (name: string) => platform.machine?.hasProgram?.(name);
      expect(await has("a-program")).toBe(true);
      expect(await has("not-a-program")).toBe(false);
      expect(await has("folder")).toBe(false);
      expect(await has("bin/a-program")).toBe(false);
    } finally {
      process.env["PATH"] = path;
    }
    expect(platform.machine?.hasEnvironment?.("PATH")).toBe(true);
    expect(platform.machine?.home?.()).toBeTypeOf("string");
  });
});
