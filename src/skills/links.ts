import type { SkillObjection } from "./loaded.ts";
import type { Skill } from "./skill.ts";

/** Most steps of a chain, including those of its nested chains. */
const MAX_CHAIN_STEPS = 50;

/** Why a skill's links cannot be followed: it names a missing skill, or one that leads back to it. */
export interface BrokenLink {
  readonly field: "chain" | "prerequisites";
  readonly reason: string;
}

/**
 * Finds the skills whose chain or prerequisites cannot be followed, and why: a step or prerequisite that is missing
 * or broken itself, one that leads back to the skill, an input that no earlier step produced, and a chain of more
 * than `MAX_CHAIN_STEPS`.
 *
 * @param byName All skills by name.
 */
export function findBrokenLinks(byName: ReadonlyMap<string, Skill>): ReadonlyMap<string, BrokenLink> {
  const broken = new Map<string, BrokenLink>();
  const sound = new Set<string>();
  /** Steps of each sound chain; a skill without a chain counts as one step. */
  const steps = new Map<string, number>();
  const dependants = new Map<string, string[]>();
  const waiting = new Map<string, number>();
  for (const skill of byName.values()) {
    const wrong = wrongIn(skill, byName);
    if (wrong) broken.set(skill.name, wrong);
    const needed = new Set(
      linksOf(skill)
        .map(({ name }) => name)
        .filter((name) => byName.has(name)),
    );
    needed.delete(skill.name);
    waiting.set(skill.name, needed.size);
    for (const name of needed) {
      const before = dependants.get(name);
      if (before) before.push(skill.name);
      else dependants.set(name, [skill.name]);
    }
  }
  // Topological order: all that a skill needs comes before it. A skill that is never reached is in a circle, or
  // depends on one.
  const ready = [...byName.keys()].filter((name) => waiting.get(name) === 0);
  for (let name = ready.pop(); name !== undefined; name = ready.pop()) {
    const skill = byName.get(name)!;
    if (!broken.has(name)) {
      const wrong = wrongBehind(skill, broken) ?? tooLong(skill, steps);
      if (wrong) broken.set(name, wrong);
      else sound.add(name);
    }
    for (const dependant of dependants.get(name) ?? []) {
      const left = waiting.get(dependant)! - 1;
      waiting.set(dependant, left);
      if (left === 0) ready.push(dependant);
    }
  }
  const unreached = new Set([...byName.keys()].filter((name) => !sound.has(name) && !broken.has(name)));
  const before = new Map(broken);
  for (const name of unreached) {
    const skill = byName.get(name)!;
    broken.set(name, wrongBehind(skill, before) ?? circleOf(skill, byName, unreached));
  }
  return broken;
}

interface Link {
  readonly field: BrokenLink["field"];
  readonly name: string;
}

function linksOf(skill: Skill): Link[] {
  return [
    ...skill.prerequisites.map((name) => ({ field: "prerequisites", name }) as const),
    ...(skill.chain ?? []).map((step) => ({ field: "chain", name: step.skill }) as const),
  ];
}

function wrongIn(skill: Skill, byName: ReadonlyMap<string, Skill>): BrokenLink | undefined {
  for (const { field, name } of linksOf(skill)) {
    if (name === skill.name) return { field, reason: `It names itself` };
    if (!byName.has(name)) return { field, reason: `There is no skill ${JSON.stringify(name)}` };
  }
  const produced = new Set<string>();
  for (const { skill: step, inputFrom, outputAs } of skill.chain ?? []) {
    if (inputFrom !== undefined && !produced.has(inputFrom)) {
      const reason = `The step ${JSON.stringify(step)} takes ${JSON.stringify(inputFrom)}, which no step before it produces`;
      return { field: "chain", reason };
    }
    if (outputAs !== undefined) produced.add(outputAs);
  }
  return undefined;
}

function wrongBehind(skill: Skill, broken: ReadonlyMap<string, BrokenLink>): BrokenLink | undefined {
  const link = linksOf(skill).find(({ name }) => broken.has(name));
  return link && { field: link.field, reason: `The skill ${JSON.stringify(link.name)} was left out itself` };
}

function tooLong(skill: Skill, steps: Map<string, number>): BrokenLink | undefined {
  const count = skill.chain?.reduce((sum, step) => sum + (steps.get(step.skill) ?? 1), 0) ?? 1;
  steps.set(skill.name, count);
  if (count <= MAX_CHAIN_STEPS) return undefined;
  return {
    field: "chain",
    reason: `It has ${count} steps, including those of its chains, but at most ${MAX_CHAIN_STEPS} are allowed`,
  };
}

/**
 * Follows links from a skill back to itself, or to the circle that it depends on. Each unreached skill waits for
 * another unreached one.
 */
function circleOf(skill: Skill, byName: ReadonlyMap<string, Skill>, unreached: ReadonlySet<string>): BrokenLink {
  const isUnreached = ({ name }: Link) => unreached.has(name);
  const field = linksOf(skill).find(isUnreached)?.field ?? "chain";
  const way = [skill.name];
  for (;;) {
    const next = linksOf(byName.get(way.at(-1)!)!).find(isUnreached)?.name ?? skill.name;
    const from = way.indexOf(next);
    way.push(next);
    if (from === 0) return { field, reason: `It leads back to itself: ${way.join(" → ")}` };
    if (from > 0) {
      const circle = way.slice(from).join(" → ");
      return { field, reason: `The skill ${JSON.stringify(way[1])} was left out itself: ${circle}` };
    }
  }
}

/** As `findBrokenLinks`, in the form that the shelf reports. */
export function objectionsTo(skills: readonly Skill[]): readonly SkillObjection[] {
  const broken = findBrokenLinks(new Map(skills.map((skill) => [skill.name, skill])));
  return [...broken].map(([skill, { field, reason }]) => ({ skill, path: [field], message: reason }));
}

/** The skills whose text a skill brings along, without itself. */
export function neededBy(library: { find(name: string): Skill | undefined }, skill: Skill): Skill[] {
  if (skill.chain === undefined && skill.prerequisites.length === 0) return [];
  const found = new Set<Skill>([skill]);
  for (const one of found) {
    for (const name of [...one.prerequisites, ...(one.chain ?? []).map((step) => step.skill)]) {
      const needed = library.find(name);
      if (needed) found.add(needed);
    }
  }
  found.delete(skill);
  return [...found];
}
