import * as v from "valibot";
import type { ConfigIssue } from "../settings/index.ts";
import type {
  ExplainedMatch,
  InstalledSkill,
  SkillDetail,
  SkillIssue,
  SkillStats,
  SkillView,
  SkillsApi,
  SuggestedSkill,
} from "../skills/index.ts";
import type { Caller } from "./auth.ts";
import { Count, filled, userName } from "./wire.ts";

/** Maximum size of a `SKILL.md`, in characters. */
const MAX_SKILL_CHARACTERS = 262_144;

const Time = v.pipe(v.string(), v.isoTimestamp());
const Share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const user = v.optional(userName("The user, as `channel:id`. Requires an owner's token"));
const SkillText = filled(MAX_SKILL_CHARACTERS, "The text of a SKILL.md: YAML frontmatter and Markdown");

export const ListQuery = v.object({
  user: v.optional(userName("Only for this user, as `channel:id`. Requires an owner's token")),
});
export const RegistryQuery = v.object({ query: v.optional(filled(500, "The search text")) });
export const WriteBody = v.strictObject({ text: SkillText });
export const CheckBody = v.strictObject({
  text: v.pipe(v.string("Expected a text"), v.description("The text of a SKILL.md. May be empty")),
  path: v.optional(filled(1000, "Name of the file, used in messages")),
});
export const FeedbackBody = v.strictObject({ helpful: v.boolean("Expected true or false"), user });
export const SuggestionAnswerBody = v.strictObject({
  answer: v.picklist(["accept", "decline"], "Expected accept or decline"),
});
export const MatchBody = v.strictObject({ text: filled(32_768, "A message"), user });
export const InstallBody = v.strictObject({
  slug: filled(200, "Name of the skill in the registry"),
  registry: v.optional(filled(100, "The registry. Default: the only one that has the skill")),
  version: v.optional(filled(100, "The version. Default: the newest")),
  force: v.optional(v.pipe(v.boolean("Expected true or false"), v.description("Replaces an installed skill"))),
});
export const UpdateBody = v.strictObject({
  force: v.optional(
    v.pipe(v.boolean("Expected true or false"), v.description("Updates a skill even if it was edited by hand")),
  ),
});

export const SkillJson = v.strictObject({
  name: v.string(),
  description: v.string(),
  place: v.picklist(["workspace", "given", "global", "built-in"]),
  source: v.optional(
    v.pipe(v.string(), v.description("`workspace`, or the path of a folder. Only with an owner's token")),
  ),
  priority: v.number(),
  has_triggers: v.pipe(v.boolean(), v.description("Whether the skill has triggers that activate it")),
  missing: v.pipe(v.array(v.string()), v.description("Reasons why the skill is not offered. Empty if it is offered")),
  disabled: v.optional(v.pipe(v.boolean(), v.description("The skill was installed and waits for `enable`"))),
  people: v.optional(
    v.pipe(
      v.array(v.string()),
      v.description("The only users whom the skill is offered to. Only with an owner's token"),
    ),
  ),
  origin: v.optional(v.strictObject({ registry: v.string(), slug: v.string(), version: v.string() })),
});
export const ListJson = v.strictObject({ skills: v.array(SkillJson) });
export const StatsJson = v.strictObject({
  name: v.string(),
  activations: Count,
  helpful: Count,
  not_helpful: Count,
  last_at: v.optional(Time),
});
export const StatsListJson = v.strictObject({ stats: v.array(StatsJson) });
export const DetailJson = v.strictObject({
  ...SkillJson.entries,
  text: v.pipe(v.string(), v.description("The text of its SKILL.md")),
  path: v.optional(
    v.pipe(v.string(), v.description("The file that the skill was read from. Only with an owner's token")),
  ),
  files: v.pipe(v.array(v.string()), v.description("Other files in the skill's folder")),
  stats: StatsJson,
});
const IssueJson = v.strictObject({
  skill: v.optional(v.string()),
  file: v.string(),
  line: v.optional(v.number()),
  column: v.optional(v.number()),
  field: v.optional(v.string()),
  message: v.string(),
  level: v.optional(
    v.pipe(
      v.picklist(["error", "warning", "note"]),
      v.description("`error`: the skill is not loaded. `warning`: it should be fixed. `note`: it may be intended"),
    ),
  ),
});
export const CheckedJson = v.strictObject({ problems: v.array(IssueJson) });
export const MatchesJson = v.strictObject({
  matches: v.array(
    v.strictObject({
      name: v.string(),
      score: v.number(),
      signals: v.array(v.strictObject({ kind: v.string(), matched: v.string(), weight: v.number() })),
      left_out: v.optional(v.pipe(v.string(), v.description("Why the skill would not be activated despite its score"))),
    }),
  ),
});
export const SuggestionsJson = v.strictObject({
  suggestions: v.array(
    v.strictObject({
      id: v.string(),
      user_id: v.string(),
      name: v.string(),
      description: v.string(),
      tool_sequence: v.array(v.string()),
      occurrences: Count,
      success_rate: Share,
      confidence: Share,
      state: v.picklist(["open", "accepted", "declined"]),
    }),
  ),
});
export const SuggestionAnsweredJson = v.strictObject({
  id: v.string(),
  state: v.picklist(["accepted", "declined"]),
  skill: v.optional(v.pipe(v.string(), v.description("The skill that was created"))),
});
export const FoundJson = v.strictObject({
  found: v.array(
    v.strictObject({
      registry: v.string(),
      slug: v.string(),
      name: v.string(),
      description: v.string(),
      version: v.optional(v.string()),
      score: v.number(),
    }),
  ),
  failed: v.pipe(
    v.array(v.strictObject({ registry: v.string(), reason: v.string() })),
    v.description("Registries that could not be reached"),
  ),
});
export const InstalledJson = v.strictObject({
  name: v.string(),
  registry: v.string(),
  slug: v.string(),
  version: v.string(),
  verdict: v.picklist(["clean", "suspicious", "malicious", "unknown"]),
  disabled: v.boolean(),
  findings: v.array(v.strictObject({ file: v.string(), line: v.number(), what: v.string() })),
});
export const UpdatedJson = v.strictObject({ installed: v.nullable(InstalledJson) });
export const VerificationJson = v.strictObject({
  name: v.string(),
  ok: v.boolean(),
  changed: v.array(v.string()),
  missing: v.array(v.string()),
  added: v.array(v.string()),
});

