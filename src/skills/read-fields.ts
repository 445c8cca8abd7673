import { nearestName, pathText } from "../settings/index.ts";
import { type JsonValue, isObject } from "../store/index.ts";
import { FIELD_SCHEMAS, KEYS_WITHIN, PEOPLE_RULE, type SkillFields, checkFields, isSkillName } from "./skill-fields.ts";

/** An `error`, or a `warning` about something odd without effect, and its place in the frontmatter. */
export interface FieldProblem {
  readonly level: "error" | "warning";
  readonly path: readonly (string | number)[];
  readonly message: string;
}

type Group = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];

/** Fields of the standard that must stand at the top. */
const AT_THE_TOP = new Set(["name", "description"]);
/** The fields that may stand at the top level or under `metadata.wakeful`. */
export const OUR_FIELDS: readonly string[] = Object.keys(FIELD_SCHEMAS).filter((key) => !AT_THE_TOP.has(key));
/** The other place of our fields, next to the top level. */
export const OUR_GROUP = ["metadata", "wakeful"] as const;
/** Longest `compatibility` that the standard allows, in characters. */
const MAX_COMPATIBILITY = 500;

/**
 * Checks the fields of a frontmatter. A field at the top level wins over the same field under `metadata.wakeful`. A
 * field with one of our names but the shape of another assistant (a list as `triggers`) is ignored with a warning.
 *
 * @returns The fields, unless a problem is an error; and all problems.
 */
export function readFields(frontmatter: Readonly<Record<string, JsonValue>>): {
  readonly fields?: SkillFields;
  readonly problems: readonly FieldProblem[];
} {
  const given = withoutNulls(frontmatter) as Group;
  const problems: FieldProblem[] = [...standardProblems(given)];
  const chosen = new Map<string, { readonly value: unknown; readonly path: Path }>();
  for (const key of AT_THE_TOP) if (given[key] !== undefined) chosen.set(key, { value: given[key], path: [key] });
  const ours = ourGroup(given, problems);
  for (const path of [["people"], [...OUR_GROUP, "people"]])
    if (valueAt(frontmatter, path) === null) problems.push({ level: "error", path, message: PEOPLE_RULE });
  for (const key of OUR_FIELDS) {
    const top = given[key];
    const foreign = isForeign(key, top);
    if (top !== undefined && !foreign) chosen.set(key, { value: top, path: [key] });
    else if (ours[key] !== undefined) chosen.set(key, { value: ours[key], path: [...OUR_GROUP, key] });
    else if (foreign) problems.push(passedOver(key));
  }
  for (const [key, { value, path }] of chosen) problems.push(...unknownWithin(key, value, path));
  problems.push(...unknownIn(given, [], OUR_FIELDS, "no near names"), ...unknownIn(ours, OUR_GROUP, OUR_FIELDS));

  const checked = checkFields(Object.fromEntries([...chosen].map(([key, { value }]) => [key, value])));
  if (!checked.success)
    problems.push(
      ...checked.issues.map(({ path = [], message, input }): FieldProblem => {
        const [key = "", ...rest] = path.map((step) => step.key as string | number);
        return {
          level: "error",
          path: [...(chosen.get(String(key))?.path ?? [key]), ...rest],
          message: `${message}${found(input)}`,
        };
      }),
    );
  const isWrong = problems.some(({ level }) => level === "error");
  return { problems, ...(checked.success && !isWrong && { fields: checked.output }) };
}

/** Whether a value at the top level has another assistant's meaning for a field that we know by this name. */
export function isForeign(key: string, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  switch (key) {
    case "triggers":
    case "requires":
    case "output":
      return (
        !isObject(value) ||
        (Object.keys(value).length > 0 && !Object.keys(value).some((name) => isNear(name, KEYS_WITHIN[key] ?? [])))
      );
    case "chain":
      return !Array.isArray(value) || !value.every((step) => isObject(step));
    case "prerequisites":
      return Array.isArray(value) ? value.length > 0 && !value.some(isSkillName) : !isSkillName(value);
    default:
      return false;
  }
}

function ourGroup(given: Group, problems: FieldProblem[]): Group {
  const { metadata } = given;
  const ours = isObject(metadata) ? metadata["wakeful"] : undefined;
  if (ours === undefined || isObject(ours)) return ours ?? {};
  problems.push({ level: "error", path: OUR_GROUP, message: `expected a group of ${OUR_FIELDS.join(", ")}` });
  return {};
}

