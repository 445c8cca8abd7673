import { AssistantError } from "../errors.ts";
import type { YamlLibrary } from "../libraries.ts";
import { ConfigError, type ConfigIssue, type ConfigWarning, type OptionPath } from "../settings/index.ts";
import { checkOptions, pathText, readYaml } from "../settings/index.ts";
import { type KnownNames, createNameCheck } from "./known-names.ts";
import { DEFAULT_PROFILE } from "./policy-file.ts";
import type { PolicyFile, PolicyInput, PolicyProfile, PolicyRule, PolicySource } from "./policy-file.ts";
import { plainRule, policyKeys } from "./policy-keys.ts";

/** Options of `parsePolicy`. */
export interface ParsePolicyOptions {
  /** Name of the file in messages. Default `policy.yaml`. */
  readonly file?: string;
  /** Tools and groups besides the built-in ones; other names get a warning. */
  readonly known?: KnownNames;
}

/** A policy after the schema check. */
interface CheckedPolicy {
  readonly profiles: readonly {
    readonly name: string;
    readonly match?: PolicyProfile["match"];
    readonly policy: { readonly deny?: readonly RuleKeys[]; readonly allow?: readonly RuleKeys[] };
  }[];
  readonly fallback?: "deny" | "allow";
}
type RuleKeys = Parameters<typeof plainRule>[0];
type Warn = (path: OptionPath, message: string) => void;

/**
 * Reads and checks a tool policy: the text of a policy file, or an object of the same shape. A parsed policy is
 * returned with the same content.
 *
 * Source: docs/policy.md.
 *
 * @param yaml Returns the YAML library; called only for a text.
 * @throws {ConfigError} For a text: everything that is wrong, each with file, line and column.
 * @throws {AssistantError} `OPTION_INVALID` for an object, with everything that is wrong.
 * @example
 * ```ts
 * const policy = parsePolicy("profiles: [{ name: default, policy: { deny: [{ group: exek }] } }]");
 * policy.warnings; // [{ line: 1, path: "profiles[0].policy.deny[0].group", message: 'Unknown group "exek": did you mean "exec"?' }]
 * ```
 */
export function parsePolicy(source: PolicySource, options: ParsePolicyOptions, yaml: () => YamlLibrary): PolicyFile {
  return typeof source === "string" ? parseText(source, yaml(), options) : parsePolicyObject(source, options);
}

function parseText(
  source: string,
  library: YamlLibrary,
  { file = "policy.yaml", known }: ParsePolicyOptions,
): PolicyFile {
  const read = readYaml(source, library);
  const issues: ConfigIssue[] = read.problems.map((problem) => ({ file, ...problem }));
  if (issues.length > 0 && Object.keys(read.value ?? {}).length === 0) throw new ConfigError(issues);
  const checked = checkOptions(policyKeys, read.value, {
    style: "file",
    issue: (path, message, of) =>
      void issues.push({ file, ...read.positionOf(path, of), path: pathText(path), message }),
    warning: () => {},
    written: read.written,
  });
  if (issues.length > 0) throw new ConfigError(issues);
  const warnings: ConfigWarning[] = [];
  const policy = policyOf(checked as unknown as CheckedPolicy);
  warnOf(policy, known, (path, message) =>
    warnings.push({ line: read.positionOf(path).line, path: pathText(path), message }),
  );
  return { ...policy, file, warnings: warnings.sort((a, b) => a.line - b.line) };
}

/** As `parsePolicy`, but only for objects, so it needs no YAML. */
export function parsePolicyObject(source: PolicyInput, options: ParsePolicyOptions = {}): PolicyFile {
  const issues: string[] = [];
  const { given, before } = apart(source);
  const checked = checkOptions(policyKeys, given, {
    style: "sdk",
    issue: (path, message) =>
      void issues.push(
        path.length === 0 ? message.replace(/^expected/, "expected YAML text or an object with") : message,
      ),
    warning: () => {},
  });
  if (issues.length > 0) throw new AssistantError("OPTION_INVALID", `Invalid tool policy: ${issues.join("; ")}`);
  const policy = policyOf(checked as unknown as CheckedPolicy);
  const file = options.file ?? before.file;
  const warnings: ConfigWarning[] = [...(before.warnings ?? [])];
  if (before.warnings === undefined)
    warnOf(policy, options.known, (path, message) => warnings.push({ line: 0, path: pathText(path), message }));
  return { ...policy, ...(file !== undefined && { file }), warnings };
}

/** Separates the policy from the results of an earlier parse. */
function apart(source: unknown): {
  readonly given: unknown;
  readonly before: Pick<Partial<PolicyFile>, "file" | "warnings">;
} {
  if (typeof source !== "object" || source === null || Array.isArray(source)) return { given: source, before: {} };
  const { file, warnings, ...given } = source as Partial<PolicyFile>;
  return { given, before: { ...(file !== undefined && { file }), ...(warnings && { warnings }) } };
}

function policyOf({ profiles, fallback = "deny" }: CheckedPolicy): Omit<PolicyFile, "warnings"> {
  return {
    version: 1,
    profiles: profiles.map(({ name, match = {}, policy: { deny = [], allow = [] } }) => ({
      name,
      match,
      policy: { deny: deny.map(plainRule), allow: allow.map(plainRule) },
    })),
    fallback,
  };
}

/** Reports parts of a policy that are valid but probably mistakes. */
function warnOf({ profiles, fallback }: Omit<PolicyFile, "warnings">, known: KnownNames | undefined, warn: Warn): void {
  const wrongName = createNameCheck(known);
  const checkRules = (rules: readonly PolicyRule[], path: OptionPath) =>
    rules.forEach((rule, index) => {
      const message = wrongName(rule);
      if (message !== undefined) warn([...path, index, "group" in rule ? "group" : "tool"], message);
    });
  let taken: string | undefined;
  profiles.forEach(({ name, match, policy }, index) => {
    const path = ["profiles", index];
    checkRules(policy.deny, [...path, "policy", "deny"]);
    checkRules(policy.allow, [...path, "policy", "allow"]);
    if (name === DEFAULT_PROFILE) {
      if (Object.keys(match).length > 0)
        warn([...path, "match"], "The profile default is only a fallback: its match has no effect");
      return;
    }
    if (taken !== undefined)
      warn(
        path,
        `The profile ${JSON.stringify(name)} is never reached: ${JSON.stringify(taken)} before it matches every caller`,
      );
    else if (Object.keys(match).length === 0) taken = name;
    warnOfMatch(match, path, warn);
  });
  if (profiles.length === 0)
    warn(["profiles"], `There are no profiles, so every tool is ${fallback === "allow" ? "allowed" : "refused"}`);
}

function warnOfMatch(match: PolicyProfile["match"], path: OptionPath, warn: Warn): void {
  for (const [field, values] of Object.entries(match) as [string, readonly string[]][]) {
    if (values.length === 0) warn([...path, "match", field], `An empty list of ${field} matches no caller`);
    values.forEach((value, index) => {
      if (!value.includes("*")) return;
      const meaning = field === "sessions" ? "the start of a key is enough, without it" : "names are compared exactly";
      warn([...path, "match", field, index], `The * in ${JSON.stringify(value)} has no meaning here: ${meaning}`);
    });
  }
}
