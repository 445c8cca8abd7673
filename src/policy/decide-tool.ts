import { DEFAULT_PROFILE } from "./policy-file.ts";
import type { PolicyFile, PolicyProfile, PolicyRule, ProfileMatch } from "./policy-file.ts";
import { SHIPPED_POLICY } from "./shipped-policy.ts";
import { groupsOf } from "./tool-groups.ts";

/**
 * The caller of a tool, as the runtime knows it: no field comes from a message, a model or a caller's JSON. An
 * unknown or empty field matches no profile.
 */
export interface PolicySubject {
  /** Name of the channel, such as `telegram`. */
  readonly channel?: string;
  /** Roles of the person. Default: none. */
  readonly roles?: readonly string[];
  /** Session of the call. */
  readonly sessionKey?: string;
  /**
   * The caller that started this one (for a sub-agent's session, the owner of a job). A caller never gets more than
   * the one that started it.
   */
  readonly startedBy?: PolicySubject;
}

/** Whether a tool may run, and the reason. */
export interface PolicyDecision {
  /** False if any caller in the chain is refused. */
  readonly allowed: boolean;
  /** Name of the profile that decided; `null` if there was none. */
  readonly profile: string | null;
  /** The rule and profile that decided, for people, without a full stop. */
  readonly reason: string;
}

/** The fields of a tool that rules match. */
export interface JudgedTool {
  /** Full name, such as `node:shell`. */
  readonly name: string;
  /** Groups without the prefix `group:`. */
  readonly groups: readonly string[];
}

/** Longest chain of callers that started one another; longer ones are refused. */
const MAX_CHAIN = 32;

/**
 * Decides whether a tool may run for a caller. Pure: the same answer for the list that the model sees and for the
 * call.
 *
 * Source: docs/policy.md, "How a decision is made".
 *
 * @param policy From `parsePolicy`; `undefined` for the shipped profiles.
 * @example
 * ```ts
 * const policy = parsePolicy("profiles: [{ name: default, policy: { deny: [{ group: exec }] } }]");
 * decideTool(policy, { tool: { name: "bash", category: "exec" }, channel: "lark" });
 * // { allowed: false, profile: "default", reason: 'profile "default" denies group exec' }
 * ```
 */
export function decideTool(
  policy: PolicyFile | undefined,
  request: PolicySubject & {
    readonly tool: { readonly name: string; readonly tags?: readonly string[]; readonly category?: string };
  },
): PolicyDecision {
  const file = policy ?? SHIPPED_POLICY;
  const tool = { name: request.tool.name, groups: groupsOf(request.tool) };
  return decideChain(request, (link) => {
    const profile = profileFor(file, link);
    return profile === undefined ? withoutProfile(file) : decideByProfile(profile, tool);
  });
}

/** Decides for a whole chain of callers. All must be allowed; the first refusal decides. */
export function decideChain(subject: PolicySubject, decide: (link: PolicySubject) => PolicyDecision): PolicyDecision {
  const own = decide(subject);
  if (!own.allowed) return own;
  let link = subject.startedBy;
  for (let length = 1; link !== undefined; length += 1) {
    if (length > MAX_CHAIN)
      return { allowed: false, profile: null, reason: `more than ${MAX_CHAIN} callers started one another` };
    const decision = decide(link);
    if (!decision.allowed) return { ...decision, reason: `${decision.reason}, for the caller that started this one` };
    link = link.startedBy;
  }
  return own;
}

/** Returns the first profile that matches, else `default` at any position, else `undefined`. */
export function profileFor(file: PolicyFile, subject: PolicySubject): PolicyProfile | undefined {
  let fallback: PolicyProfile | undefined;
  for (const profile of file.profiles) {
    if (profile.name === DEFAULT_PROFILE) fallback = profile;
    else if (matches(profile.match, subject)) return profile;
  }
  return fallback;
}

export function withoutProfile(file: PolicyFile): PolicyDecision {
  if (file.fallback === "allow")
    return { allowed: true, profile: null, reason: "no profile matches, and fallback is allow" };
  return { allowed: false, profile: null, reason: "no profile matches, and there is no default" };
}

export function decideByProfile({ name, policy }: PolicyProfile, tool: JudgedTool): PolicyDecision {
  const denial = findCovering(policy.deny, tool);
  if (denial) return { allowed: false, profile: name, reason: `profile "${name}" denies ${ruleText(denial)}` };
  if (policy.allow.length === 0)
    return { allowed: true, profile: name, reason: `profile "${name}" allows what it does not deny` };
  const permit = findCovering(policy.allow, tool);
  if (permit) return { allowed: true, profile: name, reason: `profile "${name}" allows ${ruleText(permit)}` };
  return { allowed: false, profile: name, reason: `profile "${name}" allows only what it lists` };
}

function findCovering(rules: readonly PolicyRule[], tool: JudgedTool): PolicyRule | undefined {
  for (const rule of rules) if (covers(rule, tool)) return rule;
  return undefined;
}

function covers(rule: PolicyRule, { name, groups }: JudgedTool): boolean {
  if ("group" in rule) return rule.group !== "" && groups.includes(rule.group);
  return rule.tool.endsWith("*") ? name.startsWith(rule.tool.slice(0, -1)) : rule.tool === name && name !== "";
}

function matches({ channels, roles, sessions }: ProfileMatch, subject: PolicySubject): boolean {
  if (channels && !(isSaid(subject.channel) && channels.includes(subject.channel))) return false;
  if (roles && !subject.roles?.some((role) => isSaid(role) && roles.includes(role))) return false;
  if (!sessions) return true;
  const { sessionKey } = subject;
  return isSaid(sessionKey) && sessions.some((start) => isSaid(start) && sessionKey.startsWith(start));
}

function isSaid(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}

function ruleText(rule: PolicyRule): string {
  return "group" in rule ? `group ${rule.group}` : `tool ${rule.tool}`;
}
