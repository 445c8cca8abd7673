import * as v from "valibot";
import type { ChainStep, Skill } from "./skill.ts";
import { isObject } from "../store/index.ts";
import { filledText } from "../settings/index.ts";

// The fields of a frontmatter, as valibot schemas. read-fields.ts decides which place each field is taken from.

/** Limits of a skill. Source: docs/skills.md, "Fields". */
export const SKILL_LIMITS = {
  fileBytes: 1_048_576,
  frontmatterChars: 65_536,
  nameChars: 64,
  descriptionChars: 1024,
  patterns: 50,
  patternChars: 500,
  names: 50,
  nameOfOtherChars: 200,
  slots: 10,
  prerequisites: 10,
  chainSteps: 20,
  maxTokens: 100_000,
  cooldownSeconds: 31_536_000,
} as const;

/** Values of fields that are left out. */
export const SKILL_DEFAULTS = { confidenceThreshold: 0.5, priority: 5, maxTokens: 2000, cooldown: 0 } as const;

/** A valid skill name by the standard. */
export const SKILL_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether a text can be the name of a skill. */
export function isSkillName(name: unknown): name is string {
  return typeof name === "string" && name.length <= SKILL_LIMITS.nameChars && SKILL_NAME.test(name);
}

/** An empty list, or no list, must not make a skill available to everyone. */
export const PEOPLE_RULE = "expected at least one user, for example telegram:42; leave the field out to allow everyone";
const NAME_RULE = `expected 1 to ${SKILL_LIMITS.nameChars} characters a-z, 0-9 and single hyphens between them, for example meeting-notes`;
const name = v.pipe(
  v.string(NAME_RULE),
  v.check((given) => isSkillName(given), NAME_RULE),
);
/** Accepts a single text as a list of one. */
const listOf = <Item extends v.GenericSchema>(item: Item, most: number) =>
  v.pipe(
    v.unknown(),
    v.transform((given) => (typeof given === "string" ? [given] : given)),
    v.pipe(v.array(item, "expected a list"), v.maxLength(most, `expected at most ${most}`)),
  );
const namesOfOthers = v.optional(listOf(filledText(SKILL_LIMITS.nameOfOtherChars), SKILL_LIMITS.names), []);
const number = (rule: string, from: number, to: number) =>
  v.pipe(v.number(rule), v.minValue(from, rule), v.maxValue(to, rule));
const whole = (from: number, to: number) => {
  const rule = `expected a whole number from ${from} to ${to}`;
  return v.pipe(number(rule, from, to), v.integer(rule));
};
const THRESHOLD = "expected a number greater than 0 and at most 1";
/** A group of named keys. Unknown keys are reported elsewhere. */
const group = <Keys extends v.ObjectEntries>(keys: Keys) =>
  v.object(keys, ({ expected }) =>
    expected === "Object" ? `expected a group of ${Object.keys(keys).join(", ")}` : "is missing",
  );
const RUNTIMES = ["bun", "node", "deno", "workers"] as const;

/** Values of `params`: anything that a file can express. */
const params = v.custom<NonNullable<ChainStep["params"]>>(isObject, "expected a group");

