import type { SkillReading } from "./parse-skill.ts";
import type { Skill } from "./skill.ts";

/**
 * Kind of a source: the store's own folder, a folder or source that the program gives, a folder in the person's home,
 * or Wakeful itself.
 */
export type SkillKind = "workspace" | "given" | "global" | "built-in";

/** A skill on the shelf. */
export interface ShelvedSkill {
  readonly skill: Skill;
  /** The folder by which its source identifies it: usually the skill's name. */
  readonly folder: string;
  /** Name of its source. */
  readonly source: string;
  readonly kind: SkillKind;
  /** Requirements that are not met, each in words; empty if it is offered. */
  readonly missing: readonly string[];
  /** SHA-256 of its `SKILL.md`, in lower-case hexadecimal. */
  readonly hash: string;
  /** As of `SkillReading`. */
  readonly placeOf: SkillReading["placeOf"];
}

/** A problem of a skill or a source. */
export interface SkillProblem {
  /** `error`: it is not loaded. `warning`: it is loaded, and something should be fixed. */
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
  /** What was expected, and how to fix it. */
  readonly message: string;
}

/** A skill that is not used because a source of higher precedence has a skill of its name. */
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

/** All skills as last loaded. */
export interface LoadedSkills {
  /** By name, including skills that are not offered: see `missing`. */
  readonly skills: readonly ShelvedSkill[];
  readonly problems: readonly SkillProblem[];
  readonly hidden: readonly HiddenSkill[];
  /** Increases when any of these changed, and only then. */
  readonly revision: number;
}

/** Why a skill cannot be used together with the others. */
export interface SkillObjection {
  /** Name of the skill. */
  readonly skill: string;
  /** The field, as `["chain", 0, "skill"]`. */
  readonly path?: readonly (string | number)[];
  readonly message: string;
}
