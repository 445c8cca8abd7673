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
/** Most alternatives of a pattern that are compiled one by one; a pattern with more is compiled as a whole. */
const MAX_ALTERNATIVES = 200;
/**
 * Steps that the runtime's own engine may need for one alternative before the linear engine replaces it: under a
 * millisecond.
 */
const MAX_STEPS = 50_000;
/** The same without a linear engine: only the beginning of a longer text is searched. */
const MAX_STEPS_ALONE = 500_000;
/** Characters that `.` does not match. */
const LINE_END = /[\n\r\u2028\u2029]/;
const GAP = /\.\*\??/;
const PLAIN_TEXT = /^(?:[^.\\()[\]{}*+?|^$]|\\[^A-Za-z0-9])*$/u;

/**
 * Costs, relative to one character that the runtime's own engine reads once: of a pattern that backtracks there, and
 * of a character in the linear engine.
 */
const OWN_ENGINE_COST = 5000;
const LINEAR_ENGINE_COST = 16;
/** Characters that a plain text search reads in the same time. */
const SEARCH_SPEED = 16;

/** One alternative of an intent pattern. */
export interface Alternative {
  /** Case-folded texts: a match contains one of them. null: no text is certain, so every message is tried. */
  readonly needs: readonly string[] | null;
  /** Cost of `test`, in characters that are read once. */
  costOf(message: MessageForm): number;
  /**
   * Contract: called only if one of `needs` is in the message. Its time is linear in the text, or bounded by
   * `MAX_STEPS`.
   */
  test(message: MessageForm): boolean;
}

/** A message in the form that alternatives read. */
export interface MessageForm {
  readonly text: string;
  /** Its lines, case-folded. */
  readonly lines: readonly string[];
}

/** Prepares a text for alternatives. */
export function messageForm(text: string): MessageForm {
  return { text, lines: text.split(LINE_END).map(foldCase) };
}

/** A compiled pattern of a skill: its alternatives, or why it is rejected. */
export type IntentPattern =
  | { readonly ok: true; readonly alternatives: readonly Alternative[]; readonly usesLinearEngine: boolean }
  | { readonly ok: false; readonly reason: string };

/** The part of an intent pattern's compilation that does not depend on the engine, which is most of the work. */
export interface IntentReading {
  readonly pattern: string;
  /** Empty if the pattern is too long. */
  readonly parts: readonly Part[];
}

/** One alternative, before its engine is chosen. */
interface Part {
  readonly source: string;
  readonly needs: Alternative["needs"];
  /** Case-folded texts: the alternative matches a line that has them in this order. */
  readonly sequence?: readonly string[];
  readonly plain: PlainPattern;
}

/** Reads an intent pattern, ignoring case. */
export function readIntent(pattern: string): IntentReading {
  if (pattern.length > MAX_PATTERN) return { pattern, parts: [] };
  const source = pattern.replace(/^\(\?i\)/, "");
  const split = alternativesOf(source);
  const parts = (split.length > MAX_ALTERNATIVES ? [source] : split).map((one) => ({
    source: one,
    needs: requiredTexts(one),
    ...sequenceIn(one),
    plain: plainPattern(`(?i)${one}`),
  }));
  return { pattern, parts };
}

/**
 * Chooses an engine for each alternative: the runtime's own if the pattern cannot slow it down, else the linear
 * engine.
 *
 * @param linear Returns the linear engine, or null if there is none. Called only when it is needed.
 */
export function compileIntent({ pattern, parts }: IntentReading, linear: () => PatternEngine | null): IntentPattern {
  if (parts.length === 0)
    return { ok: false, reason: `it has ${pattern.length} characters, but at most ${MAX_PATTERN} are allowed` };
  const alternatives: Alternative[] = [];
  let usesLinearEngine = false;
  for (const { source, needs, sequence, plain } of parts) {
    if (sequence !== undefined) {
      alternatives.push(sequenceAlternative(needs, sequence));
      continue;
    }
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
      const costOf = ({ text }: MessageForm) => text.length * LINEAR_ENGINE_COST;
      alternatives.push({ needs, costOf, test: ({ text }) => compiled.test(text) });
    } catch (error) {
      return { ok: false, reason: messageOf(error) };
    }
  }
  return { ok: true, alternatives, usesLinearEngine };
}

/** `分析.*趋势`: by far the most frequent kind of pattern besides plain text, and matched without an engine. */
function sequenceIn(source: string): Pick<Part, "sequence"> {
  const texts = source.split(GAP);
  if (texts.length < 2 || !texts.every((text) => PLAIN_TEXT.test(text))) return {};
  const sequence = texts.filter((text) => text !== "").map((text) => foldCase(text.replaceAll(/\\(.)/gu, "$1")));
  return sequence.length > 0 ? { sequence } : {};
}

function sequenceAlternative(needs: Part["needs"], sequence: readonly string[]): Alternative {
  function isIn(line: string): boolean {
    let from = 0;
    for (const text of sequence) {
      const at = line.indexOf(text, from);
      if (at < 0) return false;
      from = at + text.length;
    }
    return true;
  }
  const costOf = ({ text, lines }: MessageForm) => text.length / SEARCH_SPEED + lines.length;
  return { needs, costOf, test: ({ lines }) => lines.some(isIn) };
}

function plainAlternative(
  source: string,
  needs: Part["needs"],
  plain: Extract<PlainPattern, { ok: true }>,
  linear: () => PatternEngine | null,
): Alternative {
  const { expression, costOf } = plain;
  if (plain.isText && needs !== null) return { needs, costOf: () => 0, test: () => true };
  if (plain.isLinear)
    return { needs, costOf: ({ text }) => costOf(text.length), test: ({ text }) => expression.test(text) };
  /** Compiled for the first text that is too long for the runtime's own engine. */
  let compiled: { test(text: string): boolean } | null | undefined;
  return {
    needs,
    costOf({ text }) {
      const steps = costOf(text.length);
      return steps <= MAX_STEPS ? Math.min(steps, OWN_ENGINE_COST) : text.length * LINEAR_ENGINE_COST;
    },
    test({ text }) {
      if (costOf(text.length) <= MAX_STEPS) return expression.test(text);
      compiled ??= linear()?.compile(`(?i)${source}`) ?? null;
      return compiled?.test(text) ?? expression.test(beginning(text, costOf));
    },
  };
}

/** The longest beginning of the text that costs at most `MAX_STEPS_ALONE`. */
function beginning(text: string, costOf: (length: number) => number): string {
  let length = text.length;
  while (costOf(length) > MAX_STEPS_ALONE) length = Math.floor(length * 0.9);
  return text.slice(0, length);
}
