import type { PatternEngine } from "../patterns/index.ts";
import type { Platform } from "../platform.ts";
import { ConfigError, type ConfigIssue, pathText } from "../settings/index.ts";
import type { SkillIssue } from "./api.ts";
import { createLibrary } from "./library.ts";
import { objectionsTo } from "./links.ts";
import { readSkill } from "./parse-skill.ts";
import type { Skill } from "./skill.ts";

/** Returns everything that is wrong with the text of a `SKILL.md`, independent of other skills. */
export function checkSkill(
  text: string,
  file: string,
  { yaml, linear }: { readonly yaml: Platform["yaml"]; linear(): PatternEngine | null },
): readonly SkillIssue[] {
  try {
    const { skill, warnings, placeOf } = readSkill(text, { path: file }, yaml);
    const at = (path: readonly (string | number)[]) => ({ file, ...placeOf(path), path: pathText(path) });
    return [
      ...warnings.map((issue) => issueOf(issue, "warning")),
      ...objectionsTo([...neededBy(skill), skill])
        .filter((one) => one.skill === skill.name)
        .map(({ path = [], message }): SkillIssue => ({ ...at(path), message, level: "error" })),
      ...createLibrary([withoutLinks(skill)], {}, linear).problems.map(({ pattern = "", reason }): SkillIssue => {
        const index = skill.triggers?.intentPatterns.indexOf(pattern) ?? 0;
        const path = ["triggers", "intent_patterns", index];
        return { ...at(path), message: `${JSON.stringify(pattern)}: ${reason}`, level: "warning" };
      }),
    ];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.issues.map((issue) => issueOf(issue, "error"));
  }
}

/** Stand-ins for the skills that it names. */
function neededBy(skill: Skill): readonly Skill[] {
  const names = [...skill.prerequisites, ...(skill.chain ?? []).map((step) => step.skill)];
  return [...new Set(names)].filter((name) => name !== skill.name).map((name) => ({ ...withoutLinks(skill), name }));
}

function withoutLinks(skill: Skill): Skill {
  const { chain: _, ...rest } = skill;
  return { ...rest, prerequisites: [] };
}

function issueOf({ file, line, column, path, message }: ConfigIssue, level: SkillIssue["level"] & string): SkillIssue {
  return { file, line, column, ...(path !== "" && { path }), message, level };
}
