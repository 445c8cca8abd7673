import { messageOf } from "../errors.ts";
import {
  type PatternEngine,
  type PlainPattern,
  alternativesOf,
  foldCase,
  plainPattern,
  requiredTexts,
} from "../patterns/index.ts";

/** Longest pattern of a skill, in characters. */
export const MAX_PATTERN = 1000;
/** Most alternatives of a pattern that are judged one by one; a longer one is taken as a whole. */
const MAX_ALTERNATIVES = 200;
/** Steps that the runtime's own engine may need for one alternative before the linear engine takes its place: under a millisecond. */
const MAX_STEPS = 50_000;
/** The same where there is no linear engine: of a longer text only the beginning is looked at. */
const MAX_STEPS_ALONE = 500_000;

/** One alternative of an intent pattern. */
export interface Alternative {
  /** With case folded: a match has one of these. null: nothing is certain, so it is tried with every text. */
  readonly needs: readonly string[] | null;
  /** It is plain text: it matches when one of `needs` stands in the text. */
  readonly isText: boolean;
  /** Contract: takes time in proportion to the text, or is bounded by `MAX_STEPS`. */
  test(text: string): boolean;
}

/** A pattern of a skill that was compiled: what matches, or why it is not taken. */
export type IntentPattern =
  | { readonly ok: true; readonly alternatives: readonly Alternative[]; readonly usesLinearEngine: boolean }
  | { readonly ok: false; readonly reason: string };

/** What is known of an intent pattern whatever engine there is: most of the work of compiling it. */
export interface IntentReading {
  readonly pattern: string;
  /** Empty where the pattern is too long to be read. */
  readonly parts: readonly Part[];
}

/** One alternative, before it is known on which engine it runs. */
interface Part {
  readonly source: string;
  readonly needs: Alternative["needs"];
  readonly plain: PlainPattern;
}

/** Reads an intent pattern, without regard to case. */
export function readIntent(pattern: string): IntentReading {
  if (pattern.length > MAX_PATTERN) return { pattern, parts: [] };
  const source = pattern.replace(/^\(\?i\)/, "");
  const split = alternativesOf(source);
  const parts = (split.length > MAX_ALTERNATIVES ? [source] : split).map((one) => ({
    source: one,
    needs: requiredTexts(one),
    plain: plainPattern(`(?i)${one}`),
  }));
  return { pattern, parts };
}

/**
 * Gives each alternative its engine: the runtime's own where that cannot be slowed down, the linear engine for every other.
 *
 * @param linear Gives the linear engine, or null where there is none. Called only when it is needed.
 */
export function compileIntent({ pattern, parts }: IntentReading, linear: () => PatternEngine | null): IntentPattern {
  if (parts.length === 0)
    return { ok: false, reason: `it has ${pattern.length} characters, and at most ${MAX_PATTERN} are taken` };
  const alternatives: Alternative[] = [];
  let usesLinearEngine = false;
  for (const { source, needs, plain } of parts) {
    if (plain.ok) {
      alternatives.push(plainAlternative(source, needs, plain, linear));
      continue;
    }
    const engine = linear();
    if (engine === null)
      return { ok: false, reason: `${plain.reason}, which needs a linear engine, and this runtime was given none` };
    usesLinearEngine = true;
    try {
      const compiled = engine.compile(`(?i)${source}`);
      alternatives.push({ needs, isText: false, test: (text) => compiled.test(text) });
    } catch (error) {
      return { ok: false, reason: messageOf(error) };
    }
  }
  return { ok: true, alternatives, usesLinearEngine };
}

function plainAlternative(
  source: string,
  needs: Part["needs"],
  plain: Extract<PlainPattern, { ok: true }>,
  linear: () => PatternEngine | null,
): Alternative {
  const { expression } = plain;
  const [text] = needs ?? [];
  if (plain.isText && text !== undefined)
    return { needs, isText: true, test: (message) => foldCase(message).includes(text) };
  if (plain.isLinear) return { needs, isText: false, test: (text) => expression.test(text) };
  /** Compiled with the first text that is too long for the runtime's own engine. */
  let compiled: { test(text: string): boolean } | null | undefined;
  return {
    needs,
    isText: false,
    test(text) {
      if (plain.costOf(text.length) <= MAX_STEPS) return expression.test(text);
      compiled ??= linear()?.compile(`(?i)${source}`) ?? null;
      return compiled?.test(text) ?? expression.test(beginning(text, plain.costOf));
    },
  };
}

/** As much of the text as costs no more than `MAX_STEPS_ALONE`. */
function beginning(text: string, costOf: (length: number) => number): string {
  let length = text.length;
  while (costOf(length) > MAX_STEPS_ALONE) length = Math.floor(length * 0.9);
  return text.slice(0, length);
}
