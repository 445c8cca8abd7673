import { AssistantError } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { aliasTargets, readYaml, yamlDocuments } from "../settings/index.ts";
import { changeFrontmatter } from "./change-frontmatter.ts";
import { splitSkillText } from "./frontmatter.ts";
import { parseSkill, readableYaml } from "./parse-skill.ts";
import { OUR_GROUP } from "./read-fields.ts";
import { SKILL_LIMITS } from "./skill-fields.ts";
import { writeSkill } from "./write-skill.ts";

/** Places of the field, in order of precedence. */
const PLACES = [["people"], [...OUR_GROUP, "people"]] as const;

/** Returns the people that a `SKILL.md` is for, even if its mistakes keep it from being a skill. */
export function peopleIn(text: string, yaml: Platform["yaml"]): readonly string[] {
  return foundIn(text, yaml)?.people ?? [];
}

/** Returns the text for other people; the same text if its YAML is unreadable and so cannot be changed. */
export function withPeople(text: string, people: readonly string[], yaml: Platform["yaml"]): string {
  try {
    return writeSkill({ ...parseSkill(text, {}, yaml), people }, text, yaml);
  } catch (error) {
    if (!AssistantError.is(error, "CONFIG_INVALID")) throw error;
  }
  const parts = splitSkillText(text);
  const found = foundIn(text, yaml);
  if ("missing" in parts || found === undefined || found.isBroken) return text;
  const said = (given: readonly string[]) =>
    found.place.length === 1 ? { people: given } : { metadata: { wakeful: { people: given } } };
  const written = changeFrontmatter(readableYaml(parts, yaml), said(found.people), said(people), yaml);
  return parts.head + written + parts.close + parts.rest;
}

function foundIn(text: string, yaml: Platform["yaml"]) {
  const parts = splitSkillText(text);
  const { isAlias, isMap, isScalar, isSeq } = yaml();
  try {
    const source = "missing" in parts ? text.slice(0, SKILL_LIMITS.frontmatterChars) : readableYaml(parts, yaml);
    const contents = yamlDocuments(source, yaml())[0]?.contents ?? null;
    const targets = aliasTargets(contents, yaml());
    const meant = (node: unknown) => (isAlias(node) ? targets.get(node) : node);
    /** The values of a field; a faulty file may have it twice. */
    const inField = (group: unknown, name: string): unknown[] =>
      isMap(group)
        ? group.items.flatMap(({ key, value }) => (isScalar(key) && key.value === name ? [meant(value)] : []))
        : [];
    for (const place of PLACES) {
      const found = place.reduce<unknown[]>(
        (groups, key) => groups.flatMap((group) => inField(group, key)),
        [contents],
      );
      const people = found
        .flatMap((one) => (isSeq(one) ? one.items.map(meant) : [one]))
        .flatMap((one) => (isScalar(one) && typeof one.value === "string" ? [one.value.trim()] : []));
      if (people.length > 0) return { place, people, isBroken: readYaml(source, yaml()).problems.length > 0 };
    }
  } catch {
    // Too deeply nested groups: nothing can be read.
  }
  return undefined;
}
