import type { PatternEngine } from "../patterns/index.ts";
import { type SkillLibrary, createLibrary } from "./library.ts";
import { neededBy } from "./links.ts";
import { type MatchInput, type MatchSignal, compareText, findSignals, own, rounded } from "./signals.ts";
import type { Skill } from "./skill.ts";
import { skillText } from "./skill-text.ts";

/** Most tokens of all skills that activate for a message, estimated. */
export const DEFAULT_TOKEN_BUDGET = 4000;
/** Most skills that activate for a message. */
export const DEFAULT_MAX_ACTIVATED = 3;

/** Activations from which on feedback counts. */
const MIN_ACTIVATIONS = 5;
const MIN_NOT_HELPFUL = 3;
const GOOD_RATE = 0.8;
const BAD_RATE = 0.3;
const GOOD_FACTOR = 1.2;
const BAD_FACTOR = 0.6;

/** Feedback on a skill. */
export interface SkillFeedback {
  /** How often it was activated. */
  readonly activations: number;
  /** How many of these were called helpful. */
  readonly helpful: number;
  /** How many of these were called not helpful. */
  readonly notHelpful: number;
}

/** Options of a match. */
export interface MatchOptions {
  /** Milliseconds since the epoch. Default: cool-downs are ignored. */
  readonly now?: number;
  /** By name. Default none. */
  readonly feedback?: Readonly<Record<string, SkillFeedback>>;
  /** When each skill was last activated in this session, by name, in milliseconds since the epoch. Default never. */
  readonly lastActivated?: Readonly<Record<string, number>>;
  /** Most tokens of the texts of all results, estimated. Default 4000. */
  readonly tokenBudget?: number;
  /** Most results. Default 3. */
  readonly maxActivated?: number;
  /** Whether the requirements of a skill are met here and now. Default: every skill. */
  readonly isOffered?: (skill: Skill) => boolean;
}

/** A skill that activates for a message. */
export interface MatchResult {
  /** `skill.name`. */
  readonly name: string;
  /** The skill that activates. */
  readonly skill: Skill;
  /** Over 0 and at most 1. */
  readonly score: number;
  /** Why it activates, the strongest kind first. */
  readonly signals: readonly MatchSignal[];
  /** For the prompt: the bodies of its prerequisites, then its own body or its written-out chain. */
  readonly text: string;
  /** Estimated tokens of `text`. */
  readonly tokens: number;
  /** Whether a body was longer than its `maxTokens` and is cut after a paragraph. */
  readonly isCut: boolean;
  /** The skills whose text `text` contains, this one last. */
  readonly includes: readonly string[];
}

/**
 * Why a skill does not activate although it has signals.
 *
 * `not-offered`: it is for other people, `isOffered` returned false, or a prerequisite or step is not offered.
 * `threshold`: the score is too low. `cool-down`: it was activated in this session a short while ago. `group`:
 * another skill of its group activates. `limit`: enough others are better. `budget`: its text does not fit.
 * `included`: another result has its text.
 */
export type LeftOutCause = "not-offered" | "threshold" | "cool-down" | "group" | "limit" | "budget" | "included";

/** A skill with signals that does not activate. */
export interface LeftOutSkill {
  /** Name of the skill. */
  readonly name: string;
  /** 0 to 1. */
  readonly score: number;
  /** Its signals. */
  readonly signals: readonly MatchSignal[];
  /** Why it does not activate, as a code. */
  readonly cause: LeftOutCause;
  /** The cause in a sentence without a full stop. */
  readonly reason: string;
}

/** The skills that activate for a message, and those that do not. */
export interface MatchExplanation {
  /** The results of `matchSkills`. */
  readonly results: readonly MatchResult[];
  /** Every other skill with a signal, the best first. A skill that is not listed had no signal. */
  readonly leftOut: readonly LeftOutSkill[];
}

/**
 * Returns the skills that activate by themselves for a message, the best first. The same input gives the same result.
 *
 * @param linear Returns the linear engine, for skills that are given as a list. Called only when a pattern needs it.
 * @throws {RangeError} If `tokenBudget` or `maxActivated` is no number of 0 or more.
 */
export function matchSkills(
  library: SkillLibrary | readonly Skill[],
  input: MatchInput,
  options: MatchOptions,
  linear: () => PatternEngine | null,
): MatchResult[] {
  const compiled = "skills" in library ? library : libraryOf(library, linear);
  return [...explainMatch(compiled, input, options).results];
}

/**
 * As `matchSkills`, with the skills that do not activate and why. Source: docs/skills-matching.md, "Why a skill does
 * not come".
 *
 * @throws {RangeError} As `matchSkills`.
 */
