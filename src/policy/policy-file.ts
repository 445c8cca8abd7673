import type { ConfigWarning } from "../settings/index.ts";

/** Matches tools: all of a group, one by its full name, or all with the prefix before a final `*`. */
export type PolicyRule = { readonly group: string } | { readonly tool: string };

/**
 * Rules of a profile. A deny rule that matches a tool refuses it. Otherwise an empty `allow` allows all tools, and
 * any other only those that it matches.
 */
export interface ToolRules {
  /** Takes precedence over `allow`. */
  readonly deny: readonly PolicyRule[];
  /** Empty: all tools that are not denied. */
  readonly allow: readonly PolicyRule[];
}

/** Callers that a profile is for: every given list must match. */
export interface ProfileMatch {
  /** Names of channels, such as `telegram`. */
  readonly channels?: readonly string[];
  /** The caller must have at least one of these roles. */
  readonly roles?: readonly string[];
  /** Prefixes of session keys. */
  readonly sessions?: readonly string[];
}

/** Tool rules for a set of callers. */
export interface PolicyProfile {
  /** Unique in a file. `default` names the fallback profile. */
  readonly name: string;
  /** Empty: the profile matches every caller. */
  readonly match: ProfileMatch;
  /** Tools that matching callers may run. */
  readonly policy: ToolRules;
}

/** A tool policy, checked by `parsePolicy`. Source: docs/policy.md. */
export interface PolicyFile {
  /** Version of the format. */
  readonly version: 1;
  /** In order: the first profile that matches decides. Names of groups have no prefix `group:`. */
  readonly profiles: readonly PolicyProfile[];
  /** Decision if no profile matches and there is no `default`. */
  readonly fallback: "deny" | "allow";
  /** Path of the file that the policy was read from, if any. */
  readonly file?: string;
  /** Parts of the policy that are valid but probably mistakes; `line` is 0 for a policy that was given as an object. */
  readonly warnings: readonly ConfigWarning[];
}

/** A policy as an object, before it is checked. */
export interface PolicyInput {
  /** Version of the format. Default 1. */
  readonly version?: 1;
  /** In order: the first profile that matches decides. Missing rules are empty lists. */
  readonly profiles: readonly {
    readonly name: string;
    readonly match?: ProfileMatch;
    readonly policy: Partial<ToolRules>;
  }[];
  /** Decision if no profile matches and there is no `default`. Default `deny`. */
  readonly fallback?: "deny" | "allow";
}

/** The text of a policy file, or a policy as an object. */
export type PolicySource = string | PolicyInput;

/** Name of the fallback profile, which is never matched. */
export const DEFAULT_PROFILE = "default";
