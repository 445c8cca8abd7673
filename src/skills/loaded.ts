import type { SkillReading } from "./parse-skill.ts";
import type { Skill } from "./skill.ts";

/** What a source of skills is: the store's own folder, a folder or source that the program gives, that of the person's home, or what comes with Wakeful. */
export type SkillKind = "workspace" | "given" | "global" | "built-in";

/** A skill on the shelf. */
export interface ShelvedSkill {
  readonly skill: Skill;
  /** Its folder, by which its source knows it: usually the skill's name. */
  readonly folder: string;
  /** Name of its source. */
  readonly source: string;
  readonly kind: SkillKind;
  /** Why it is not offered, each in words; empty: it is. */
  readonly missing: readonly string[];
  /** SHA-256 of its `SKILL.md`, in lower-case hexadecimal. */
  readonly hash: string;
  /** As of `SkillReading`. */
  readonly placeOf: SkillReading["placeOf"];
}

/** Something that is wrong with a skill or a source. */
export interface SkillProblem {
  /** `error`: it is not loaded. `warning`: it is, and something should be mended. */
  readonly level: "error" | "warning";
  /** Name of the source. */
  readonly source: string;
  /** The skill's folder; empty for the source as a whole. */
  readonly skill: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** The field, as `triggers.intent_patterns[0]`; empty for the file as a whole. */
  readonly path: string;
  /** What was expected, and how to mend it. */
  readonly message: string;
}

/** A skill that is not used because a source that counts more has one of that name. */
export interface HiddenSkill {
  readonly name: string;
  /** Name of its source. */
  readonly source: string;
  /** Its file. */
  readonly path?: string;
  /** Name of the source whose skill is used. */
  readonly by: string;
  /** The file of that skill. */
  readonly byPath?: string;
}

/** All skills as they were loaded. */
export interface LoadedSkills {
  /** By name. Also those that are not offered: see `missing`. */
  readonly skills: readonly ShelvedSkill[];
  readonly problems: readonly SkillProblem[];
  readonly hidden: readonly HiddenSkill[];
  /** Counts up when any of these changed, and only then. */
  readonly revision: number;
}

/** Why a skill cannot be used beside the others. */
export interface SkillObjection {
  /** Name of the skill. */
  readonly skill: string;
  /** The field, as `["chain", 0, "skill"]`. */
  readonly path?: readonly (string | number)[];
  readonly message: string;
}