export function explainMatch(library: SkillLibrary, input: MatchInput, options: MatchOptions = {}): MatchExplanation {
  const { tokenBudget = DEFAULT_TOKEN_BUDGET, maxActivated = DEFAULT_MAX_ACTIVATED } = options;
  for (const [name, value] of Object.entries({ tokenBudget, maxActivated })) {
    if (!(value >= 0))
      throw new RangeError(`Cannot match skills as ${name} must be a number >= 0: current value is ${value}`);
  }
  const leftOut: LeftOutSkill[] = [];
  const leave = ({ skill, score, signals }: Candidate, cause: LeftOutCause, reason: string) =>
    void leftOut.push({ name: skill.name, score, signals, cause, reason });

  const fitting = candidatesOf(library, input, options).filter((candidate) => {
    const left = unfit(candidate, library, input, options);
    if (left) leave(candidate, ...left);
    return !left;
  });
  const best = bestOfGroups(fitting);
  const sorted = fitting
    .filter((candidate) => {
      const { exclusiveGroup } = candidate.skill;
      if (exclusiveGroup === undefined) return true;
      const winner = best.get(exclusiveGroup)!;
      if (winner !== candidate)
        leave(candidate, "group", `${winner.skill.name} comes from the group ${exclusiveGroup}`);
      return winner === candidate;
    })
    .sort(byScore);

  const results: MatchResult[] = [];
  const shown = new Set<string>();
  let left = tokenBudget;
  for (const [place, candidate] of sorted.entries()) {
    const { skill, score, signals } = candidate;
    if (place >= maxActivated) {
      leave(candidate, "limit", `${place} others are better, and at most ${maxActivated} are activated`);
    } else if (shown.has(skill.name)) {
      leave(candidate, "included", "Its text stands before that of another result");
    } else {
      const { text, tokens, isCut, includes } = skillText(library, skill, shown, tokenBudget);
      if (tokens > left) {
        leave(candidate, "budget", `It has ${tokens} tokens, and ${left} of ${tokenBudget} are left`);
        continue;
      }
      left -= tokens;
      for (const name of includes) shown.add(name);
      results.push({ name: skill.name, skill, score, signals, text, tokens, isCut, includes });
    }
  }
  return {
    results,
    leftOut: leftOut.sort((one, other) => other.score - one.score || compareText(one.name, other.name)),
  };
}

/** A skill with a signal. */
interface Candidate {
  readonly skill: Skill;
  readonly score: number;
  readonly signals: readonly MatchSignal[];
}

/** Why a candidate does not activate, independent of the other candidates. */
function unfit(
  { skill, score }: Candidate,
  library: SkillLibrary,
  { userId }: MatchInput,
  { now, lastActivated, isOffered = () => true }: MatchOptions,
): [LeftOutCause, string] | undefined {
  const isFor = (one: Skill) =>
    (one.people === undefined || (userId !== undefined && one.people.includes(userId))) && isOffered(one);
  if (!isFor(skill)) return ["not-offered", "It is not offered here"];
  const missing = neededBy(library, skill).find((one) => !isFor(one));
  if (missing) return ["not-offered", `It needs ${missing.name}, which is not offered here`];
  const threshold = skill.triggers?.confidenceThreshold ?? 0.5;
  if (score < threshold) return ["threshold", `${score} is less than ${threshold}`];
  const last = own(lastActivated, skill.name);
  if (now === undefined || last === undefined) return undefined;
  // The absolute value, so that a clock that was set back does not prolong the cool-down.
  const elapsed = Math.abs(now - last) / 1000;
  return elapsed < skill.cooldown
    ? ["cool-down", `It is cooling down: it was activated ${elapsed} of ${skill.cooldown} seconds ago`]
    : undefined;
}

/** The winner of each group: the highest priority, then score, then name. */
function bestOfGroups(candidates: readonly Candidate[]): ReadonlyMap<string, Candidate> {
  const best = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { exclusiveGroup } = candidate.skill;
    if (exclusiveGroup === undefined) continue;
    const other = best.get(exclusiveGroup);
    if (!other || byPriority(candidate, other) < 0) best.set(exclusiveGroup, candidate);
  }
  return best;
}

function byPriority(one: Candidate, other: Candidate): number {
  return (
    other.skill.priority - one.skill.priority ||
    other.score - one.score ||
    compareText(one.skill.name, other.skill.name)
  );
}

function byScore(one: Candidate, other: Candidate): number {
  return other.score - one.score || byPriority(one, other);
}

function candidatesOf(library: SkillLibrary, input: MatchInput, options: MatchOptions): Candidate[] {
  const candidates: Candidate[] = [];
  for (const [skill, signals] of findSignals(library, input)) {
    const sum = Math.min(1, rounded(signals.reduce((total, { weight }) => total + weight, 0)));
    if (sum === 0) continue;
    const feedback = feedbackSignal(sum, own(options.feedback, skill.name));
    const score = feedback ? rounded(sum + feedback.weight) : sum;
    candidates.push({ skill, score, signals: feedback ? [...signals, feedback] : signals });
  }
  return candidates;
}

/** Weighs the share of verdicts that are helpful. No verdict counts neither way. */
function feedbackSignal(score: number, feedback: SkillFeedback | undefined): MatchSignal | undefined {
  if (!feedback || feedback.activations < MIN_ACTIVATIONS) return undefined;
  const { helpful, notHelpful } = feedback;
  const said = helpful + notHelpful;
  const rate = said > 0 ? helpful / said : undefined;
  if (rate === undefined) return undefined;
  let factor = 1;
  if (rate > GOOD_RATE) factor = GOOD_FACTOR;
  else if (rate < BAD_RATE && notHelpful >= MIN_NOT_HELPFUL) factor = BAD_FACTOR;
  const weight = rounded(Math.min(1, score * factor) - score);
  return factor === 1 ? undefined : { kind: "feedback", matched: `${helpful} of ${said} helpful`, weight };
}

const libraries = new WeakMap<
  readonly Skill[],
  { readonly skills: readonly Skill[]; readonly library: SkillLibrary }
>();

/** Caches the library of a list, unless the list changed since. */
function libraryOf(skills: readonly Skill[], linear: () => PatternEngine | null): SkillLibrary {
  const before = libraries.get(skills);
  if (before?.skills.length === skills.length && before.skills.every((skill, index) => skill === skills[index]))
    return before.library;
  const library = createLibrary(skills, {}, linear);
  libraries.set(skills, { skills: [...skills], library });
  return library;
}
