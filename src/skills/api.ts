import type { FoundSkill } from "./registry.ts";
import type { Skill } from "./skill.ts";

/** Where a skill lies: in the store, in a folder that the host gave, in the folder of the machine's user, or in Wakeful itself. */
export type SkillPlace = "workspace" | "given" | "global" | "built-in";

/** A skill as lists show it. */
export interface SkillView {
  readonly name: string;
  readonly description: string;
  readonly place: SkillPlace;
  /** Of the source, as `workspace` or a folder's path. */
  readonly source: string;
  readonly priority: number;
  /** It comes by itself. */
  readonly hasTriggers: boolean;
  /** Why it is not offered, in words; empty when it is. */
  readonly missing: readonly string[];
  /** It was installed, its registry calls it suspicious, and it waits for `enable`. */
  readonly disabled?: boolean;
  /** Users of memory for whom alone it is offered; absent: everybody. */
  readonly people?: readonly string[];
  /** The registry that it was installed from, and its version. */
  readonly origin?: { readonly registry: string; readonly slug: string; readonly version: string };
}

/** One skill, whole. */
export interface SkillDetail extends SkillView {
  readonly skill: Skill;
  /** Its `SKILL.md`. */
  readonly text: string;
  /** Files beside it, where they are known. */
  readonly files: readonly string[];
  readonly stats: SkillStats;
}

/** How often a skill came, and what people said of it. */
export interface SkillStats {
  readonly name: string;
  readonly activations: number;
  readonly helpful: number;
  readonly notHelpful: number;
  /** When it last came, milliseconds since the epoch; absent: never. */
  readonly lastAtMs?: number;
}

/** Something wrong with a skill that was found, or that is looked at. */
export interface SkillIssue {
  /** The skill's folder; absent where that is not known. */
  readonly skill?: string;
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** From 1; absent where only the line is known. */
  readonly column?: number;
  /** The field, as `triggers.intent_patterns[0]`. */
  readonly path?: string;
  /** What is wrong and how to mend it. */
  readonly message: string;
  /** `error`: the skill is not loaded. `warning`: it is, and something should be mended. `note`: it may be meant so. Default `error`. */
  readonly level?: "error" | "warning" | "note";
}

/** Whether a skill would come for a message, and why. */
export interface ExplainedMatch {
  readonly name: string;
  readonly score: number;
  /** What the score is made of. */
  readonly signals: readonly { readonly kind: string; readonly matched: string; readonly weight: number }[];
  /** Why it does not come all the same; absent when it does. */
  readonly leftOut?: string;
}

/** Work that a person does often, which could be a skill. */
export interface SuggestedSkill {
  readonly id: string;
  /** Whose work it is, as a user of memory. */
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

/** What became of an installation. */
export interface InstalledSkill {
  readonly name: string;
  readonly registry: string;
  readonly slug: string;
  readonly version: string;
  readonly verdict: "clean" | "suspicious" | "malicious" | "unknown";
  /** Waits for `enable`: its registry calls it suspicious. */
  readonly disabled: boolean;
  /** What a look at its files found that deserves another look. */
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
  /** All skills, those too that are not offered. With `user` (`channel:id`) only what that person is offered. */
  list(scope?: { readonly user?: string }): Promise<readonly SkillView[]>;
  /** One skill, with its text. @throws {AssistantError} `NOT_FOUND`. */
  show(name: string): Promise<SkillDetail>;
  /** What is wrong with files that were found, as they were last read, and which skills are not used since another one has their name. */
  problems(): Promise<readonly SkillIssue[]>;
  /** Looks at the text of a `SKILL.md` alone, without keeping it. `path`: the file's, for messages. */
  check(text: string, options?: { readonly path?: string }): readonly SkillIssue[];
  /** Which skills would come for a message, and why; nothing is recorded. With `user` (`channel:id`) only of what that person is offered. */
  match(input: { readonly text: string; readonly user?: string }): Promise<readonly ExplainedMatch[]>;
  /** Keeps a `SKILL.md` in the workspace under its name, and replaces the one that is there. @throws {ConfigError} For what is wrong with it. */
  write(text: string): Promise<SkillView>;
  /** Removes a skill of the workspace with its folder. @throws {AssistantError} `NOT_FOUND`; `FORBIDDEN` for skills of other places. */
  remove(name: string): Promise<void>;
  /** One person's verdict on the last time that the skill came for them; a later one takes its place. @throws {AssistantError} `NOT_FOUND` when it did not come for them. */
  feedback(name: string, verdict: { readonly user: string; readonly helpful: boolean }): Promise<SkillStats>;
  /** Of every skill that ever came, the most frequent first. */
  stats(): Promise<readonly SkillStats[]>;
  /** What people could make a skill of; with `user` (`channel:id`) only that person's. */
  suggestions(scope?: { readonly user?: string }): Promise<readonly SuggestedSkill[]>;
  /** Makes a skill of a suggestion. @returns Its name. @throws {AssistantError} `NOT_FOUND`; `FORBIDDEN` when it is another person's. */
  accept(id: string, by: { readonly user: string }): Promise<string>;
  /** The suggestion does not come again. @throws {AssistantError} As `accept`. */
  decline(id: string, by: { readonly user: string }): Promise<void>;
  /** What the registries have. `failed`: those that could not be asked, and why. @throws {AssistantError} `NOT_FOUND` when none is configured. */
  find(query: string): Promise<{
    readonly found: readonly (FoundSkill & { readonly registry: string })[];
    readonly failed: readonly { readonly registry: string; readonly reason: string }[];
  }>;
  /** Installs a skill into the workspace. @throws {AssistantError} With what is wrong with the archive, the name or the registry. */
  install(wanted: {
    readonly slug: string;
    readonly registry?: string;
    readonly version?: string;
    readonly force?: boolean;
  }): Promise<InstalledSkill>;
  /** Installs the newest version of an installed skill. @returns `null` when it is the newest. @throws {AssistantError} As `install`; `CONFLICT` for one that was edited by hand, without `force`. */
  update(name: string, options?: { readonly force?: boolean }): Promise<InstalledSkill | null>;
  /** Compares an installed skill with what was installed. @throws {AssistantError} `NOT_FOUND` for one that was not installed. */
  verify(name: string): Promise<SkillVerification>;
  /** Offers an installed skill that its registry calls suspicious. @throws {AssistantError} `NOT_FOUND`. */
  enable(name: string): Promise<void>;
  /** Reads all sources again with the next use. */
  invalidate(): void;
}
