import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildSkills } from "../../.ci/skills.ts";
import { BUILT_IN_SKILLS } from "../../src/skills/built-in-skills.ts";
import { createSkillShelf, builtInSkillSource, parseSkill } from "../../src/skills/index.ts";
import { silentLogger } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/index.ts";
import { platform } from "../support/this-platform.ts";

describe("the skills that come with Wakeful", () => {
  it("are built from the folder skills: run node .ci/skills.ts when this fails", async () => {
    expect(BUILT_IN_SKILLS).toEqual(await buildSkills());
  });

  it("are what reading their texts gives", async () => {
    const { skills, problems } = await createSkillShelf({
      sources: [{ source: builtInSkillSource(), kind: "built-in" }],
      yaml: platform.yaml,
      clock: fakeClock(),
      logger: silentLogger,
    }).load();
    expect(problems).toEqual([]);
    expect(skills.map(({ skill }) => skill)).toEqual(
      BUILT_IN_SKILLS.map(({ name, text }) => parseSkill(text, { path: `built-in/${name}/SKILL.md` }, platform.yaml)),
    );
  });
});

describe("buildSkills()", () => {
  const build = async (files: Readonly<Record<string, string>>) => {
    const root = mkdtempSync(join(tmpdir(), "wakeful-built-in-"));
    try {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(root, path, ".."), { recursive: true });
        writeFileSync(join(root, path), text);
      }
      return await buildSkills(root);
    } finally {
      rmSync(root, { recursive: true });
    }
  };
  const greet = "---\nname: greet\ndescription: Says hello\n---\nSay hello.\n";

  it("takes each folder with a SKILL.md, and the files beside it", async () => {
    const skills = await build({
      "greet/SKILL.md": greet,
      "greet/references/b.md": "b",
      "greet/a.md": "a",
      "other/a.md": "",
    });
    expect(skills).toMatchObject([
      {
        name: "greet",
        frontmatter: { name: "greet", description: "Says hello" },
        text: greet,
        files: { "a.md": "a", "references/b.md": "b" },
      },
    ]);
    expect(skills[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("refuses a skill that cannot be read, or should be mended", async () => {
    await expect(build({ "greet/SKILL.md": "Say hello." })).rejects.toThrow("no frontmatter");
    await expect(build({ "other/SKILL.md": greet })).rejects.toThrow("is not the name of its folder");
  });
});