/** Omits a skill's location and its audience unless the caller is the owner. */
export function skillJson(skill: SkillView, { role }: Pick<Caller, "role">): v.InferOutput<typeof SkillJson> {
  const { name, description, place, source, priority, hasTriggers, missing, disabled, people, origin } = skill;
  return {
    name,
    description,
    place,
    ...(role === "owner" && { source }),
    priority,
    has_triggers: hasTriggers,
    missing: [...missing],
    ...(disabled !== undefined && { disabled }),
    ...(role === "owner" && people && { people: [...people] }),
    ...(origin && { origin: { registry: origin.registry, slug: origin.slug, version: origin.version } }),
  };
}

export function detailJson(detail: SkillDetail, caller: Pick<Caller, "role">): v.InferOutput<typeof DetailJson> {
  const { skill, text, files, stats } = detail;
  return {
    ...skillJson(detail, caller),
    text,
    ...(caller.role === "owner" && skill.path !== undefined && { path: skill.path }),
    files: [...files],
    stats: statsJson(stats),
  };
}

export function statsJson(stats: SkillStats): v.InferOutput<typeof StatsJson> {
  const { name, activations, helpful, notHelpful, lastAtMs } = stats;
  return {
    name,
    activations,
    helpful,
    not_helpful: notHelpful,
    ...(lastAtMs !== undefined && { last_at: new Date(lastAtMs).toISOString() }),
  };
}

export function issueJson(issue: SkillIssue | ConfigIssue): v.InferOutput<typeof IssueJson> {
  const { file, line: at, column, path, message } = issue;
  // Error texts begin with the field, which is a separate member here.
  const begin = path === undefined || path === "" ? "" : `${path}: `;
  return {
    ...("skill" in issue && issue.skill !== undefined && { skill: issue.skill }),
    file,
    ...(at !== undefined && { line: at }),
    ...(column !== undefined && { column }),
    ...(path !== undefined && path !== "" && { field: path }),
    message: message.startsWith(begin) ? message.slice(begin.length) : message,
    ...("level" in issue && issue.level !== undefined && { level: issue.level }),
  };
}

export function checkedJson(issues: readonly SkillIssue[]): v.InferOutput<typeof CheckedJson> {
  return { problems: issues.map(issueJson) };
}

export function matchJson(match: ExplainedMatch): v.InferOutput<typeof MatchesJson>["matches"][number] {
  const { name, score, signals, leftOut } = match;
  return {
    name,
    score,
    signals: signals.map(({ kind, matched, weight }) => ({ kind, matched, weight })),
    ...(leftOut !== undefined && { left_out: leftOut }),
  };
}

export function suggestionJson(
  suggestion: SuggestedSkill,
): v.InferOutput<typeof SuggestionsJson>["suggestions"][number] {
  const { id, userId, name, description, toolSequence, occurrences, successRate, confidence, state } = suggestion;
  return {
    id,
    user_id: userId,
    name,
    description,
    tool_sequence: [...toolSequence],
    occurrences,
    success_rate: successRate,
    confidence,
    state,
  };
}

export function foundJson({ found, failed }: Awaited<ReturnType<SkillsApi["find"]>>): v.InferOutput<typeof FoundJson> {
  return {
    found: found.map(({ registry, slug, name, description, version, score }) => ({
      registry,
      slug,
      name,
      description,
      ...(version !== undefined && { version }),
      score,
    })),
    failed: failed.map(({ registry, reason }) => ({ registry, reason })),
  };
}

export function installedJson(installed: InstalledSkill): v.InferOutput<typeof InstalledJson> {
  const { name, registry, slug, version, verdict, disabled, findings } = installed;
  return {
    name,
    registry,
    slug,
    version,
    verdict,
    disabled,
    findings: findings.map(({ file, line: at, what }) => ({ file, line: at, what })),
  };
}
