import type { Platform } from "../platform.ts";
import { ConfigError, type ConfigIssue, type YamlFile, pathText, readYaml } from "../settings/index.ts";
import type { JsonValue } from "../store/index.ts";
import { type SkillText, bodyOf, mendYaml, splitSkillText, yamlInPlace } from "./frontmatter.ts";
import { type FieldProblem, OUR_GROUP, fieldText, readFields } from "./read-fields.ts";
import { SKILL_LIMITS, skillOf } from "./skill-fields.ts";
import type { Skill } from "./skill.ts";

/** Options of `parseSkill`. */
export interface ParseSkillOptions {
  /**
   * Path of the text, as `skills/meeting-notes/SKILL.md`: used in errors, and its folder should have the skill's name.
   * Default: `SKILL.md`.
   */
  readonly path?: string;
}

/** A skill, the warnings about its file, and the positions of its fields. */
export interface SkillReading {
  readonly skill: Skill;
  /** Parts that have no effect or should be fixed; the skill can be used. */
  readonly warnings: readonly ConfigIssue[];
  /** Returns the position of a field, as `["chain", 0, "skill"]`, in the file. */
  placeOf(path: readonly (string | number)[]): { readonly line: number; readonly column: number };
}

/**
 * Reads a `SKILL.md`. Source: docs/skills.md, "The format".
 *
 * @throws {ConfigError} With all errors, each with file, line, column and field.
 */
export function parseSkill(text: string, options: ParseSkillOptions, yaml: Platform["yaml"]): Skill {
  return readSkill(text, options, yaml).skill;
}

/** As `parseSkill`, with warnings. */
export function readSkill(text: string, { path }: ParseSkillOptions, yaml: Platform["yaml"]): SkillReading {
  const file = path ?? "SKILL.md";
  const issueAt = (line: number, message: string): ConfigIssue => ({ file, line, column: 1, path: "", message });
  if (isLarger(text, SKILL_LIMITS.fileBytes))
    throw new ConfigError([issueAt(1, `The file has more than ${SKILL_LIMITS.fileBytes} bytes`)]);
  const parts = splitSkillText(text);
  if ("missing" in parts)
    throw new ConfigError([
      issueAt(
        1,
        parts.missing === "begin"
          ? "The file has no frontmatter: begin with a line ---, then name: and description:, then a line ---"
          : "The frontmatter has no end: put a line --- below its last field",
      ),
    ]);
  const { read, mended } = readFrontmatter(parts, file, yaml);
  const frontmatter = JSON.parse(JSON.stringify(read.value, finite)) as Readonly<Record<string, JsonValue>>;
  const { fields, problems } = readFields(frontmatter);
  const issueOf = (problem: FieldProblem): ConfigIssue => ({
    file,
    ...read.positionOf(problem.path, "key"),
    path: pathText(problem.path),
    message: fieldText(problem),
  });
  if (fields === undefined) throw new ConfigError(problems.filter(({ level }) => level === "error").map(issueOf));
  const folder = folderOf(path);
  const warnings = problems.map(issueOf);
  if (mended !== undefined) warnings.push({ file, ...mended });
  if (folder !== undefined && folder !== fields.name)
    warnings.push(
      issueOf({
        level: "warning",
        path: ["name"],
        message: `${JSON.stringify(fields.name)} is not the name of its folder, ${JSON.stringify(folder)}: give both the same name`,
      }),
    );
  return {
    skill: skillOf(fields, { body: bodyOf(parts), frontmatter, path }),
    warnings: warnings.toSorted((one, other) => one.line - other.line || one.column - other.column),
    placeOf: (field) => {
      const isAtTop = field[0] === undefined || frontmatter[field[0]] !== undefined;
      return read.positionOf(isAtTop ? field : [...OUR_GROUP, ...field], "key");
    },
  };
}

/** JSON has no `.inf` and no `.nan`: they would become `null` and count as absent. */
function finite(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}

type Mended = Pick<ConfigIssue, "line" | "column" | "path" | "message">;

/** @throws {ConfigError} If it is not YAML, even after the usual mistakes are fixed. */
function readFrontmatter(
  parts: SkillText,
  file: string,
  yaml: Platform["yaml"],
): { readonly read: YamlFile; readonly mended?: Mended } {
  if (parts.yaml.length > SKILL_LIMITS.frontmatterChars)
    throw new ConfigError([
      {
        file,
        line: 1,
        column: 1,
        path: "",
        message: `The frontmatter has ${parts.yaml.length} characters, more than ${SKILL_LIMITS.frontmatterChars}: move what is long below it`,
      },
    ]);
  const text = yamlInPlace(parts);
  const read = readSafely(text, yaml);
  const [first] = read.problems;
  if (first === undefined) return { read };
  const again = readSafely(mendYaml(text), yaml);
  if (again.problems.length > 0) throw new ConfigError(read.problems.map((problem) => ({ file, ...problem })));
  const { line, column, message } = first;
  return { read: again, mended: { line, column, path: "", message: `${message}; put the text in quotes` } };
}

/** Reads YAML. Nesting that is too deep for the runtime's stack becomes a problem like any other. */
function readSafely(text: string, yaml: Platform["yaml"]): YamlFile {
  try {
    return readYaml(text, yaml());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const place = { line: 1, column: 1 };
    const problem = { ...place, path: "", message: "The frontmatter is nested too deeply" };
    return { value: {}, problems: [problem], positionOf: () => place, written: () => undefined };
  }
}

/** The frontmatter's YAML in readable form: with the usual mistakes fixed, if it has any. */
export function readableYaml(parts: SkillText, yaml: Platform["yaml"]): string {
  const text = parts.yaml.replaceAll("\r\n", "\n");
  return readSafely(text, yaml).problems.length === 0 ? text : mendYaml(text);
}

function folderOf(path: string | undefined): string | undefined {
  const names = path?.split(/[/\\]/) ?? [];
  const folder = names.at(-2);
  const isFile = names.at(-1)?.toLowerCase() === "skill.md";
  return isFile && folder !== undefined && !["", ".", ".."].includes(folder) ? folder : undefined;
}

function isLarger(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  // A UTF-16 unit has at most three bytes in UTF-8.
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes;
}
