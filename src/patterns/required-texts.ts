import { foldCase } from "./fold-case.ts";

/** Most texts of a set: a pattern that needs one of more is looked for without. */
const MAX_TEXTS = 64;
/** Most texts that a sequence is multiplied to before it is cut in two. */
const MAX_PRODUCT = 16;
/** Most characters of a class that is written out. */
const MAX_CLASS = 4;

const QUANTIFIER = /^(?:[*+?]|\{(\d{1,4})(?:,\d{0,4})?\})[?+]?/;
const OPENING = /^\((?:\?(?:P?<\w+>|[imsU-]*:))?(?!\?)/;
const FLAGS = /^\(\?[imsU-]+\)/;
const ANY_CHARACTER = /^(?:\.|\\[dDwWsStnrfv])/;
const BORDER = /^(?:[\^$]|\\[bBAz])/;

/** What is known of a piece of a pattern. */
interface Known {
  /** All texts that it matches; null: too many to write down. */
  readonly all: readonly string[] | null;
  /** Whatever it matches has one of these; null: nothing is known. */
  readonly some: readonly string[] | null;
}

const UNKNOWN: Known = { all: null, some: null };
const NOTHING: Known = { all: [""], some: null };

/**
 * Texts of which every match of a pattern contains at least one, with case folded: what a search for plain text can rule out before an engine runs.
 * Takes the syntax of RE2.
 *
 * @returns null where nothing is known: the pattern may match without any certain text, or has something that is not understood here.
 */
export function requiredTexts(pattern: string): readonly string[] | null {
  try {
    const reader = { rest: pattern };
    const known = readAlternatives(reader);
    if (reader.rest !== "") return null;
    return known.some === null ? null : [...new Set(known.some.map(foldCase))];
  } catch (error) {
    if (error instanceof NotUnderstood) return null;
    throw error;
  }
}

/**
 * The alternatives of a pattern at its outermost level: it matches what one of them matches.
 *
 * @returns The pattern alone where it has something that could reach over the bars.
 */
export function alternativesOf(pattern: string): readonly string[] {
  const alternatives: string[] = [];
  let from = 0;
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const rest = pattern.slice(at);
    if (FLAGS.test(rest) || rest.startsWith("\\Q")) return [pattern];
    const sign = pattern.charAt(at);
    if (sign === "\\") at += 1;
    else if (sign === "(") depth += 1;
    else if (sign === ")") depth -= 1;
    else if (sign === "[") {
      const end = classEnd(pattern, at);
      if (end === undefined) return [pattern];
      at = end - 1;
    } else if (sign === "|" && depth === 0) {
      alternatives.push(pattern.slice(from, at));
      from = at + 1;
    }
    if (depth < 0) return [pattern];
  }
  return depth === 0 ? [...alternatives, pattern.slice(from)] : [pattern];
}

class NotUnderstood extends Error {}

function readAlternatives(reader: { rest: string }): Known {
  const found = [readSequence(reader)];
  while (reader.rest.startsWith("|")) {
    reader.rest = reader.rest.slice(1);
    found.push(readSequence(reader));
  }
  return { all: united(found.map(({ all }) => all)), some: united(found.map(({ some }) => some)) };
}

function united(sets: readonly (readonly string[] | null)[]): readonly string[] | null {
  const texts = sets.flatMap((set) => set ?? []);
  return sets.includes(null) || texts.length > MAX_TEXTS ? null : texts;
}

function readSequence(reader: { rest: string }): Known {
  /** The texts that stand here without a gap. */
  let run: readonly string[] = [""];
  let isWhole = true;
  let best: readonly string[] | null = null;
  const close = (next: readonly string[]) => {
    best = better(best, run);
    run = next;
    isWhole = false;
  };
  while (reader.rest !== "" && !/^[|)]/.test(reader.rest)) {
    const item = readRepeated(reader);
    if (item.all === null) {
      close([""]);
      best = better(best, item.some);
    } else if (run.length * item.all.length > MAX_PRODUCT) close(item.all);
    else run = run.flatMap((before) => item.all!.map((text) => before + text));
  }
  return { all: isWhole ? run : null, some: better(best, run) };
}

function readRepeated(reader: { rest: string }): Known {
  const item = readItem(reader);
  const [whole, from] = QUANTIFIER.exec(reader.rest) ?? [];
  if (whole === undefined) return item;
  reader.rest = reader.rest.slice(whole.length);
  if (QUANTIFIER.test(reader.rest)) throw new NotUnderstood();
  if (whole.startsWith("?")) return { all: item.all === null ? null : [...item.all, ""], some: null };
  const isNeeded = whole.startsWith("+") || Number(from ?? 0) > 0;
  return isNeeded ? { all: null, some: item.some } : UNKNOWN;
}

function readItem(reader: { rest: string }): Known {
  const { rest } = reader;
  const flags = FLAGS.exec(rest)?.[0];
  if (flags !== undefined) {
    const known = taken(reader, flags.length, NOTHING);
    // The engine reads past flags: what is repeated here is what stands before them.
    if (QUANTIFIER.test(reader.rest)) throw new NotUnderstood();
    return known;
  }
  const opening = OPENING.exec(rest)?.[0];
  if (opening !== undefined) {
    reader.rest = rest.slice(opening.length);
    const known = readAlternatives(reader);
    if (!reader.rest.startsWith(")")) throw new NotUnderstood();
    return taken(reader, 1, known);
  }
  const border = BORDER.exec(rest)?.[0];
  if (border !== undefined) return taken(reader, border.length, NOTHING);
  const any = ANY_CHARACTER.exec(rest)?.[0];
  if (any !== undefined) return taken(reader, any.length, UNKNOWN);
  if (rest.startsWith("[")) {
    const end = classEnd(rest, 0);
    if (end === undefined) throw new NotUnderstood();
    const signs = /^\[([^\]\\[^&~-]+)\]$/.exec(rest.slice(0, end))?.[1];
    const texts = signs === undefined ? [] : Array.from(signs);
    return taken(reader, end, texts.length > 0 && texts.length <= MAX_CLASS ? { all: texts, some: texts } : UNKNOWN);
  }
  const literal = /^(?:\\([^A-Za-z0-9])|([^\\()[\]{}*+?|^$.]))/u.exec(rest);
  if (!literal) throw new NotUnderstood();
  const text = literal[1] ?? literal[2] ?? "";
  return taken(reader, literal[0].length, { all: [text], some: [text] });
}

function taken(reader: { rest: string }, length: number, known: Known): Known {
  reader.rest = reader.rest.slice(length);
  return known;
}

/** Where a class that begins here has ended. */
function classEnd(pattern: string, from: number): number | undefined {
  let at = from + 1;
  if (pattern[at] === "^") at += 1;
  if (pattern[at] === "]") at += 1;
  for (; at < pattern.length; at += 1) {
    if (pattern[at] === "\\") at += 1;
    else if (pattern.startsWith("[:", at)) {
      const end = pattern.indexOf(":]", at + 2);
      if (end < 0) return undefined;
      at = end + 1;
    } else if (pattern[at] === "]") return at + 1;
  }
  return undefined;
}

/** The set that rules out more: its shortest text is longer. */
function better(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (other === null || other.length > MAX_TEXTS || other.includes("")) return one;
  return one === null || weightOf(other) > weightOf(one) ? other : one;
}

function weightOf(texts: readonly string[]): number {
  // A sign of Chinese is as rare as a few letters.
  return Math.min(...texts.map((text) => text.length + 2 * (text.match(/[\u2e80-\ud7ff]/g)?.length ?? 0)));
}
