import type { SkillFeedback } from "./match.ts";
import { own, rounded } from "./signals.ts";
import type { Skill } from "./skill.ts";
import { contentWords } from "./words.ts";

const CHANNEL_WEIGHT = 0.4;
const KEYWORD_WEIGHT = 0.3;
const HISTORY_WEIGHT = 0.2;
const RECENCY_WEIGHT = 0.1;
/** Words of a message that must match for the full keyword score. */
const ENOUGH_WORDS = 4;
/** Activations at which the history counts half. */
const HALF_HISTORY = 3;
const RECENCY_HALF_LIFE_MS = 7 * 24 * 60 * 60 * 1000;
/** Scores that differ by less are close. */
const CLOSE = 0.1;

/** Input of a recommendation. */
export interface RecommendInput {
  /** What the person wrote. */
  readonly taskInput: string;
  /** The channel of the session. Default: unknown. */
  readonly channel?: string;
  /** The memory user who wrote the message. Without it, skills for certain people are not recommended. */
  readonly userId?: string;
}

/** Options of a recommendation. */
export interface RecommendOptions {
  /** Skills to choose from; an empty list means all. Default all. */
  readonly names?: readonly string[];
  /** How often each skill was used, and the feedback on it, by name. Default none. */
  readonly history?: Readonly<Record<string, SkillFeedback>>;
  /** When each skill was last used, by name, in milliseconds since the epoch. Default never. */
  readonly lastActivated?: Readonly<Record<string, number>>;
  /** Milliseconds since the epoch. Default: nothing is recent. */
  readonly now?: number;
  /** Most skills. Default 5. */
  readonly limit?: number;
}

/** A skill that may fit. */
export interface RecommendedSkill {
  /** `skill.name`. */
  readonly name: string;
  /** The skill that may fit. */
  readonly skill: Skill;
  /** 0 to 1: the sum of the parts. */
  readonly score: number;
  /** What each part adds: the channel at most 0.4, words 0.3, history 0.2, recency 0.1. */
  readonly parts: {
    /** At most 0.4. */
    readonly channel: number;
    /** At most 0.3. */
    readonly keyword: number;
    /** At most 0.2. */
    readonly history: number;
    /** At most 0.1. */
    readonly recency: number;
  };
}

/** The skills that may fit, ranked. */
export interface Recommendation {
  /** The best first. */
  readonly ranked: readonly RecommendedSkill[];
  /** Whether the second is less than 0.1 behind the first: a caller may ask a model to choose. */
  readonly isClose: boolean;
}

/**
 * Ranks the skills that have no triggers, by rules alone. A skill that shares no word with the message is not
 * recommended.
 *
 * Channel: in full if the skill names the channel, half if it names none, nothing if it names others. Words: the
 * share of the message's content words, at most four, that occur in its name and description. History: how often it
 * was activated, and the share of helpful verdicts. Recency: halves every seven days.
 *
 * Source: docs/skills-matching.md, "Recommendations".
 */
export function recommendSkills(
  skills: readonly Skill[],
  input: RecommendInput,
  options: RecommendOptions = {},
): Recommendation {
  const { names = [], limit = 5 } = options;
  const words = contentWords(input.taskInput);
  const { userId } = input;
  const ranked = skills
    .filter(({ triggers }) => triggers === undefined)
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .filter(({ people }) => people === undefined || (userId !== undefined && people.includes(userId)))
    .map((skill) => scored(skill, words, input, options))
    .filter(({ parts }) => parts.keyword > 0)
    .sort(
      (one, other) =>
        other.score - one.score || other.skill.priority - one.skill.priority || (one.name < other.name ? -1 : 1),
    )
    .slice(0, limit);
  const [first, second] = ranked;
  return { ranked, isClose: first !== undefined && second !== undefined && first.score - second.score < CLOSE };
}

function scored(
  skill: Skill,
  words: ReadonlySet<string>,
  { channel }: RecommendInput,
  { history, lastActivated, now }: RecommendOptions,
): RecommendedSkill {
  const parts = {
    channel: rounded(CHANNEL_WEIGHT * channelShare(skill, channel)),
    keyword: rounded(KEYWORD_WEIGHT * wordShare(skill, words)),
    history: rounded(HISTORY_WEIGHT * historyShare(own(history, skill.name))),
    recency: rounded(RECENCY_WEIGHT * recencyShare(own(lastActivated, skill.name), now)),
  };
  const score = rounded(parts.channel + parts.keyword + parts.history + parts.recency);
  return { name: skill.name, skill, score, parts };
}

function channelShare({ requires: { channels } }: Skill, channel: string | undefined): number {
  if (channels.length === 0) return 0.5;
  return channel !== undefined && channels.includes(channel) ? 1 : 0;
}

function wordShare({ name, description }: Skill, words: ReadonlySet<string>): number {
  if (words.size === 0) return 0;
  const has = contentWords(`${name.replaceAll("-", " ")} ${description}`);
  const found = [...words].filter((word) => has.has(word)).length;
  return Math.min(1, found / Math.min(words.size, ENOUGH_WORDS));
}

function historyShare(feedback: SkillFeedback | undefined): number {
  if (!feedback || feedback.activations <= 0) return 0;
  const { activations, helpful, notHelpful } = feedback;
  // One vote each way is added, so that a single verdict does not decide.
  return (activations / (activations + HALF_HISTORY)) * ((helpful + 1) / (helpful + notHelpful + 2));
}

function recencyShare(last: number | undefined, now: number | undefined): number {
  if (last === undefined || now === undefined) return 0;
  return 0.5 ** (Math.max(0, now - last) / RECENCY_HALF_LIFE_MS);
}
