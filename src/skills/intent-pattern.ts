import { messageOf } from "../errors.ts";
import { type PatternEngine, alternativesOf, foldCase, plainPattern, requiredTexts } from "../patterns/index.ts";

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

/** A pattern of a skill that was read: what matches, or why it is not taken. */
export type IntentPattern =
  | { readonly ok: true; readonly alternatives: readonly Alternative[]; readonly usesLinearEngine: boolean }
  | { readonly ok: false; readonly reason: string };

/**
 * Compiles an intent pattern, without regard to case. Each alternative that the runtime's own engine cannot be slowed down with runs there, every other on the
 * linear engine.
 *
 * @param linear Gives the linear engine, or null where there is none. Called only when it is needed.
 */
export function compileIntent(pattern: string, linear: () => PatternEngine | null): IntentPattern {
  if (pattern.length > MAX_PATTERN)
    return { ok: false, reason: `it has ${pattern.length} characters, and at most ${MAX_PATTERN} are taken` };
  const source = pattern.replace(/^\(\?i\)/, "");
  const split = alternativesOf(source);
  const alternatives: Alternative[] = [];
  let usesLinearEngine = false;
  for (const one of split.length > MAX_ALTERNATIVES ? [source] : split) {
    const plain = plainAlternative(one, linear);
    if ("test" in plain) {
      alternatives.push(plain);
      continue;
    }
    const engine = linear();
    if (engine === null)
      return { ok: false, reason: `${plain.reason}, which needs a linear engine, and this runtime was given none` };
    usesLinearEngine = true;
    try {
      const compiled = engine.compile(`(?i)${one}`);
      alternatives.push({ needs: requiredTexts(one), isText: false, test: (text) => compiled.test(text) });
    } catch (error) {
      return { ok: false, reason: messageOf(error) };
    }
  }
  return { ok: true, alternatives, usesLinearEngine };
}

function plainAlternative(
  source: string,
  linear: () => PatternEngine | null,
): Alternative | { readonly reason: string } {
  const exact = plainPattern(source);
  if (!exact.ok) return exact;
  if (exact.literal !== undefined && exact.literal !== "") {
    const literal = foldCase(exact.literal);
    return { needs: [literal], isText: true, test: (text) => foldCase(text).includes(literal) };
  }
  const plain = plainPattern(`(?i)${source}`);
  if (!plain.ok) return plain;
  const needs = requiredTexts(source);
  const { expression } = plain;
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