/** The fields by their names in the file. */
export const FIELD_SCHEMAS = {
  name,
  description: filledText(SKILL_LIMITS.descriptionChars),
  triggers: v.optional(
    group({
      intent_patterns: v.optional(listOf(filledText(SKILL_LIMITS.patternChars), SKILL_LIMITS.patterns), []),
      tool_signals: namesOfOthers,
      context_signals: v.optional(
        group({
          keywords: namesOfOthers,
          slots: v.optional(
            v.pipe(
              v.custom<object>(isObject, "expected a group"),
              v.record(
                filledText(64),
                listOf(filledText(SKILL_LIMITS.nameOfOtherChars), SKILL_LIMITS.names),
                "expected a group",
              ),
              v.check(
                (slots) => Object.keys(slots).length <= SKILL_LIMITS.slots,
                `expected at most ${SKILL_LIMITS.slots}`,
              ),
            ),
            {},
          ),
        }),
        {},
      ),
      confidence_threshold: v.optional(
        v.pipe(number(THRESHOLD, 0, 1), v.gtValue(0, THRESHOLD)),
        SKILL_DEFAULTS.confidenceThreshold,
      ),
    }),
  ),
  priority: v.optional(whole(1, 10), SKILL_DEFAULTS.priority),
  exclusive_group: v.optional(filledText(64)),
  prerequisites: v.optional(listOf(name, SKILL_LIMITS.prerequisites), []),
  max_tokens: v.optional(whole(1, SKILL_LIMITS.maxTokens), SKILL_DEFAULTS.maxTokens),
  cooldown: v.optional(
    number(`expected a number of seconds from 0 to ${SKILL_LIMITS.cooldownSeconds}`, 0, SKILL_LIMITS.cooldownSeconds),
    SKILL_DEFAULTS.cooldown,
  ),
  chain: v.optional(
    v.pipe(
      v.array(
        group({
          skill: name,
          output_as: v.optional(filledText(64)),
          input_from: v.optional(filledText(64)),
          params: v.optional(params),
        }),
        "expected a list of steps, each with the key skill",
      ),
      v.minLength(1, "expected at least one step"),
      v.maxLength(SKILL_LIMITS.chainSteps, `expected at most ${SKILL_LIMITS.chainSteps} steps`),
    ),
  ),
  output: v.optional(
    group({
      format: v.optional(filledText(64)),
      artifacts: v.optional(v.boolean("expected true or false")),
      artifact_type: v.optional(filledText(64)),
    }),
  ),
  requires: v.optional(
    group({
      runtimes: v.optional(listOf(v.picklist(RUNTIMES, `expected one of ${RUNTIMES.join(", ")}`), RUNTIMES.length), []),
      channels: namesOfOthers,
      env: namesOfOthers,
      bins: namesOfOthers,
      tools: namesOfOthers,
    }),
    {},
  ),
  people: v.optional(
    v.pipe(listOf(filledText(SKILL_LIMITS.nameOfOtherChars), SKILL_LIMITS.names), v.minLength(1, PEOPLE_RULE)),
  ),
} as const;

const FieldsSchema = group(FIELD_SCHEMAS);
/** The checked fields of a file. */
export type SkillFields = v.InferOutput<typeof FieldsSchema>;

/** Checks fields by their names in the file. */
export function checkFields(given: object): v.SafeParseResult<typeof FieldsSchema> {
  return v.safeParse(FieldsSchema, given);
}

/** Keys within a group, by field; for `chain`, those of a step. */
export const KEYS_WITHIN: Readonly<Record<string, readonly string[]>> = {
  triggers: ["intent_patterns", "tool_signals", "context_signals", "confidence_threshold"],
  "triggers.context_signals": ["keywords", "slots"],
  chain: ["skill", "output_as", "input_from", "params"],
  output: ["format", "artifacts", "artifact_type"],
  requires: ["runtimes", "channels", "env", "bins", "tools"],
};

/** Builds a skill from its checked fields. */
export function skillOf(
  fields: SkillFields,
  more: Pick<Skill, "body" | "frontmatter"> & { readonly path?: string | undefined },
): Skill {
  const { triggers, output, chain } = fields;
  return {
    name: fields.name,
    description: fields.description,
    body: more.body,
    ...(triggers && {
      triggers: {
        intentPatterns: triggers.intent_patterns,
        toolSignals: triggers.tool_signals,
        contextSignals: triggers.context_signals,
        confidenceThreshold: triggers.confidence_threshold,
      },
    }),
    priority: fields.priority,
    ...(fields.exclusive_group !== undefined && { exclusiveGroup: fields.exclusive_group }),
    prerequisites: fields.prerequisites,
    maxTokens: fields.max_tokens,
    cooldown: fields.cooldown,
    ...(chain && {
      chain: chain.map((step) => ({
        skill: step.skill,
        ...(step.output_as !== undefined && { outputAs: step.output_as }),
        ...(step.input_from !== undefined && { inputFrom: step.input_from }),
        ...(step.params !== undefined && { params: step.params }),
      })),
    }),
    ...(output && {
      output: {
        ...(output.format !== undefined && { format: output.format }),
        ...(output.artifacts !== undefined && { artifacts: output.artifacts }),
        ...(output.artifact_type !== undefined && { artifactType: output.artifact_type }),
      },
    }),
    requires: fields.requires,
    ...(fields.people && { people: fields.people }),
    frontmatter: more.frontmatter,
    ...(more.path !== undefined && { path: more.path }),
  };
}