function standardProblems({ license, compatibility, metadata, "allowed-tools": tools }: Group): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const odd = (key: string, message: string) => void problems.push({ level: "warning", path: [key], message });
  if (license !== undefined && typeof license !== "string") odd("license", "expected a text: it has no effect");
  if (compatibility !== undefined && (typeof compatibility !== "string" || compatibility.length > MAX_COMPATIBILITY))
    odd("compatibility", `expected a text of at most ${MAX_COMPATIBILITY} characters: it has no effect`);
  if (metadata !== undefined && !isObject(metadata)) odd("metadata", "expected a group: it has no effect");
  const isTools = typeof tools === "string" || (Array.isArray(tools) && tools.every((one) => typeof one === "string"));
  if (tools !== undefined && !isTools) odd("allowed-tools", "expected a text or a list of texts: it has no effect");
  return problems;
}

function passedOver(key: string): FieldProblem {
  const keys = KEYS_WITHIN[key];
  const expected =
    key === "prerequisites"
      ? "expected names of skills"
      : key === "chain"
        ? "expected a list of steps, each with the key skill"
        : `expected a group of ${keys?.join(", ") ?? ""}`;
  return { level: "warning", path: [key], message: `${expected}: the value is ignored` };
}

function unknownWithin(key: string, value: unknown, path: Path): FieldProblem[] {
  const keys = KEYS_WITHIN[key];
  if (keys === undefined) return [];
  if (Array.isArray(value))
    return value.flatMap((step, index) => (isObject(step) ? unknownIn(step, [...path, index], keys) : []));
  if (!isObject(value)) return [];
  const inner = key === "triggers" ? value["context_signals"] : undefined;
  return [
    ...unknownIn(value, path, keys),
    ...(isObject(inner)
      ? unknownIn(inner, [...path, "context_signals"], KEYS_WITHIN["triggers.context_signals"] ?? [])
      : []),
  ];
}

/**
 * A key that is nearly one of ours is most likely a misspelling. At the top level it can as well be a field of
 * another assistant.
 */
function unknownIn(group: Group, path: Path, keys: readonly string[], near?: "no near names"): FieldProblem[] {
  return Object.keys(group).flatMap((key): FieldProblem[] => {
    if (keys.includes(key)) return [];
    const meant = isNear(key, keys) ? nearestName(key, keys) : undefined;
    if (near !== undefined)
      return meant === undefined
        ? []
        : [{ level: levelOf(meant), path: [key], message: `has no effect: did you mean ${meant}?` }];
    return [
      meant === undefined
        ? { level: "warning", path: [...path, key], message: `has no effect: expected one of ${keys.join(", ")}` }
        : { level: "error", path: [...path, key], message: `unknown field: did you mean ${meant}?` },
    ];
  });
}

/** A misspelled `people` is an error: a skill for few people must not be offered to everyone. */
function levelOf(meant: string): FieldProblem["level"] {
  return meant === "people" ? "error" : "warning";
}

function valueAt(group: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), group);
}

/**
 * Whether a name is nearly one of the keys. Names that differ in the first letter are other words: `input` is not
 * `output`.
 */
function isNear(name: string, keys: readonly string[]): boolean {
  const meant = nearestName(name, keys);
  return meant !== undefined && meant[0]?.toLowerCase() === name[0]?.toLowerCase();
}

/** Describes the value that was found, in full if it is short. */
function found(input: unknown): string {
  if (input === undefined) return "";
  if (typeof input === "object" && input !== null) return `, but it is a ${Array.isArray(input) ? "list" : "group"}`;
  const text = JSON.stringify(input);
  if (text.length <= 60) return `, but it is ${text}`;
  return `, but it has ${typeof input === "string" ? input.length : text.length} characters`;
}

/** Removes keys without a value, except in `params`, whose content is not ours. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const filled = Object.entries(value).filter(([, one]) => one !== null);
  return Object.fromEntries(filled.map(([key, one]) => [key, key === "params" ? one : withoutNulls(one)]));
}

/** `triggers.intent_patterns[0]: what is wrong`. */
export function fieldText({ path, message }: Pick<FieldProblem, "path" | "message">): string {
  return path.length === 0 ? message : `${pathText(path)}: ${message}`;
}
