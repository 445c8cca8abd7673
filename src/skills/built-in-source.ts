import type { JsonValue } from "../store/index.ts";
import { bodyOf, splitSkillText } from "./frontmatter.ts";
import { readFields } from "./read-fields.ts";
import { skillOf } from "./skill-fields.ts";
import { MAX_SKILL_FILE_BYTES, SKILL_FILE } from "./skill-path.ts";
import type { Skill } from "./skill.ts";
import type { SkillSource } from "./source.ts";

/** A skill that comes with Wakeful, as `node .ci/skills.ts` writes it, with its YAML already parsed. */
export interface BuiltInSkill {
  readonly name: string;
  /** SHA-256 of the text, in lower-case hexadecimal. */
  readonly hash: string;
  /** The frontmatter as data. */
  readonly frontmatter: Readonly<Record<string, JsonValue>>;
  /** The whole `SKILL.md`. */
  readonly text: string;
  /** Other files of its folder, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * Restores the skill's whole text. The generated module leaves out the pattern lines of the text, because the
 * frontmatter has them too and they are the greater part of both.
 */
export function withPatterns(skill: BuiltInSkill): BuiltInSkill {
  const triggers = (skill.frontmatter["triggers"] ?? {}) as { readonly intent_patterns?: readonly string[] };
  const lines = triggers.intent_patterns?.map((pattern) => `    - '${pattern.replaceAll("'", "''")}'\n`) ?? [];
  return { ...skill, text: skill.text.replace(/^ {2}intent_patterns:\n/m, (key) => key + lines.join("")) };
}

/** A source that can give skills without parsing their YAML. */
export interface PreparedSkillSource extends SkillSource {
  /** Contract: what parsing the skill's text would give, once `list` has resolved; `undefined` for an unknown name. */
  prepared(name: string): { readonly skill: Skill; readonly hash: string } | undefined;
}

/**
 * The skills that come with Wakeful. They are loaded when they are first listed, so that a program without skills
 * does not pay for them.
 */
export function builtInSkillSource(load: () => Promise<readonly BuiltInSkill[]> = loadBuiltIn): PreparedSkillSource {
  let skills: ReadonlyMap<string, BuiltInSkill> = new Map();
  const loaded = async () => {
    if (skills.size === 0) skills = new Map((await load()).map((skill) => [skill.name, skill]));
    return skills;
  };
  return {
    name: "built-in",
    pathOf: pathTo,
    list: async () => [...(await loaded()).values()].map(({ name, hash }) => ({ name, version: hash })),
    read: async (name) => (await loaded()).get(name)?.text ?? null,
    async readFile(name, path) {
      const skill = (await loaded()).get(name);
      const text = path === SKILL_FILE ? skill?.text : skill?.files?.[path];
      return text === undefined ? null : new TextEncoder().encode(text).subarray(0, MAX_SKILL_FILE_BYTES);
    },
    files: async (name) => Object.keys((await loaded()).get(name)?.files ?? {}),
    prepared(name) {
      const found = skills.get(name);
      return found && { skill: preparedOnce(found), hash: found.hash };
    },
  };
}

/** Shared by all assistants of a process. */
const prepared = new WeakMap<BuiltInSkill, Skill>();

function preparedOnce(found: BuiltInSkill): Skill {
  const skill = prepared.get(found) ?? prepare(found);
  prepared.set(found, skill);
  return skill;
}

/** @throws {TypeError} If the data does not come from a valid skill. */
export function prepare({ name, text, frontmatter }: Pick<BuiltInSkill, "name" | "text" | "frontmatter">): Skill {
  const parts = splitSkillText(text);
  const { fields } = readFields(frontmatter);
  if (fields === undefined || "missing" in parts) throw new TypeError(`The built-in skill ${name} cannot be read`);
  return skillOf(fields, { body: bodyOf(parts), frontmatter, path: pathTo(name) });
}

/** Path of a built-in skill in the package's sources. */
function pathTo(name: string): string {
  return `built-in/${name}/${SKILL_FILE}`;
}

async function loadBuiltIn(): Promise<readonly BuiltInSkill[]> {
  return (await import("./built-in-skills.ts")).BUILT_IN_SKILLS;
}
