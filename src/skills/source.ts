/** A file of a skill's folder. */
export interface SkillFile {
  /** Path within the skill's folder, with `/`, as `scripts/run.py`. */
  readonly path: string;
  /** What it holds. */
  readonly bytes: Uint8Array;
}

/** What a source lists about one skill without reading it. */
export interface ListedSkill {
  /** Name of the skill's folder. */
  readonly name: string;
  /** Changes when its `SKILL.md` changes. */
  readonly version: string;
}

/**
 * Where skills come from. Source: docs/skills.md, "Where they lie".
 *
 * @example
 * ```ts
 * const mine: SkillSource = {
 *   name: "mine",
 *   list: async () => [{ name: "greet", version: "1" }],
 *   read: async () => "---\nname: greet\ndescription: Says hello\n---\nSay hello.",
 * };
 * ```
 */
export interface SkillSource {
  /** Names the source in reports, as `workspace` or a folder's path. */
  readonly name: string;
  /**
   * Path of a skill's `SKILL.md`, for reports, as `skills/greet/SKILL.md`. Default: the name of the source, that of
   * the skill, and `SKILL.md`.
   */
  pathOf?(name: string): string;
  /**
   * Lists every skill. Contract: a skill is a folder with a `SKILL.md`; anything else there is ignored; no link is
   * followed out of it.
   */
  list(): Promise<readonly ListedSkill[]>;
  /** Reads the text of a skill's `SKILL.md`. Contract: null if it is gone. */
  read(name: string): Promise<string | null>;
  /**
   * Reads a file next to `SKILL.md`, at most 1 MiB of it. Contract: null if there is none, or it is outside of the
   * skill's folder. Absent: a skill consists of its `SKILL.md` alone.
   */
  readFile?(name: string, path: string): Promise<Uint8Array | null>;
  /**
   * Lists the paths of all files next to a skill's `SKILL.md`, sorted. Contract: empty for an unknown skill. Absent:
   * the model knows only the files that the skill names.
   */
  files?(name: string): Promise<readonly string[]>;
  /**
   * Calls back after a change. Contract: until the signal aborts; never throws. Absent: changes are seen when the
   * cache expires.
   */
  watch?(changed: () => void, signal: AbortSignal): void;
}
