import { estimateTokenCount } from "tokenx";
import { type CutBody, cutBody } from "./cut-body.ts";
import { chainText } from "./expand-chain.ts";
import type { SkillLibrary } from "./library.ts";
import { neededBy } from "./links.ts";
import type { Skill } from "./skill.ts";

/** The text of a skill in a prompt. */
export interface SkillText extends CutBody {
  /** The skills whose text it contains: prerequisites and steps first, then the skill. */
  readonly includes: readonly string[];
}

/** Cache by library and skill: counting tokens takes longer than all of matching. */
const kept = new WeakMap<SkillLibrary, Map<string, { readonly budget: number; readonly text: SkillText }>>();

/**
 * Returns the body of a skill, or its written-out chain, after the bodies of its prerequisites, each within its own
 * `maxTokens`.
 *
 * @param shown Skills whose text is already in the prompt.
 * @param budget Tokens that a chain is cut to, if possible.
 */
export function skillText(library: SkillLibrary, skill: Skill, shown: ReadonlySet<string>, budget: number): SkillText {
  const all = [...prerequisitesOf(library, skill), skill];
  if (neededBy(library, skill).some(({ name }) => shown.has(name))) {
    const missing = all.filter(({ name }) => !shown.has(name));
    return compose(library, missing, budget, shown);
  }
  const texts = kept.get(library) ?? new Map<string, { readonly budget: number; readonly text: SkillText }>();
  kept.set(library, texts);
  const before = texts.get(skill.name);
  if (before && (before.budget === budget || skill.chain === undefined)) return before.text;
  const text = compose(library, all, budget, new Set());
  texts.set(skill.name, { budget, text });
  return text;
}

function compose(
  library: SkillLibrary,
  skills: readonly Skill[],
  budget: number,
  shown: ReadonlySet<string>,
): SkillText {
  const texts = skills.map((skill) =>
    skill.chain === undefined ? cutBody(skill.body, skill.maxTokens) : chainText(skill, library.find, budget, shown),
  );
  const namesIn = (skill: Skill) => [...(skill.chain === undefined ? [] : neededBy(library, skill)), skill];
  const text = texts.map((one) => one.text).join("\n\n");
  return {
    text,
    tokens: texts.length === 1 ? (texts[0]?.tokens ?? 0) : estimateTokenCount(text),
    isCut: texts.some(({ isCut }) => isCut),
    includes: [...new Set(skills.flatMap(namesIn).map(({ name }) => name))],
  };
}

/** The prerequisites of the skill and of its chain's steps, in dependency order. */
function prerequisitesOf(library: SkillLibrary, skill: Skill): Skill[] {
  const found = new Map<string, Skill>();
  const steps = new Set<string>([skill.name]);
  const add = (of: Skill) => {
    for (const name of of.prerequisites) {
      const needed = library.find(name);
      if (!needed || found.has(name) || steps.has(name)) continue;
      add(needed);
      found.set(name, needed);
    }
  };
  const addSteps = (of: Skill) => {
    for (const { skill: name } of of.chain ?? []) {
      const step = library.find(name);
      if (!step || steps.has(name)) continue;
      steps.add(name);
      addSteps(step);
    }
  };
  addSteps(skill);
  for (const name of steps) add(library.find(name) ?? skill);
  return [...found.values()];
}
