import { ConfigError, parseSkill } from "../../entry.host.ts";

export const PATH = "skills/greet/SKILL.md";

/** A skill with more fields in its frontmatter. */
export const withFields = (fields: string, body = "Say hello.") =>
  `---\nname: greet\ndescription: Says hello\n${fields}${fields === "" ? "" : "\n"}---\n${body}\n`;

/** What is wrong with a skill, by the error that says it. */
export function issuesOf(
  text: string,
  path = PATH,
): readonly { line: number; column: number; path: string; message: string }[] {
  try {
    parseSkill(text, { path });
  } catch (error) {
    if (error instanceof ConfigError) return error.issues;
    throw error;
  }
  return [];
}
