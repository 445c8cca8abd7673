import { AssistantError, messageOf } from "../errors.ts";
import {
  type JudgedTool,
  type PolicyDecision,
  type PolicySubject,
  decideByProfile,
  decideChain,
  profileFor,
  withoutProfile,
} from "./decide-tool.ts";
import type { ParsePolicyOptions } from "./parse-policy.ts";
import type { PolicyFile, PolicyProfile, PolicySource } from "./policy-file.ts";
import { SHIPPED_POLICY } from "./shipped-policy.ts";

/** Result of an attempt to replace the policy. */
export interface PolicyChange {
  /** Source of the new policy. */
  readonly file: string;
  readonly verdict: "ok" | "failed";
  /** Why it failed; the old policy stays in use. */
  readonly reason?: string;
  readonly profiles?: readonly string[];
}

export interface PolicyOptions {
  /** The policy at the start. Default: the shipped profiles. */
  readonly file?: PolicyFile | undefined;
  /** Parses the argument of `replace`: `parsePolicy`. */
  readonly parse: (source: PolicySource, options: ParsePolicyOptions) => PolicyFile;
  /** Called at each `replace` for the names that need no warning. */
  readonly known?: () => ParsePolicyOptions["known"];
  /** Called for every `replace`, for the audit. */
  readonly onChange?: (change: PolicyChange) => void;
}

export interface Policy {
  /** The policy in use. */
  readonly current: PolicyFile;
  /** As `decideTool`. Contract: a tool object's name and groups never change; a changed tool is another object. */
  decide(tool: JudgedTool, subject: PolicySubject): PolicyDecision;
  /** Returns the name of the profile for a caller, without the callers that started it; `null` if there is none. */
  profileFor(subject: PolicySubject): string | null;
  /**
   * Replaces the policy, for every call from now on.
   * @returns The policy, with its warnings.
   * @throws As `parsePolicy`; the old policy then stays in use.
   */
  replace(source: PolicySource, options?: { readonly file?: string }): PolicyFile;
}

/** Creates a policy that caches its decisions and can be replaced while the assistant runs. */
export function createPolicy({ file, parse, known = () => undefined, onChange = () => {} }: PolicyOptions): Policy {
  let current = file ?? SHIPPED_POLICY;
  let decided = newMemory();

  /** Cache of decisions by profile and tool. Weak, so that removed tools are released. */
  function newMemory() {
    return new Map<PolicyProfile, WeakMap<JudgedTool, PolicyDecision>>();
  }

  function decideLink(tool: JudgedTool, subject: PolicySubject): PolicyDecision {
    const profile = profileFor(current, subject);
    if (profile === undefined) return withoutProfile(current);
    let ofProfile = decided.get(profile);
    if (ofProfile === undefined) decided.set(profile, (ofProfile = new WeakMap()));
    let decision = ofProfile.get(tool);
    if (decision === undefined) ofProfile.set(tool, (decision = decideByProfile(profile, tool)));
    return decision;
  }

  return {
    get current(): PolicyFile {
      return current;
    },
    decide(tool, subject) {
      if (subject.startedBy === undefined) return decideLink(tool, subject);
      return decideChain(subject, (link) => decideLink(tool, link));
    },
    profileFor(subject) {
      if (typeof subject !== "object" || subject === null)
        throw new AssistantError(
          "OPTION_INVALID",
          `Invalid subject for policy.profileFor(): expected an object, got ${JSON.stringify(subject)}`,
        );
      return profileFor(current, subject)?.name ?? null;
    },
    replace(source, given) {
      const options = given ?? {};
      const from = options.file ?? "the host program";
      const names = known();
      let next: PolicyFile;
      try {
        next = parse(source, { ...options, ...(names && { known: names }) });
      } catch (error) {
        onChange({ file: from, verdict: "failed", reason: messageOf(error) });
        throw error;
      }
      current = next;
      decided = newMemory();
      onChange({ file: from, verdict: "ok", profiles: next.profiles.map(({ name }) => name) });
      return next;
    },
  };
}
