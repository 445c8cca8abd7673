import type { ConfigWarning } from "../settings/index.ts";

/** Covers tools: all of a group, one by its full name, or all whose name starts with what stands before a final `*`. */
export type PolicyRule = { readonly group: string } | { readonly tool: string };

/** A deny rule that covers a tool refuses it; else an empty `allow` lets it through, and any other only what it covers. */
export interface ToolRules {
  /** Wins over `allow`. */
  readonly deny: readonly PolicyRule[];
  /** Empty: whatever is not denied. */
  readonly allow: readonly PolicyRule[];
}

/** Whom a profile is for: every list that is given must have a hit. */
export interface ProfileMatch {
  /** Names of channels, as `telegram`. */
  readonly channels?: readonly string[];
  /** Roles of which the caller has one at least. */
  readonly roles?: readonly string[];
  /** What session keys start with. */
  readonly sessions?: readonly string[];
}

/** Which tools are for whom. */
export interface PolicyProfile {
  /** Not twice in one file. `default` is the one that is fallen back to. */
  readonly name: string;
  /** Empty: it matches everyone. */
  readonly match: ProfileMatch;
  /** What callers that match may run. */
  readonly policy: ToolRules;
}

/** A tool policy, checked by `parsePolicy`. Source: docs/policy.md. */
export interface PolicyFile {
  /** Of the format. */
  readonly version: 1;
  /** In their order: the first that matches decides. Names of groups stand without `group:`. */
  readonly profiles: readonly PolicyProfile[];
  /** What becomes of calls that no profile matches when there is no `default`. */
  readonly fallback: "deny" | "allow";
  /** Where it was read from, if it was a file. */
  readonly file?: string;
  /** What is allowed in a policy but most likely a mistake; `line` is 0 for a policy that was given as an object. */
  readonly warnings: readonly ConfigWarning[];
}

/** A policy as an object, before it is checked. */
export interface PolicyInput {
  /** Of the format. Default 1. */
  readonly version?: 1;
  /** In their order: the first that matches decides. Missing rules are empty lists. */
  readonly profiles: readonly {
    readonly name: string;
    readonly match?: ProfileMatch;
    readonly policy: Partial<ToolRules>;
  }[];
  /** Default `deny`. */
  readonly fallback?: "deny" | "allow";
}

/** The text of a policy file, or a policy as an object. */
export type PolicySource = string | PolicyInput;

/** The profile that is never matched, only fallen back to. */
export const DEFAULT_PROFILE = "default";
