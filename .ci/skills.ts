// Builds the skills that come with Wakeful: skills/<name>/SKILL.md → src/skills/built-in-skills.ts, data that no program has to read YAML for.
// The module is committed, because src runs unbuilt on every runtime. Run `node .ci/skills.ts` after a change in the folder skills.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hostPlatform } from "../adapters/platform/host/index.ts";
import { withPatterns } from "../src/skills/built-in-source.ts";
import { type BuiltInSkill, readSkill } from "../src/skills/index.ts";

const root = join(import.meta.dirname, "..");
const MODULE = join(root, "src/skills/built-in-skills.ts");

/** What the module holds. @throws {ConfigError} For a skill that cannot be read, or has something that should be mended. */
export async function buildSkills(folder = join(root, "skills")): Promise<BuiltInSkill[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => existsSync(join(folder, name, "SKILL.md"))).toSorted();
  return Promise.all(names.map((name) => buildSkill(folder, name)));
}

async function buildSkill(folder: string, name: string): Promise<BuiltInSkill> {
  const text = (await readFile(join(folder, name, "SKILL.md"), "utf8")).replaceAll("\r\n", "\n");
  const { skill, warnings } = readSkill(text, { path: `skills/${name}/SKILL.md` }, hostPlatform.yaml);
  const [warning] = warnings;
  if (warning !== undefined) throw new Error(`${warning.file}:${warning.line} ${warning.message}`);
  const files = await otherFiles(join(folder, name));
  return {
    name,
    hash: createHash("sha256").update(text).digest("hex"),
    frontmatter: skill.frontmatter,
    text,
    ...(Object.keys(files).length > 0 && { files }),
  };
}

async function otherFiles(folder: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
      .slice(folder.length + 1)
      .replaceAll("\\", "/");
    if (entry.isFile() && path !== "SKILL.md") files[path] = await readFile(join(folder, path), "utf8");
  }
  return Object.fromEntries(Object.entries(files).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** As `withPatterns` takes it. @throws {Error} For patterns that are written in another way. */
function withoutPatterns(skill: BuiltInSkill): BuiltInSkill {
  const text = skill.text.replace(/^ {2}intent_patterns:\n(?: {4}- '.*'\n)+/m, "  intent_patterns:\n");
  if (withPatterns({ ...skill, text }).text === skill.text) return { ...skill, text };
  throw new Error(`skills/${skill.name}/SKILL.md: write each of its intent_patterns on a line, in single quotes`);
}

function moduleText(skills: readonly BuiltInSkill[]): string {
  return `// Written by \`node .ci/skills.ts\` from the folder skills; change a skill there and run it again.
import { type BuiltInSkill, withPatterns } from "./built-in-source.ts";

const skills: readonly BuiltInSkill[] = ${JSON.stringify(skills.map(withoutPatterns), undefined, 2)};

/** The skills that come with Wakeful. */
export const BUILT_IN_SKILLS: readonly BuiltInSkill[] = skills.map(withPatterns);
`;
}

if (import.meta.main) {
  await writeFile(MODULE, moduleText(await buildSkills()));
  const { status } = spawnSync(join(root, "node_modules/.bin/oxfmt"), [MODULE], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
