import QuickLRU from "quick-lru";
import type { PatternEngine } from "../patterns/index.ts";
import { pathText } from "../settings/index.ts";
import type { Logger } from "../telemetry/index.ts";
import { catalogueOf } from "./catalogue.ts";
import { type SkillLibrary, createLibrary, sharedLibrary } from "./library.ts";
import type { LoadedSkills, ShelvedSkill, SkillProblem } from "./loaded.ts";
import { neededBy } from "./links.ts";
import type { SkillShelf } from "./shelf.ts";
import type { Skill } from "./skill.ts";

/**
 * Most cached choices of skills: one for everyone, one for each person with learnt skills, one for each agent that
 * chooses.
 */
const MAX_KEPT = 200;

/** The person, and the choice of skills, that offers are made for. */
export interface SkillScope {
  /** The user of memory; skills for other people are not offered. Absent: only skills that everyone is offered. */
  readonly userId?: string | undefined;
  /** Names that the agent and the prompt choose; absent: all. */
  readonly names?: readonly string[] | undefined;
}

/**
 * Skills that one person is offered: those that are for them and need no skill that is not. The same object until the
 * skills change.
 */
export interface OfferedSkills {
  /** By name. */
  readonly skills: readonly ShelvedSkill[];
  /** All skills whose requirements are met, compiled. Some may be for other people. */
  readonly library: SkillLibrary;
  /** A line for each skill, for the beginning of the prompt; `undefined` if there are none. */
  readonly catalogue: string | undefined;
  find(name: string): ShelvedSkill | undefined;
}

export interface SkillOffersDeps {
  readonly shelf: Pick<SkillShelf, "current" | "isFresh" | "load">;
  readonly logger: Pick<Logger, "warn">;
  /** Returns the linear engine when a pattern needs it; null: such patterns are rejected. */
  linear(): PatternEngine | null;
}

/** Decides which skills a person is offered. */
export type SkillOffers = ReturnType<typeof createSkillOffers>;

export function createSkillOffers({ shelf, logger, linear }: SkillOffersDeps) {
  let loaded: LoadedSkills | undefined;
  let library = createLibrary([], {}, linear);
  let hasPersonal = false;
  const logged = new Set<string>();
  const kept = new QuickLRU<string, OfferedSkills>({ maxSize: MAX_KEPT });

  function look(now: LoadedSkills): void {
    if (now === loaded) return;
    loaded = now;
    const present = now.skills.filter(({ missing }) => missing.length === 0).map(({ skill }) => skill);
    library = sharedLibrary(present, linear);
    hasPersonal = present.some(({ people }) => people !== undefined);
    kept.clear();
    report();
  }

  /** Rejected patterns. All other problems were found when the skills were read. */
  function problems(): readonly SkillProblem[] {
    return library.problems.flatMap(({ skill: name, field, pattern, reason, isLeftOut }) => {
      const one = loaded?.skills.find(({ skill }) => skill.name === name);
      if (one === undefined) return [];
      const { skill, folder, source, placeOf } = one;
      const index = pattern === undefined ? [] : [skill.triggers?.intentPatterns.indexOf(pattern) ?? 0];
      const path = [...field.split("."), ...index];
      return {
        level: isLeftOut ? "error" : "warning",
        source,
        skill: folder,
        file: skill.path ?? name,
        ...placeOf(path),
        path: pathText(path),
        message: pattern === undefined ? reason : `${JSON.stringify(pattern)}: ${reason}`,
      };
    });
  }

  /** Logs each problem once. */
  function report(): void {
    for (const { file, line, column, path, message } of problems()) {
      const problem = `${file}:${line}:${column} ${path}: ${message}`;
      if (logged.has(problem)) continue;
      logged.add(problem);
      logger.warn("A skill has something that should be mended", { problem });
    }
  }

  return {
    /** Loads the current skills into memory; `undefined` if there is nothing to wait for. */
    prepare(): Promise<void> | undefined {
      const now = shelf.isFresh() ? shelf.current() : undefined;
      if (!now) return shelf.load().then(look);
      look(now);
      return undefined;
    },
    /** Problems of skills that matching found. From memory. */
    problems,
    /** Names of the skills in a skill's chain; empty if it has none. From memory. */
    stepsOf: (name: string): readonly string[] => library.find(name)?.chain?.map(({ skill }) => skill) ?? [],
    /** The skills that a person is offered. From memory: empty before `prepare` has resolved. */
    of({ userId = "", names }: SkillScope): OfferedSkills {
      const own = hasPersonal ? userId : "";
      const key = names === undefined ? own : JSON.stringify([own, ...names]);
      let offered = kept.get(key);
      if (!offered) kept.set(key, (offered = choose(loaded?.skills ?? [], library, own, names)));
      return offered;
    },
  };
}

function choose(
  shelved: readonly ShelvedSkill[],
  library: SkillLibrary,
  userId: string,
  names: readonly string[] | undefined,
): OfferedSkills {
  const isFor = ({ name, people }: Skill) => (people?.includes(userId) ?? true) && (names?.includes(name) ?? true);
  // A skill brings along the texts of the skills that it needs, so these must be for the same person too.
  const skills = shelved.filter(
    ({ skill }) => library.find(skill.name) !== undefined && isFor(skill) && neededBy(library, skill).every(isFor),
  );
  const byName = new Map(skills.map((one) => [one.skill.name, one]));
  return {
    skills,
    library,
    catalogue: catalogueOf(skills.map(({ skill }) => skill)),
    find: (name) => byName.get(name),
  };
}
