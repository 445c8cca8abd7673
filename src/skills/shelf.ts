import type { Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { pathText } from "../settings/index.ts";
import type { Logger } from "../telemetry/index.ts";
import type { SkillGate } from "./gating.ts";
import { type Layer, type ReadLayer, createLayer } from "./layer.ts";
import { neededBy } from "./links.ts";
import type { HiddenSkill, LoadedSkills, ShelvedSkill, SkillKind, SkillObjection, SkillProblem } from "./loaded.ts";
import type { Skill } from "./skill.ts";
import type { SkillSource } from "./source.ts";

/** Milliseconds for which loaded skills count as current, unless a source reports a change. 5 minutes. */
export const SKILL_CACHE_MS = 300_000;

/** Precedence of sources with a skill of the same name: the first wins. */
const PRECEDENCE: readonly SkillKind[] = ["workspace", "given", "global", "built-in"];
/** Most logged problems that are remembered. */
const MAX_LOGGED = 10_000;

/** Dependencies of a shelf. */
export interface SkillShelfDeps {
  /** In any order; of one kind the first wins. */
  readonly sources: readonly { readonly source: SkillSource; readonly kind: SkillKind }[];
  readonly yaml: Platform["yaml"];
  readonly clock: Pick<Clock, "now">;
  readonly logger: Pick<Logger, "warn">;
  /** Returns the requirements of a skill that are not met. Default: none. */
  readonly gate?: SkillGate | ((skill: Skill) => readonly string[]) | undefined;
  /**
   * Returns problems of skills in combination: unknown steps, cycles, patterns. A skill with an objection is not
   * loaded. Default: none.
   */
  validate?(skills: readonly Skill[]): readonly SkillObjection[];
}

/** All skills of all sources, read once and cached. */
export interface SkillShelf {
  /** The skills as last loaded, even if outdated. Reads nothing. */
  current(): LoadedSkills | undefined;
  /** Whether `load` would return the last result. */
  isFresh(): boolean;
  /**
   * Returns the current skills. Reads again after a source reported a change, after `invalidate`, and after 5
   * minutes. Never rejects if a source or the gate fails: that becomes a problem of the skill.
   */
  load(): Promise<LoadedSkills>;
  /** Makes the next `load` check every source, and ask the gate again. Unchanged skills are not parsed again. */
  invalidate(): void;
  /** Stops watching. `load` and `current` still work. */
  stop(): void;
}

/**
 * Creates the shelf. It reads nothing and sets no timer before the first `load`, nor between two loads. It watches
 * the sources from the first `load` on.
 *
 * Source: docs/skills.md, "Where they lie".
 */
export function createSkillShelf(deps: SkillShelfDeps): SkillShelf {
  const { clock, logger, gate, validate } = deps;
  const layers: readonly Layer[] = deps.sources
    .toSorted((one, other) => PRECEDENCE.indexOf(one.kind) - PRECEDENCE.indexOf(other.kind))
    .map(({ source, kind }) => createLayer(source, kind, deps.yaml));
  const stopped = new AbortController();
  const logged = new Set<string>();
  let last: { readonly loaded: LoadedSkills; readonly atMs: number; readonly change: number } | undefined;
  let running: { readonly work: Promise<LoadedSkills>; readonly change: number } | undefined;
  let fingerprint = "";
  /** Counts possible changes. The last load is outdated if the count has changed since. */
  let change = 0;
  let isWatching = false;

  function invalidate(): void {
    change += 1;
  }

  function watch(): void {
    if (isWatching || stopped.signal.aborted) return;
    isWatching = true;
    for (const { source } of layers) source.watch?.(invalidate, stopped.signal);
  }

  function isFresh(): boolean {
    if (last === undefined || last.change !== change || running !== undefined) return false;
    const ageMs = clock.now() - last.atMs;
    return ageMs >= 0 && ageMs < SKILL_CACHE_MS;
  }

  async function load(): Promise<LoadedSkills> {
    watch();
    // A load that began before a change may not have seen it.
    while (running !== undefined && running.change !== change) await running.work;
    if (running !== undefined) return running.work;
    if (last !== undefined && isFresh()) return last.loaded;
    const mine = change;
    const work = loadNow().then((loaded) => {
      last = { loaded, atMs: clock.now(), change: mine };
      return loaded;
    });
    running = { work, change: mine };
    try {
      return await work;
    } finally {
      running = undefined;
    }
  }

  async function loadNow(): Promise<LoadedSkills> {
    const read = await Promise.all(layers.map((layer) => layer.read()));
    const { chosen, hidden } = choose(read);
    const problems = read.flatMap((layer) => layer.problems);
    const valid = withoutObjections(chosen, problems);
    const gated = await Promise.all(
      valid.map(async ({ reading, folder, source, kind, hash }): Promise<ShelvedSkill> => ({
        skill: reading.skill,
        folder,
        source,
        kind,
        hash,
        placeOf: reading.placeOf,
        missing: await missingOf(reading.skill),
      })),
    );
    const skills = withNeeds(gated).toSorted((one, other) => (one.skill.name < other.skill.name ? -1 : 1));
    report(problems, hidden);
    const now = JSON.stringify([
      skills.map(({ skill, source, hash, missing }) => [skill.name, source, hash, missing]),
      problems,
      hidden,
    ]);
    const isSame = now === fingerprint && last !== undefined;
    fingerprint = now;
    if (isSame && last !== undefined) return last.loaded;
    return { skills, problems, hidden, revision: (last?.loaded.revision ?? 0) + 1 };
  }

  async function missingOf(skill: Skill): Promise<readonly string[]> {
    try {
      return (await gate?.(skill)) ?? [];
    } catch (error) {
      return [`its requirements cannot be checked: ${messageOf(error)}`];
    }
  }

  /** Leaves out skills with objections, then the skills that needed them. */
  function withoutObjections(chosen: readonly ReadLayer["skills"][number][], problems: SkillProblem[]) {
    let left = [...chosen];
    while (validate !== undefined) {
      const objections = validate(left.map(({ reading }) => reading.skill));
      const refused = left.filter(({ reading }) => objections.some(({ skill }) => skill === reading.skill.name));
      if (refused.length === 0) break;
      for (const { reading, source, folder } of refused)
        for (const { skill, path = [], message } of objections)
          if (skill === reading.skill.name)
            problems.push({
              level: "error",
              source,
              skill: folder,
              file: reading.skill.path ?? skill,
              ...reading.placeOf(path),
              path: pathText(path),
              message,
            });
      left = left.filter((one) => !refused.includes(one));
    }
    return left;
  }

  function report(problems: readonly SkillProblem[], hidden: readonly HiddenSkill[]): void {
    if (logged.size > MAX_LOGGED) logged.clear();
    for (const { level, skill, file, line, column, message } of problems)
      tell(
        skill === ""
          ? "A source of skills cannot be read"
          : level === "error"
            ? "A skill is not loaded"
            : "A skill has something that should be mended",
        `${file}${skill === "" ? "" : `:${line}:${column}`} ${message}`,
      );
    for (const { source, path = source, by, byPath = by } of hidden)
      tell("A skill is not used, since another one has its name", `${path} is hidden by ${byPath}`);
  }

  function tell(message: string, problem: string): void {
    if (logged.has(problem)) return;
    logged.add(problem);
    logger.warn(message, { problem });
  }

  return {
    current: () => last?.loaded,
    isFresh,
    load,
    invalidate,
    stop: () => stopped.abort(),
  };
}

/** Marks a skill as not offered if it needs a skill that is not offered. */
function withNeeds(skills: readonly ShelvedSkill[]): readonly ShelvedSkill[] {
  const byName = new Map(skills.map((one) => [one.skill.name, one]));
  const library = { find: (name: string) => byName.get(name)?.skill };
  return skills.map((one) => {
    const needed = neededBy(library, one.skill).find(({ name }) => (byName.get(name)?.missing.length ?? 0) > 0);
    if (needed === undefined) return one;
    const why = byName.get(needed.name)?.missing.join("; ") ?? "";
    return { ...one, missing: [...one.missing, `it needs the skill ${needed.name}, which is not offered: ${why}`] };
  });
}

/**
 * Chooses among skills of one name: the source of higher precedence wins; within one source, the folder with that
 * name.
 */
function choose(read: readonly ReadLayer[]) {
  const chosen = new Map<string, ReadLayer["skills"][number]>();
  const hidden: HiddenSkill[] = [];
  for (const { skills } of read) {
    const isOwnFolder = ({ folder, reading }: ReadLayer["skills"][number]) => folder === reading.skill.name;
    for (const one of [...skills.filter(isOwnFolder), ...skills.filter((skill) => !isOwnFolder(skill))]) {
      const { name, path } = one.reading.skill;
      const winner = chosen.get(name);
      if (winner === undefined) chosen.set(name, one);
      else
        hidden.push({
          name,
          source: one.source,
          ...(path !== undefined && { path }),
          by: winner.source,
          ...(winner.reading.skill.path !== undefined && { byPath: winner.reading.skill.path }),
        });
    }
  }
  return { chosen: [...chosen.values()], hidden };
}
