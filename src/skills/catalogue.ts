import type { Skill } from "./skill.ts";

/** Skills that prompts name; the tool `skills` finds the others. */
export const MAX_CATALOGUE = 60;
const MAX_LINE_CHARS = 200;

/**
 * A line for each skill, the higher priority first, then by name: the same text as long as the skills are the same, so that providers' caches go on.
 * @returns `undefined` when there are none.
 */
export function catalogueOf(skills: readonly Skill[]): string | undefined {
  if (skills.length === 0) return undefined;
  const sorted = skills.toSorted((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1));
  const lines = sorted.slice(0, MAX_CATALOGUE).map(lineOf);
  const more = sorted.length - lines.length;
  return [...lines, ...(more > 0 ? [`${more} more: the tool skills searches them`] : [])].join("\n");
}

function lineOf({ name, description }: Skill): string {
  const line = `- ${name}: ${description.replace(/\s+/g, " ").trim()}`;
  return line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, MAX_LINE_CHARS - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
