import { messageOf } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { ConfigError, type ConfigIssue } from "../settings/index.ts";
import type { PreparedSkillSource } from "./built-in-source.ts";
import type { NamedFolderSource } from "./folder-source.ts";
import type { SkillKind, SkillProblem } from "./loaded.ts";
import { type SkillReading, readSkill } from "./parse-skill.ts";
import { SKILL_FILE } from "./skill-path.ts";
import type { ListedSkill, SkillSource } from "./source.ts";
import { sha256 } from "../hash.ts";

/** Skills that are read concurrently. */
const BATCH = 64;

/** A skill as its source has it. */
interface ReadSkill {
  readonly folder: string;
  readonly source: string;
  readonly kind: SkillKind;
  readonly reading: SkillReading;
  readonly hash: string;
}

/** One version of one skill: the skill, or what is wrong with it. */
interface Kept {
  readonly version: string | undefined;
  readonly skill?: ReadSkill;
  readonly problems: readonly SkillProblem[];
}

/** Result of reading a source. */
export interface ReadLayer {
  readonly skills: readonly ReadSkill[];
  readonly problems: readonly SkillProblem[];
}

/** A source, and its skills as last read, by folder. */
export interface Layer {
  readonly source: SkillSource;
  /**
   * Lists the source and reads the skills whose version changed. Never rejects: if a source cannot be listed, its
   * skills stay as they were.
   */
  read(): Promise<ReadLayer>;
}

export function createLayer(source: SkillSource, kind: SkillKind, yaml: Platform["yaml"]): Layer {
  let kept = new Map<string, Kept>();
  const pathOf = (folder: string) => source.pathOf?.(folder) ?? `${source.name}/${folder}/${SKILL_FILE}`;
  const problemOf = (folder: string, { level, ...issue }: ConfigIssue & Pick<SkillProblem, "level">): SkillProblem => ({
    level,
    source: source.name,
    skill: folder,
    ...issue,
  });
  const unreadable = (folder: string, file: string, message: string) =>
    problemOf(folder, { level: "error", file, line: 1, column: 1, path: "", message });

  async function readOne({ name: folder, version }: ListedSkill): Promise<Kept | undefined> {
    const known = kept.get(folder);
    if (known?.version === version) return known;
    const file = pathOf(folder);
    try {
      const ready = isPrepared(source) ? source.prepared(folder) : undefined;
      if (ready !== undefined) {
        const reading = { skill: ready.skill, warnings: [], placeOf: () => ({ line: 1, column: 1 }) };
        return { version, skill: { folder, source: source.name, kind, reading, hash: ready.hash }, problems: [] };
      }
      const text = await source.read(folder);
      if (text === null) return undefined;
      const reading = readSkill(text, { path: file }, yaml);
      const problems = reading.warnings.map((issue) => problemOf(folder, { level: "warning", ...issue }));
      return { version, skill: { folder, source: source.name, kind, reading, hash: await sha256(text) }, problems };
    } catch (error) {
      if (error instanceof ConfigError)
        return { version, problems: error.issues.map((issue) => problemOf(folder, { level: "error", ...issue })) };
      // This version is not kept, so that the next read tries again.
      return { version: undefined, problems: [unreadable(folder, file, `It cannot be read: ${messageOf(error)}`)] };
    }
  }

  async function read(): Promise<ReadLayer> {
    let listed: readonly ListedSkill[];
    try {
      listed = await source.list();
    } catch (error) {
      const message = `The skills of ${source.name} cannot be listed: ${messageOf(error)}`;
      return joined(kept, [unreadable("", source.name, message)]);
    }
    const now = new Map<string, Kept>();
    for (let start = 0; start < listed.length; start += BATCH) {
      const batch = listed.slice(start, start + BATCH);
      const found = await Promise.all(batch.map(readOne));
      for (const [index, { name }] of batch.entries()) {
        const one = found[index];
        if (one !== undefined) now.set(name, one);
      }
    }
    kept = now;
    const isMissing = kind === "given" && listed.length === 0 && "isMissing" in source;
    if (!isMissing || !(await (source as NamedFolderSource).isMissing())) return joined(now, []);
    const message = "The folder does not exist: create it, or name another one in skills.sources";
    return joined(now, [{ ...unreadable("", source.name, message), level: "warning" }]);
  }

  return { source, read };
}

function joined(kept: ReadonlyMap<string, Kept>, more: readonly SkillProblem[]): ReadLayer {
  const all = [...kept.values()];
  return {
    skills: all.flatMap(({ skill }) => (skill === undefined ? [] : [skill])),
    problems: [...more, ...all.flatMap(({ problems }) => problems)],
  };
}

function isPrepared(source: SkillSource): source is PreparedSkillSource {
  return "prepared" in source && typeof source.prepared === "function";
}
