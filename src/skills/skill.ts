import type { RuntimeName } from "../platform.ts";
import type { JsonValue } from "../store/index.ts";

export type { RuntimeName };

/** When a skill activates by itself. Source: docs/skills.md, "Triggers". */
export interface SkillTriggers {
  /** Regular expressions in RE2 syntax, matched against the message, ignoring case. A match adds 0.5. */
  readonly intentPatterns: readonly string[];
  /** Names of tools: a call of one in the session's last turns adds 0.25. */
  readonly toolSignals: readonly string[];
  /** Signals of the message's and the session's subject. */
  readonly contextSignals: {
    /** Words and phrases of the message: all of them add 0.15, some a proportional share. */
    readonly keywords: readonly string[];
    /** Values by slot (`task_type`, `channel`, `language`): each slot with one of its values adds 0.10. */
    readonly slots: Readonly<Record<string, readonly string[]>>;
  };
  /** Lowest score at which the skill activates, over 0 and at most 1. Default 0.5. */
  readonly confidenceThreshold: number;
}

/** One step of a chain. */
export interface ChainStep {
  /** Name of the skill that carries it out. */
  readonly skill: string;
  /** Name of its output, for later steps. */
  readonly outputAs?: string;
  /** Name of an earlier step's output. */
  readonly inputFrom?: string;
  /** Further parameters of the step. */
  readonly params?: Readonly<Record<string, JsonValue>>;
}

/** Requirements for a skill to be offered; an empty list requires nothing. */
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
  /** Name of the skill and its folder: 1 to 64 of `a`–`z`, `0`–`9` and single hyphens within. */
  readonly name: string;
  /** What it does and when to use it, in 1 to 1024 characters. */
  readonly description: string;
  /** The Markdown below the frontmatter: instructions for the model. */
  readonly body: string;
  /** Absent: the skill activates only when the model or a person asks for it. */
  readonly triggers?: SkillTriggers;
  /** 1 to 10; of several matching skills the higher one comes first. Default 5. */
  readonly priority: number;
  /** Only the best skill of a group activates. */
  readonly exclusiveGroup?: string;
  /** Names of skills whose text comes before this one's. */
  readonly prerequisites: readonly string[];
  /** Most tokens of its body in a prompt, estimated. Default 2000. */
  readonly maxTokens: number;
  /** Seconds before it can activate again in the same session. Default 0. */
  readonly cooldown: number;
  /** Steps, if the skill is a chain of others. */
  readonly chain?: readonly ChainStep[];
  /** Its output, for programs that show it. */
  readonly output?: { readonly format?: string; readonly artifacts?: boolean; readonly artifactType?: string };
  /** Requirements for it to be offered. */
  readonly requires: SkillRequirements;
  /**
   * Users of memory to whom alone it is offered, as `telegram:42` or `@owner`; absent: everyone. A skill that was
   * learnt from a person's work has one.
   */
  readonly people?: readonly string[];
  /** The frontmatter as written, including unknown fields. */
  readonly frontmatter: Readonly<Record<string, JsonValue>>;
  /** The file that it was read from. */
  readonly path?: string;
}
