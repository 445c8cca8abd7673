import QuickLRU from "quick-lru";
import type { PatternEngine } from "../patterns/index.ts";
import { catalogueOf } from "./catalogue.ts";
import { type SkillLibrary, createLibrary } from "./library.ts";
import type { ShelvedSkill, SkillShelf } from "./shelf.ts";

/** Sets of skills that are kept compiled: what all are offered is one, and those who have learnt skills have one each. */
const MAX_SETS = 200;

/** For whom skills are wanted. */
export interface SkillScope {
  /** The user of memory; skills of other people are not offered. Not set: those alone that everybody is offered. */
  readonly userId?: string | undefined;
  /** Names of the agent's own choice; all when left out. */
  readonly names?: readonly string[] | undefined;
}

/** What one person is offered. The same object until the skills change. */
export interface OfferedSkills {
  readonly skills: readonly ShelvedSkill[];
  /** Compiled, with the skills of this person. */
  readonly library: SkillLibrary;
  /** A line for each skill, for the prompt's beginning; not set when there is none. */
  readonly catalogue: string | undefined;
  find(name: string): ShelvedSkill | undefined;
}

export interface OfferedSkillsDeps {
  readonly shelf: Pick<SkillShelf, "current" | "load">;
  /** Not set: patterns that need it are not taken. */
  readonly engine: PatternEngine | undefined;
}

/** Who is offered which skills. */
export type SkillOffers = ReturnType<typeof createSkillOffers>;

export function createSkillOffers({ shelf, engine }: OfferedSkillsDeps) {
  let revision: number | undefined;
  let hasPersonal = false;
  const sets = new QuickLRU<string, OfferedSkills>({ maxSize: MAX_SETS });

  return {
    /** Brings the skills into memory as they are now. */
    prepare: async (): Promise<void> => void (await shelf.load()),
    /** From memory: nothing before `prepare` has resolved. */
    of({ userId, names }: SkillScope): OfferedSkills {
      const loaded = shelf.current();
      if (loaded?.revision !== revision) {
        sets.clear();
        revision = loaded?.revision;
        hasPersonal = loaded?.skills.some(({ skill }) => skill.people !== undefined) ?? false;
      }
      const own = hasPersonal ? (userId ?? "") : "";
      const key = JSON.stringify([own, ...(names ?? ["*"])]);
      let set = sets.get(key);
      if (!set) {
        const skills = (loaded?.skills ?? []).filter(
          ({ skill, missing }) =>
            missing.length === 0 && (skill.people?.includes(own) ?? true) && (names?.includes(skill.name) ?? true),
        );
        sets.set(key, (set = makeSet(skills, engine)));
      }
      return set;
    },
  };
}

function makeSet(shelved: readonly ShelvedSkill[], engine: PatternEngine | undefined): OfferedSkills {
  const library = createLibrary(
    shelved.map(({ skill }) => skill),
    { engine: engine ?? null },
  );
  const byName = new Map(shelved.map((one) => [one.skill.name, one]));
  const skills = library.skills.flatMap(({ name }) => byName.get(name) ?? []);
  return {
    skills,
    library,
    catalogue: catalogueOf(library.skills),
    find: (name) => (library.find(name) ? byName.get(name) : undefined),
  };
}
