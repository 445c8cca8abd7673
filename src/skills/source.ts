/** A file of a skill's folder. */
export interface SkillFile {
  /** Within the skill's folder, with `/`, as `scripts/run.py`. */
  readonly path: string;
  /** What it holds. */
  readonly bytes: Uint8Array;
}

/** What a source says of one skill without reading it. */
export interface ListedSkill {
  /** Of its folder. */
  readonly name: string;
  /** Another one means that its `SKILL.md` changed. */
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
  /** Where a skill's `SKILL.md` lies, for reports, as `skills/greet/SKILL.md`. Default: the name of the source, that of the skill, and `SKILL.md`. */
  pathOf?(name: string): string;
  /** Every skill that it has. Contract: a skill is a folder with a `SKILL.md`; what else lies there is passed over; no link is followed out of it. */
  list(): Promise<readonly ListedSkill[]>;
  /** The text of a skill's `SKILL.md`. Contract: null when it is not there any more. */
  read(name: string): Promise<string | null>;
  /** A file beside `SKILL.md`, at most 1 MiB of it. Contract: null when there is none, or it lies outside of the skill's folder. Absent: a skill is its `SKILL.md` alone. */
  readFile?(name: string, path: string): Promise<Uint8Array | null>;
  /** Paths of all files beside a skill's `SKILL.md`, sorted. Contract: none for a skill that it does not have. Absent: the model knows of the files that the skill names. */
  files?(name: string): Promise<readonly string[]>;
  /** Calls back when something changed. Contract: until the signal aborts; never throws. Absent: changes are seen when the cache is over. */
  watch?(changed: () => void, signal: AbortSignal): void;
}
