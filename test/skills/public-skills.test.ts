import { describe, expect, it } from "vitest";
import { readSkill, writeSkill } from "../../src/skills/index.ts";
import { platform } from "../support/this-platform.ts";
import { PUBLIC_SKILLS } from "./public-skills.ts";

describe("public skills", () => {
  it("are at least thirty, of different kinds", () => {
    expect(new Set(PUBLIC_SKILLS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(30);
  });

  it.each(PUBLIC_SKILLS)("load: $from", ({ name, description, yaml, warns = [] }) => {
    const text = `---\n${yaml}\n---\n\n# Steps\n\n---\n\n1. Begin\n`;
    const { skill, warnings } = readSkill(text, { path: `skills/${name}/SKILL.md` }, platform.yaml);
    expect(skill.name).toBe(name);
    expect(skill.description).toEqual(
      typeof description === "string" ? description : expect.stringMatching(description),
    );
    expect(skill.body).toBe("# Steps\n\n---\n\n1. Begin");
    expect([skill.triggers, skill.chain, skill.requires.bins, skill.prerequisites]).toEqual([
      undefined,
      undefined,
      [],
      [],
    ]);
    expect(warnings.map(({ line, path }) => `${line} ${path}`)).toEqual(warns);
    const fields = [...yaml.matchAll(/^([A-Za-z][\w-]*):/gm)].map(([, key]) => key);
    expect(Object.keys(skill.frontmatter)).toEqual(fields);

    // What a rewrite does not know, it keeps.
    const written = writeSkill({ ...skill, priority: 9, cooldown: 60 }, text, platform.yaml);
    const again = readSkill(written, {}, platform.yaml).skill;
    const { priority, cooldown, ...frontmatter } = again.frontmatter;
    expect([priority, cooldown]).toEqual([9, 60]);
    expect(frontmatter).toEqual(skill.frontmatter);
    expect(again.body).toBe(skill.body);
  });
});
