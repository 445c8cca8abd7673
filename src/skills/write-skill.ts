import { AssistantError } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { type JsonValue, canonicalJson, isObject } from "../store/index.ts";
import { changeFrontmatter } from "./change-frontmatter.ts";
import { type SkillText, splitSkillText } from "./frontmatter.ts";
import { parseSkill, readSkill, readableYaml } from "./parse-skill.ts";
import { OUR_FIELDS, OUR_GROUP, isForeign } from "./read-fields.ts";
import { SKILL_DEFAULTS } from "./skill-fields.ts";
import type { Skill } from "./skill.ts";

/** Content of a `SKILL.md` to be written. Absent fields have their defaults. */
export interface SkillDraft extends Partial<Omit<Skill, "name" | "description" | "body" | "path">> {
  /** As of `Skill`. */
  readonly name: string;
  /** As of `Skill`. */
  readonly description: string;
  /** As of `Skill`. */
  readonly body: string;
}

type Group = Readonly<Record<string, JsonValue | undefined>>;

/**
 * Writes the text of a `SKILL.md`. Keeps unchanged and unknown fields, comments and order of an existing file, and
 * its body unless it changed. In a new file the unknown fields are those of `draft.frontmatter`.
 *
 * @param previous The text of the file that is changed.
 * @throws {ConfigError} If the draft breaks a rule of skills, or the previous text is no skill.
 * @throws {AssistantError} `OPTION_INVALID` if aliases in the previous text prevent the change.
 */
export function writeSkill(draft: SkillDraft, previous: string | undefined, yaml: Platform["yaml"]): string {
  const text = previous === undefined ? newText(draft, yaml) : changedText(draft, previous, yaml);
  const says = parseSkill(text, {}, yaml);
  if (!isSame(says, draft))
    throw new AssistantError(
      "OPTION_INVALID",
      `Cannot change the file of the skill ${JSON.stringify(draft.name)}: it uses YAML aliases or similar syntax; change it by hand`,
    );
  return text;
}

function newText(draft: SkillDraft, yaml: Platform["yaml"]): string {
  const { name, description, ...fields } = fieldsOf(draft);
  const rest = unknownFields(draft.frontmatter ?? {});
  const written = changeFrontmatter("", {}, { name, description, ...rest, ...fields }, yaml);
  const body = draft.body.trim();
  return `---\n${written}---\n${body === "" ? "" : `\n${body}\n`}`;
}

function changedText(draft: SkillDraft, previous: string, yaml: Platform["yaml"]): string {
  const { skill } = readSkill(previous, {}, yaml);
  const parts = splitSkillText(previous) as SkillText;
  const isCrlf = parts.head.includes("\r\n");
  const withEnds = (text: string) => (isCrlf ? text.replaceAll("\n", "\r\n") : text);
  const [before, after] = [fieldsOf(skill), fieldsOf(draft)];
  const body = draft.body.replaceAll("\r\n", "\n").trim();
  const rest = body === skill.body ? parts.rest : body === "" ? "" : withEnds(`\n${body}\n`);
  if (canonicalJson(before) === canonicalJson(after)) return parts.head + parts.yaml + parts.close + rest;
  const placed = (fields: Group) => inPlace(fields, skill.frontmatter);
  const written = changeFrontmatter(readableYaml(parts, yaml), placed(before), placed(after), yaml);
  return parts.head + withEnds(written) + parts.close + rest;
}

/**
 * Places fields as in the file: an existing field stays where it is; a new one goes to `metadata.wakeful` if that
 * exists, else to the top level.
 */
function inPlace(fields: Group, frontmatter: Skill["frontmatter"]): Group {
  const ours = groupIn(groupIn(frontmatter, OUR_GROUP[0]), OUR_GROUP[1]);
  const top: Record<string, JsonValue | undefined> = {};
  const inner: Record<string, JsonValue | undefined> = {};
  for (const [key, value] of Object.entries(fields)) {
    const standsAtTop = frontmatter[key] !== undefined && !isForeign(key, frontmatter[key]);
    const isInner =
      OUR_FIELDS.includes(key) && !standsAtTop && (ours !== undefined || isForeign(key, frontmatter[key]));
    (isInner ? inner : top)[key] = value;
  }
  return { ...top, [OUR_GROUP[0]]: { [OUR_GROUP[1]]: inner } };
}

