/** A number that shows whether an objective is met, or words where there is no number. */
export interface KeyResult {
  /**
   * What is measured, such as `chapters written`. 1 to 120 characters; unique within its goal, ignoring letter case.
   */
  readonly metric: string;
  /** The value to reach. */
  readonly target: number | string;
  /** The value now. Default: unknown. */
  readonly current?: number | string;
}

/** A goal of a person. */
export interface Goal {
  /** What is true at the end. 1 to 200 characters; unique among the person's goals, ignoring letter case. */
  readonly objective: string;
  /** Key results, at most 10. */
  readonly keyResults: readonly KeyResult[];
  /** What the person works on now. At most 300 characters. */
  readonly currentFocus?: string;
  /**
   * When it is reviewed: `daily`, `weekly`, `monthly`, `quarterly`, a cron expression of five fields, or words such as
   * `every Friday at 4pm`. Default: never.
   */
  readonly reviewCadence?: string;
}

/** A motive of a person. */
export interface Drive {
  /** Name, such as `learning`. 1 to 100 characters. */
  readonly name: string;
  /** Strength, 1 to 5. */
  readonly intensity: number;
  /** Words that belong to it, at most 20. */
  readonly keywords?: readonly string[];
}

/** Contents of one person's `goals.yaml`. Source: docs/goals.md, "The file". */
export interface PersonGoals {
  /** The assistant's role for this person, in their words. At most 2,000 characters. */
  readonly persona?: string;
  /** Drives, at most 12. */
  readonly coreDrives: readonly Drive[];
  /** Names of the drives that matter most now, at most 12. */
  readonly topDrives: readonly string[];
  /** Occasions for the assistant to take the initiative, at most 20. */
  readonly initiativeSources: readonly string[];
  /** Goals, at most 20. */
  readonly goals: readonly Goal[];
}

/** The goals of a person without a file. */
export const NO_GOALS: PersonGoals = { coreDrives: [], topDrives: [], initiativeSources: [], goals: [] };

/** Progress of a key result, 0 to 1; `undefined` without numbers. */
export function progressOf({ target, current }: KeyResult): number | undefined {
  if (typeof target !== "number" || typeof current !== "number" || target === 0) return undefined;
  return Math.min(1, Math.max(0, current / target));
}

/** Whether two names are the same to people. */
export function isSameName(one: string, other: string): boolean {
  return nameOf(one) === nameOf(other);
}

/** Normalizes a name for comparison. */
export function nameOf(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().toLowerCase();
}
