import type { FoundSkill } from "./registry.ts";
import type { Skill } from "./skill.ts";

/**
 * Where a skill is stored: in the store, in a folder that the host gave, in the home folder of the machine's user, or
 * in Wakeful itself.
 */
export type SkillPlace = "workspace" | "given" | "global" | "built-in";

/** A skill as lists show it. */
export interface SkillView {
  readonly name: string;
  readonly description: string;
  readonly place: SkillPlace;
  /** Name of the source, as `workspace` or a folder's path. */
  readonly source: string;
  readonly priority: number;
  /** Whether it can activate by itself. */
  readonly hasTriggers: boolean;
  /** Why it is not offered, in words; empty if it is. */
  readonly missing: readonly string[];
  /** Whether it is an installed skill that its registry calls suspicious and that waits for `enable`. */
  readonly disabled?: boolean;
  /** Users of memory to whom alone it is offered; absent: everyone. */
  readonly people?: readonly string[];
  /** The registry that it was installed from, and its version. */
  readonly origin?: { readonly registry: string; readonly slug: string; readonly version: string };
}

/** One skill with its text, files and statistics. */
export interface SkillDetail extends SkillView {
  readonly skill: Skill;
  /** Its `SKILL.md`. */
  readonly text: string;
  /** Files next to it, if known. */
  readonly files: readonly string[];
  readonly stats: SkillStats;
}

/** How often a skill was activated, and the verdicts on it. */
export interface SkillStats {
  readonly name: string;
  readonly activations: number;
  readonly helpful: number;
  readonly notHelpful: number;
  /** When it was last activated, in milliseconds since the epoch; absent: never. */
  readonly lastAtMs?: number;
}

/** Something wrong with a skill that was found or checked. */
export interface SkillIssue {
  /** The skill's folder; absent if unknown. */
  readonly skill?: string;
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** From 1; absent if only the line is known. */
  readonly column?: number;
  /** The field, as `triggers.intent_patterns[0]`. */
  readonly path?: string;
  /** What is wrong and how to fix it. */
  readonly message: string;
  /**
   * `error`: the skill is not loaded. `warning`: it is loaded, and something should be fixed. `note`: it may be
   * intended. Default `error`.
   */
  readonly level?: "error" | "warning" | "note";
}

/** Whether a skill would activate for a message, and why. */
export interface ExplainedMatch {
  readonly name: string;
  readonly score: number;
  /** The signals that make up the score. */
  readonly signals: readonly { readonly kind: string; readonly matched: string; readonly weight: number }[];
  /** Why it does not activate in spite of its score; absent if it does. */
  readonly leftOut?: string;
}

/** Work that a person does often and that could become a skill. */
export interface SuggestedSkill {
  readonly id: string;
  /** The memory user whose work it is. */
  readonly userId: string;
  readonly name: string;
  readonly description: string;
  /** The tools, in their order. */
  readonly toolSequence: readonly string[];
  readonly occurrences: number;
  /** 0 to 1. */
  readonly successRate: number;
  /** 0 to 1. */
  readonly confidence: number;
  readonly state: "open" | "accepted" | "declined";
}

/** Result of an installation. */
export interface InstalledSkill {
  readonly name: string;
  readonly registry: string;
  readonly slug: string;
  readonly version: string;
  readonly verdict: "clean" | "suspicious" | "malicious" | "unknown";
  /** Whether it waits for `enable`, because its registry calls it suspicious. */
  readonly disabled: boolean;
  /** Places in its files that need another look. */
  readonly findings: readonly { readonly file: string; readonly line: number; readonly what: string }[];
}

/** How an installed skill differs from what was installed. */
export interface SkillVerification {
  readonly name: string;
  readonly ok: boolean;
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  readonly added: readonly string[];
}

/** `assistant.skills`. Source: docs/skills.md. */
export interface SkillsApi {
  /**
   * All skills, including those that are not offered. With `user` (`channel:id`), only those offered to that person.
   */
  list(scope?: { readonly user?: string }): Promise<readonly SkillView[]>;
  /** One skill, with its text. @throws {AssistantError} `NOT_FOUND`. */
  show(name: string): Promise<SkillDetail>;
  /**
   * What is wrong with files that were found, as they were last read, and which skills are hidden by another of the
   * same name.
   */
  problems(): Promise<readonly SkillIssue[]>;
  /** Checks the text of a `SKILL.md` by itself, without storing it. `path`: the file's, for messages. */
  check(text: string, options?: { readonly path?: string }): readonly SkillIssue[];
  /**
   * Which skills would activate for a message, and why; records nothing. With `user` (`channel:id`), only those
   * offered to that person.
   */
  match(input: { readonly text: string; readonly user?: string }): Promise<readonly ExplainedMatch[]>;
  /**
   * Stores a `SKILL.md` in the workspace under its name, and replaces an existing one. @throws {ConfigError} If
   * something in it is wrong.
   */
  write(text: string): Promise<SkillView>;
  /**
   * Removes a skill of the workspace with its folder. @throws {AssistantError} `NOT_FOUND`; `FORBIDDEN` for skills of
   * other places.
   */
  remove(name: string): Promise<void>;
  /**
   * Stores a person's verdict on the last activation of the skill for them; a later verdict replaces it. @throws
   * {AssistantError} `NOT_FOUND` if it was not activated for them.
   */
  feedback(name: string, verdict: { readonly user: string; readonly helpful: boolean }): Promise<SkillStats>;
  /** Statistics of every skill that was ever activated, the most frequent first. */
  stats(): Promise<readonly SkillStats[]>;
  /** Work that could become a skill; with `user` (`channel:id`), only that person's. */
  suggestions(scope?: { readonly user?: string }): Promise<readonly SuggestedSkill[]>;
  /**
   * Turns a suggestion into a skill. @returns Its name. @throws {AssistantError} `NOT_FOUND`; `FORBIDDEN` for another
   * person's suggestion.
   */
  accept(id: string, by: { readonly user: string }): Promise<string>;
  /** Declines a suggestion for good. @throws {AssistantError} As `accept`. */
  decline(id: string, by: { readonly user: string }): Promise<void>;
  /**
   * Searches the registries. `failed`: registries that could not be asked, and why. @throws {AssistantError}
   * `NOT_FOUND` if none is configured.
   */
  find(query: string): Promise<{
    readonly found: readonly (FoundSkill & { readonly registry: string })[];
    readonly failed: readonly { readonly registry: string; readonly reason: string }[];
  }>;
  /**
   * Installs a skill into the workspace. @throws {AssistantError} If something is wrong with the archive, the name or
   * the registry.
   */
  install(wanted: {
    readonly slug: string;
    readonly registry?: string;
    readonly version?: string;
    readonly force?: boolean;
  }): Promise<InstalledSkill>;
  /**
   * Installs the newest version of an installed skill. @returns `null` if it is the newest. @throws {AssistantError}
   * As `install`; `CONFLICT` without `force` for a skill that was edited by hand.
   */
  update(name: string, options?: { readonly force?: boolean }): Promise<InstalledSkill | null>;
  /**
   * Compares an installed skill with what was installed. @throws {AssistantError} `NOT_FOUND` for a skill that was
   * not installed.
   */
  verify(name: string): Promise<SkillVerification>;
  /** Offers an installed skill that its registry calls suspicious. @throws {AssistantError} `NOT_FOUND`. */
  enable(name: string): Promise<void>;
  /** Makes the next use read all sources again. */
  invalidate(): void;
}