/** The frontmatter's fields that Wakeful does not know. */
function unknownFields(frontmatter: Skill["frontmatter"]): Group {
  const known = new Set(["name", "description", ...OUR_FIELDS]);
  const without = (group: Group) => Object.entries(group).filter(([key]) => !known.has(key));
  const metadata = groupIn(frontmatter, OUR_GROUP[0]);
  const ours = groupIn(metadata, OUR_GROUP[1]);
  const rest = Object.fromEntries(without(frontmatter));
  if (metadata === undefined || ours === undefined) return rest;
  const { [OUR_GROUP[1]]: _, ...others } = metadata;
  const left = Object.fromEntries(Object.entries(ours).filter(([key]) => !OUR_FIELDS.includes(key)));
  const kept = { ...others, ...(Object.keys(left).length > 0 && { [OUR_GROUP[1]]: left }) };
  const { [OUR_GROUP[0]]: __, ...top } = rest;
  return Object.keys(kept).length > 0 ? { ...rest, [OUR_GROUP[0]]: kept } : top;
}

/** The fields as the file has them, without empty ones and defaults. */
function fieldsOf(skill: SkillDraft | Skill): Group {
  const { triggers, output, requires, chain, people } = skill;
  const unless = <T extends JsonValue>(value: T | undefined, byDefault: T) => (value === byDefault ? undefined : value);
  const filled = (list: readonly string[] | undefined) => (list === undefined || list.length === 0 ? undefined : list);
  const slots = triggers?.contextSignals.slots ?? {};
  return defined({
    name: skill.name,
    description: skill.description.trim(),
    triggers:
      triggers &&
      defined({
        intent_patterns: filled(triggers.intentPatterns),
        tool_signals: filled(triggers.toolSignals),
        context_signals: defined({
          keywords: filled(triggers.contextSignals.keywords),
          slots: Object.keys(slots).length > 0 ? slots : undefined,
        }),
        confidence_threshold: unless(triggers.confidenceThreshold, SKILL_DEFAULTS.confidenceThreshold),
      }),
    priority: unless(skill.priority, SKILL_DEFAULTS.priority),
    exclusive_group: skill.exclusiveGroup,
    prerequisites: filled(skill.prerequisites),
    max_tokens: unless(skill.maxTokens, SKILL_DEFAULTS.maxTokens),
    cooldown: unless(skill.cooldown, SKILL_DEFAULTS.cooldown),
    chain: chain?.map(
      ({ skill: name, outputAs, inputFrom, params }) =>
        defined({ skill: name, output_as: outputAs, input_from: inputFrom, params }) ?? {},
    ),
    output:
      output && defined({ format: output.format, artifacts: output.artifacts, artifact_type: output.artifactType }),
    requires:
      requires &&
      defined({
        runtimes: filled(requires.runtimes),
        channels: filled(requires.channels),
        env: filled(requires.env),
        bins: filled(requires.bins),
        tools: filled(requires.tools),
      }),
    people: filled(people),
  }) as Group;
}

/** Removes keys without a value; `undefined` if none is left. */
function defined(group: Group): Group | undefined {
  const entries = Object.entries(group).filter(([, value]) => value !== undefined);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function groupIn(group: Group | undefined, key: string): Group | undefined {
  const value = group?.[key];
  return isObject(value) ? value : undefined;
}

function isSame(says: Skill, draft: SkillDraft): boolean {
  const body = draft.body.replaceAll("\r\n", "\n").trim();
  return says.body === body && canonicalJson(fieldsOf(says)) === canonicalJson(fieldsOf(draft));
}
