import type { Drive, Goal } from "../../goals/index.ts";
import { tokensOf } from "../../memory/index.ts";

/** Share of a goal's focus words that a task must exceed to serve the goal; also the minimum semantic similarity. */
export const SERVES = 0.6;
/** Minimum intensity of a drive, of 5. */
const STRONG = 4;
const MAX_INTENSITY = 5;
const ONE_SIGN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u;

/** Kinds of initiative. */
export const INITIATIVE_TYPES = ["goal_alignment", "drive_nudge", "pattern_suggestion"] as const;
export type InitiativeType = (typeof INITIATIVE_TYPES)[number];

/** A finding that waits for an answer. A `Detection` is one. */
export interface OpenPattern {
  /** The finding's key. */
  readonly key: string;
  /** Confidence, 0 to 1. */
  readonly confidence: number;
  /** What to tell the person. */
  readonly suggestion: { readonly text: string };
  /** Answered findings are left out. Default `open`. */
  readonly state?: string;
}

/** A person's goals, drives and open findings. */
export interface InitiativeProfile {
  /** Goals, as in goals.yaml. Default none. */
  readonly goals?: readonly Pick<Goal, "objective" | "currentFocus">[];
  /** Drives, as `coreDrives` in goals.yaml. Default none. */
  readonly drives?: readonly Drive[];
  /** Findings. Default none. */
  readonly patterns?: readonly OpenPattern[];
  /** Factors for the confidence of each type, from the person's answers. Default 1. */
  readonly weights?: Readonly<Partial<Record<InitiativeType, number>>>;
  /** Semantic similarity of the task to a focus, 0 to 1, if there is an embedder. Default: only words are compared. */
  likenessTo?(focus: string): number | undefined;
}

/** Something the assistant could bring up in a task. */
export interface Initiative {
  /** Its source. */
  readonly type: InitiativeType;
  /** Confidence, 0 to 1. */
  readonly confidence: number;
  /** The goal's objective, the drive's name, or the finding's key. */
  readonly driveReference: string;
  /** What to say about it, in one sentence. */
  readonly message: string;
}

/**
 * Returns the goals, drives and open findings of a person that a task touches: goals of whose focus words it has more
 * than 0.6, drives of intensity 4 or more of which it has a word, and every open finding.
 *
 * Source: docs/patterns.md, "Initiative".
 *
 * @returns Initiatives, those with the highest confidence first.
 */
export function evaluateInitiative(taskText: string, profile: InitiativeProfile): Initiative[] {
  const { goals = [], drives = [], patterns = [], weights = {} } = profile;
  const said = new Set(wordsOf(taskText));
  const weighted = (type: InitiativeType, confidence: number) =>
    Math.min(1, Math.max(0, confidence * (weights[type] ?? 1)));
  const initiatives: Initiative[] = [];
  for (const { objective, currentFocus } of goals) {
    const share = Math.max(shareOf(currentFocus ?? "", said), profile.likenessTo?.(currentFocus ?? "") ?? 0);
    if (currentFocus === undefined || share <= SERVES) continue;
    const message = `This task serves the person's goal “${objective}”, whose focus now is: ${currentFocus}`;
    const confidence = weighted("goal_alignment", share);
    initiatives.push({ type: "goal_alignment", confidence, driveReference: objective, message });
  }
  for (const { name, intensity, keywords = [] } of drives) {
    if (intensity < STRONG) continue;
    const word = [...wordsOf(name).map((one) => [one]), ...keywords.map(wordsOf)].find(
      (words) => words.length > 0 && words.every((one) => said.has(one)),
    );
    if (word === undefined) continue;
    const message = `This task touches what moves the person: ${name} (${intensity} of ${MAX_INTENSITY})`;
    const confidence = weighted("drive_nudge", intensity / MAX_INTENSITY);
    initiatives.push({ type: "drive_nudge", confidence, driveReference: name, message });
  }
  for (const { key, confidence, suggestion, state = "open" } of patterns) {
    if (state !== "open") continue;
    const type = "pattern_suggestion";
    initiatives.push({ type, confidence: weighted(type, confidence), driveReference: key, message: suggestion.text });
  }
  return initiatives.sort((one, other) => other.confidence - one.confidence);
}

function shareOf(focus: string, said: ReadonlySet<string>): number {
  const words = wordsOf(focus);
  return words.length === 0 ? 0 : words.filter((word) => said.has(word)).length / words.length;
}

/**
 * Returns distinct stems, and character pairs in scripts without spaces. Single characters only if there is nothing
 * else.
 */
function wordsOf(text: string): readonly string[] {
  const tokens = [...new Set(tokensOf(text))];
  const telling = tokens.filter((token) => !ONE_SIGN.test(token));
  return telling.length > 0 ? telling : tokens;
}
