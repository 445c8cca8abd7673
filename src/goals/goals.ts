/** A number that shows whether an objective is met, or words where there is no number. */
export interface KeyResult {
  /** What is measured, as `chapters written`. 1 to 120 characters; unique within its goal, whatever its letter case. */
  readonly metric: string;
  /** What it shall become. */
  readonly target: number | string;
  /** What it is now. Default: not known yet. */
  readonly current?: number | string;
}

/** One thing that a person works towards. */
export interface Goal {
  /** What shall be true at the end. 1 to 200 characters; unique among the person's goals, whatever its letter case. */
  readonly objective: string;
  /** At most 10. */
  readonly keyResults: readonly KeyResult[];
  /** What the person works on now. At most 300 characters. */
  readonly currentFocus?: string;
  /** When it is reviewed: `daily`, `weekly`, `monthly`, `quarterly`, five fields of cron, or words as `every Friday at 4pm`. Default: never. */
  readonly reviewCadence?: string;
}

/** What moves a person. */
export interface Drive {
  /** As `learning`. 1 to 100 characters. */
  readonly name: string;
  /** From 1 to 5. */
  readonly intensity: number;
  /** Words that belong to it. At most 20. */
  readonly keywords?: readonly string[];
}

/** All that one person's `goals.yaml` says. Source: docs/goals.md, "The file". */
export interface PersonGoals {
  /** Who the assistant is to this person, in their words. At most 2,000 characters. */
  readonly persona?: string;
  /** At most 12. */
  readonly coreDrives: readonly Drive[];
  /** Names of the drives that count most now. At most 12. */
  readonly topDrives: readonly string[];
  /** What the assistant may become active for. At most 20. */
  readonly initiativeSources: readonly string[];
  /** At most 20. */
  readonly goals: readonly Goal[];
}

/** The goals of somebody who has none. */
export const NO_GOALS: PersonGoals = { coreDrives: [], topDrives: [], initiativeSources: [], goals: [] };

/** How far a key result is, from 0 to 1; `undefined` where it is not told in numbers. */
export function progressOf({ target, current }: KeyResult): number | undefined {
  if (typeof target !== "number" || typeof current !== "number" || target === 0) return undefined;
  return Math.min(1, Math.max(0, current / target));
}

/** Two names that people take for the same. */
export function isSameName(one: string, other: string): boolean {
  return nameOf(one) === nameOf(other);
}

/** As names compare. */
export function nameOf(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().toLowerCase();
}
