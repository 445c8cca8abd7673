import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { folder } from "../../../adapters/registries/folder/index.ts";
import { skillRegistryContract } from "../../../src/testing/index.ts";
import { SKILL, greet, setUp } from "../install/support.ts";
import { buildZip } from "../install/zip-builder.ts";

const archive = greet();

async function made(files: Readonly<Record<string, Uint8Array>>) {
  const root = await mkdtemp(join(tmpdir(), "wakeful-skills-"));
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(root, name), bytes);
  return root;
}

async function madeForTest(files: Readonly<Record<string, Uint8Array>>) {
  const root = await made(files);
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

skillRegistryContract(
  { describe, it, expect },
  {
    name: "folder",
    async open() {
      const root = await made({ "greet.zip": archive, "large.zip": new Uint8Array(10 * 1024 * 1024 + 1) });
      const remove = () => rm(root, { recursive: true, force: true });
      return {
        registry: folder({ root }),
        skill: { slug: "greet", query: "hello", archive },
        oversized: "large",
        unknown: "absent",
        async breakDown() {
          await remove();
          await writeFile(root, "no folder");
        },
        dispose: remove,
      };
    },
  },
);

describe("folder()", () => {
  it("without its folder says which option names it", () => {
    for (const options of [{ root: "" }, {}] as { root: string }[])
      expect(() => folder(options)).toThrow("Cannot use folder() as root must be the path of a folder");
  });

  it("finds by name and description, the name itself first", async () => {
    const named = (name: string, description: string) =>
      buildZip([{ name: "SKILL.md", data: SKILL(name).replace("Says hello", description) }]);
    const root = await madeForTest({
      "notes.zip": named("notes", '"Keeps meeting notes"'),
      "meeting-notes.zip": named("meeting-notes", "For meetings"),
      "broken.zip": new Uint8Array(9),
      "Upper.zip": archive,
      "a.txt": archive,
    });
    const registry = folder({ root });
    expect(
      (await registry.search("meeting notes")).map(({ slug, score, description }) => [slug, score, description]),
    ).toEqual([
      ["meeting-notes", 1, "For meetings"],
      ["notes", 0.9, "Keeps meeting notes"],
    ]);
    expect((await registry.search("broken")).map(({ slug }) => slug)).toEqual(["broken"]);
    expect(await registry.search("")).toEqual([]);
  });

  it.each([
    [">", ">\n  Keeps notes of\n  meetings"],
    ["|-", "|-\r\n  Keeps notes of\r\n  meetings"],
    ["plain lines", "Keeps notes of\n  meetings"],
    ["quoted lines", "'Keeps notes of\n  meetings'"],
  ])("shows a description over several lines as one: %s", async (_, written) => {
    const data = SKILL("notes").replace("Says hello", written);
    const registry = folder({ root: await madeForTest({ "notes.zip": buildZip([{ name: "SKILL.md", data }]) }) });
    expect((await registry.search("meetings")).map(({ description }) => description)).toEqual([
      "Keeps notes of meetings",
    ]);
  });

  it.each(["../greet", "a/greet", "GREET", "greet.zip", ""])("looks nowhere else: %j", async (slug) => {
    const root = await madeForTest({ "greet.zip": archive });
    expect(await folder({ root: join(root, ".") }).meta(slug)).toBeNull();
  });

  it("follows no link, and reads no folder", async () => {
    const root = await madeForTest({ "target.bin": archive });
    await symlink(join(root, "target.bin"), join(root, "link.zip"));
    await mkdir(join(root, "dir.zip"));
    const registry = folder({ root });
    expect(await registry.meta("link")).toBeNull();
    expect(await registry.meta("dir")).toBeNull();
    await expect(registry.download("link")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("has another version when the file is another, and installs what it names", async () => {
    const root = await madeForTest({ "greet.zip": archive });
    const registry = folder({ root });
    const { installer } = setUp([registry]);
    const first = await installer.install({ slug: "greet" });
    expect(first.version).toBe(first.sha256.slice(0, 12));
    expect(await installer.update("greet")).toEqual({ updated: false, version: first.version });
    await writeFile(join(root, "greet.zip"), greet([{ name: "new.md", data: "x" }]));
    expect(await installer.update("greet")).toMatchObject({ updated: true, replaced: { version: first.version } });
    await expect(registry.download("greet", first.version)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("has an archive over 10 MiB, which is not installed", async () => {
    const root = await madeForTest({ "large.zip": new Uint8Array(10 * 1024 * 1024 + 1) });
    const registry = folder({ root });
    const { installer } = setUp([registry]);
    await expect(installer.install({ slug: "large" })).rejects.toMatchObject({
      code: "SKILL_REFUSED",
      message: "Cannot use this archive: it is larger than 10485760 bytes",
    });
    expect(await registry.search("large")).toEqual([]);
  });
});
