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
/** What `.` stands for no sign of. */
const LINE_END = /[\n\r\u2028\u2029]/;
const GAP = /\.\*\??/;
const PLAIN_TEXT = /^(?:[^.\\()[\]{}*+?|^$]|\\[^A-Za-z0-9])*$/u;

/** Costs, where a character that the runtime's own engine reads once is 1: of what that engine tries again and again, of a character of the linear engine. */
const OWN_ENGINE_COST = 5000;
const LINEAR_ENGINE_COST = 16;
/** Characters that a search for plain text reads in the same time. */
const SEARCH_SPEED = 16;

/** One alternative of an intent pattern. */
export interface Alternative {
  /** With case folded: a match has one of these. null: nothing is certain, so it is tried with every text. */
  readonly needs: readonly string[] | null;
  /** What `test` takes, in characters that are read once. */
  costOf(message: MessageForm): number;
  /** Contract: is asked where one of `needs` stands in the message. Takes time in proportion to the text, or is bounded by `MAX_STEPS`. */
  test(message: MessageForm): boolean;
}

/** A message as alternatives read it. */
export interface MessageForm {
  readonly text: string;
  /** Its lines, with case folded. */
  readonly lines: readonly string[];
}

/** Makes a text ready to be read by alternatives. */
export function messageForm(text: string): MessageForm {
  return { text, lines: text.split(LINE_END).map(foldCase) };
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
  /** With case folded: it matches a line that has these texts in this order. */
  readonly sequence?: readonly string[];
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
    ...sequenceIn(one),
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

/** `分析.*趋势`: by far the most frequent of what is no plain text, and found without an engine. */
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
  /** Compiled with the first text that is too long for the runtime's own engine. */
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

/** As much of the text as costs no more than `MAX_STEPS_ALONE`. */
function beginning(text: string, costOf: (length: number) => number): string {
  let length = text.length;
  while (costOf(length) > MAX_STEPS_ALONE) length = Math.floor(length * 0.9);
  return text.slice(0, length);
}
