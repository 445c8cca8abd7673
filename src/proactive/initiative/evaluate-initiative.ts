import type { Drive, Goal } from "../../goals/index.ts";
import { tokensOf } from "../../memory/index.ts";

/** Share of the words of a goal's focus that a task must have more of to serve the goal; also the least likeness in meaning. */
export const SERVES = 0.6;
/** How strong a drive must be to speak up, of 5. */
const STRONG = 4;
const MAX_INTENSITY = 5;
const ONE_SIGN = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u;

/** Why the assistant could become active. */
export const INITIATIVE_TYPES = ["goal_alignment", "drive_nudge", "pattern_suggestion"] as const;
export type InitiativeType = (typeof INITIATIVE_TYPES)[number];

/** A finding that waits for an answer; a `Detection` is one. */
export interface OpenPattern {
  /** Of the finding. */
  readonly key: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** What the person could be told. */
  readonly suggestion: { readonly text: string };
  /** One that was answered is left out. Default `open`. */
  readonly state?: string;
}

/** What moves a person. */
export interface InitiativeProfile {
  /** As in goals.yaml. Default none. */
  readonly goals?: readonly Pick<Goal, "objective" | "currentFocus">[];
  /** As `coreDrives` in goals.yaml. Default none. */
  readonly drives?: readonly Drive[];
  /** Findings. Default none. */
  readonly patterns?: readonly OpenPattern[];
  /** What the person's answers made of each type: its confidence is multiplied by it. Default 1. */
  readonly weights?: Readonly<Partial<Record<InitiativeType, number>>>;
  /** How near the task is to a focus in meaning, 0 to 1, for who has an embedder. Default: words alone decide. */
  likenessTo?(focus: string): number | undefined;
}

/** Something that the assistant could bring up in a task. */
export interface Initiative {
  /** What it comes from. */
  readonly type: InitiativeType;
  /** 0 to 1. */
  readonly confidence: number;
  /** The goal's objective, the drive's name, or the finding's key. */
  readonly driveReference: string;
  /** What could be said of it, in a sentence. */
  readonly message: string;
}

/**
 * What of a person's goals, drives and open findings a task touches: more than 0.6 of the words of a goal's focus, a word of a drive of intensity 4 or more, and every
 * open finding.
 *
 * Source: docs/patterns.md, "Initiative".
 *
 * @returns The surest first.
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

/** Stems, and pairs of signs where a script has no spaces; each once. A single sign alone when there is nothing else. */
function wordsOf(text: string): readonly string[] {
  const tokens = [...new Set(tokensOf(text))];
  const telling = tokens.filter((token) => !ONE_SIGN.test(token));
  return telling.length > 0 ? telling : tokens;
}
