import type { RuntimeName } from "../platform.ts";
import type { JsonValue } from "../store/index.ts";

export type { RuntimeName };

/** When a skill comes by itself. Source: docs/skills.md, "Triggers". */
export interface SkillTriggers {
  /** Regular expressions in the syntax of RE2, matched against the message without regard to case. One that hits gives 0.5. */
  readonly intentPatterns: readonly string[];
  /** Names of tools: one that was called in the session's last turns gives 0.25. */
  readonly toolSignals: readonly string[];
  /** What the message and the session are about. */
  readonly contextSignals: {
    /** Words and phrases of the message: all of them give 0.15, some their share of it. */
    readonly keywords: readonly string[];
    /** Values by slot (`task_type`, `channel`, `language`): each slot that has one of its values gives 0.10. */
    readonly slots: Readonly<Record<string, readonly string[]>>;
  };
  /** Least score at which the skill comes, over 0 and at most 1. Default 0.5. */
  readonly confidenceThreshold: number;
}

/** One step of a chain. */
export interface ChainStep {
  /** Name of the skill that does it. */
  readonly skill: string;
  /** Name of what it produces, for later steps. */
  readonly outputAs?: string;
  /** Name of what an earlier step produced. */
  readonly inputFrom?: string;
  /** What the step is given besides. */
  readonly params?: Readonly<Record<string, JsonValue>>;
}

/** What must be there for a skill to be offered; an empty list asks for nothing. */
export interface SkillRequirements {
  /** One of these runtimes. */
  readonly runtimes: readonly RuntimeName[];
  /** One of these channels is connected. */
  readonly channels: readonly string[];
  /** All of these environment variables are set. */
  readonly env: readonly string[];
  /** All of these programs are on the path. */
  readonly bins: readonly string[];
  /** All of these tools exist. */
  readonly tools: readonly string[];
}

/** A skill: a `SKILL.md` that was read. Source: docs/skills.md; the format is that of https://agentskills.io/specification, with fields of our own. */
export interface Skill {
  /** Of its folder: 1 to 64 of `a`–`z`, `0`–`9` and single hyphens within. */
  readonly name: string;
  /** What it does and when to use it, in 1 to 1024 characters. */
  readonly description: string;
  /** The Markdown below the frontmatter: what the model is told to do. */
  readonly body: string;
  /** Absent: the skill comes only when the model or a person asks for it. */
  readonly triggers?: SkillTriggers;
  /** 1 to 10; of several that fit the higher one comes first. Default 5. */
  readonly priority: number;
  /** Of the skills of one group only the best comes. */
  readonly exclusiveGroup?: string;
  /** Names of skills whose text comes before this one's. */
  readonly prerequisites: readonly string[];
  /** Most tokens of its body in a prompt, estimated. Default 2000. */
  readonly maxTokens: number;
  /** Seconds before it comes again in the same session. Default 0. */
  readonly cooldown: number;
  /** The skill is a chain of others. */
  readonly chain?: readonly ChainStep[];
  /** What it produces, for whoever shows it. */
  readonly output?: { readonly format?: string; readonly artifacts?: boolean; readonly artifactType?: string };
  /** What must be there for it to be offered. */
  readonly requires: SkillRequirements;
  /** Users of memory for whom alone it is offered, as `telegram:42` or `@owner`; absent: everybody. A skill that was learnt from what a person does has one. */
  readonly people?: readonly string[];
  /** The frontmatter as it was written, with every field that is not known here. */
  readonly frontmatter: Readonly<Record<string, JsonValue>>;
  /** The file that it was read from. */
  readonly path?: string;
}
