import { foldCase } from "./fold-case.ts";

/** Maximum number of texts in a set; a pattern that needs more has no required texts. */
const MAX_TEXTS = 64;
/** Maximum number of combinations of a sequence before it is split in two. */
const MAX_PRODUCT = 16;
/** Maximum number of characters of a class that are listed. */
const MAX_CLASS = 4;

// All of these are sticky: they match at the reader's position.
const QUANTIFIER = /(?:[*+?]|\{(\d{1,4})(?:,\d{0,4})?\})[?+]?/y;
const OPENING = /\((?:\?(?:P?<\w+>|[imsU-]*:))?(?!\?)/y;
const FLAGS = /\(\?[imsU-]+\)/y;
const ANY_CHARACTER = /\.|\\[dDwWsStnrfv]/y;
const BORDER = /[\^$]|\\[bBAz]/y;
const LITERAL = /\\([^A-Za-z0-9])|[^\\()[\]{}*+?|^$.]/uy;
/** Literals in a row, without one that is repeated. */
const LITERALS = /[^\\()[\]{}*+?|^$.]+(?![*+?{])/uy;
const SIGNS_OF_CLASS = /^\[([^\]\\[^&~-]+)\]$/;

/** What is known about a part of a pattern. */
interface Known {
  /** All texts that it matches; null: too many. */
  readonly all: readonly string[] | null;
  /** Every match contains one of these; null: nothing is known. */
  readonly some: readonly string[] | null;
}

const UNKNOWN: Known = { all: null, some: null };
const NOTHING: Known = { all: [""], some: null };
/** Flags, distinguished from a border by identity: a quantifier after them repeats the item before them. */
const FLAG: Known = { ...NOTHING };

/** A pattern, and the reader's position in it. */
interface Reader {
  readonly pattern: string;
  at: number;
}

/**
 * Returns texts of which every match of a pattern contains at least one, case-folded. A search for plain text can
 * then rule out a text before an engine runs. Reads the syntax of RE2.
 *
 * @returns null if nothing is known: the pattern may match without a certain text, or contains something that this
 * reader does not understand.
 */
export function requiredTexts(pattern: string): readonly string[] | null {
  try {
    const reader = { pattern, at: 0 };
    const known = readAlternatives(reader);
    if (reader.at < pattern.length) return null;
    return known.some === null ? null : [...new Set(known.some.map(foldCase))];
  } catch (error) {
    if (error instanceof NotUnderstood) return null;
    throw error;
  }
}

/**
 * Returns the alternatives of a pattern at its outermost level: the pattern matches what one of them matches.
 *
 * @returns The whole pattern if it contains something that could reach across the bars.
 */
export function alternativesOf(pattern: string): readonly string[] {
  const alternatives: string[] = [];
  let from = 0;
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const sign = pattern.charAt(at);
    if (sign === "\\") {
      at += 1;
      if (pattern[at] === "Q") return [pattern];
    } else if (sign === "(") {
      if (found(FLAGS, { pattern, at })) return [pattern];
      depth += 1;
    } else if (sign === ")") depth -= 1;
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

/** Matches a kind of token at the reader's position. */
function found(kind: RegExp, { pattern, at }: Reader): RegExpExecArray | null {
  kind.lastIndex = at;
  return kind.exec(pattern);
}

/** Whether one of these characters is at the position. Much faster than a regular expression. */
function stands(signs: string, { pattern, at }: Reader): boolean {
  return at < pattern.length && signs.includes(pattern.charAt(at));
}

function readAlternatives(reader: Reader): Known {
  const alternatives = [readSequence(reader)];
  while (reader.pattern[reader.at] === "|") {
    reader.at += 1;
    alternatives.push(readSequence(reader));
  }
  return { all: united(alternatives.map(({ all }) => all)), some: united(alternatives.map(({ some }) => some)) };
}

function united(sets: readonly (readonly string[] | null)[]): readonly string[] | null {
  const texts: string[] = [];
  for (const set of sets) {
    if (set === null || texts.length + set.length > MAX_TEXTS) return null;
    texts.push(...set);
  }
  return texts;
}

function readSequence(reader: Reader): Known {
  const { pattern } = reader;
  /** The texts that are adjacent here. */
  let run: readonly string[] = [""];
  let isWhole = true;
  let best: readonly string[] | null = null;
  const close = (next: readonly string[]) => {
    best = better(best, run);
    run = next;
    isWhole = false;
  };
  while (reader.at < pattern.length && pattern[reader.at] !== "|" && pattern[reader.at] !== ")") {
    const { all, some } = readRepeated(reader);
    if (all === null) {
      close([""]);
      best = better(best, some);
    } else if (run.length * all.length > MAX_PRODUCT) close(all);
    else run = product(run, all);
  }
  return { all: isWhole ? run : null, some: better(best, run) };
}

function product(beginnings: readonly string[], ends: readonly string[]): readonly string[] {
  const texts: string[] = [];
  for (const beginning of beginnings) for (const end of ends) texts.push(beginning + end);
  return texts;
}

function readRepeated(reader: Reader): Known {
  const item = readItem(reader);
  if (!stands("*+?{", reader)) return item;
  const [whole, from] = found(QUANTIFIER, reader) ?? [];
  if (whole === undefined) return item;
  // RE2 reads past flags: the quantifier repeats what is before them.
  if (item === FLAG) throw new NotUnderstood();
  reader.at += whole.length;
  if (found(QUANTIFIER, reader)) throw new NotUnderstood();
  if (whole.startsWith("?")) return { all: item.all === null ? null : [...item.all, ""], some: null };
  const isNeeded = whole.startsWith("+") || Number(from ?? 0) > 0;
  return isNeeded ? { all: null, some: item.some } : UNKNOWN;
}

function readItem(reader: Reader): Known {
  const { pattern, at } = reader;
  const sign = pattern[at];
  if (sign === "(") {
    const flags = found(FLAGS, reader);
    if (flags) return taken(reader, flags, FLAG);
    taken(reader, found(OPENING, reader), UNKNOWN);
    const known = readAlternatives(reader);
    if (pattern[reader.at] !== ")") throw new NotUnderstood();
    reader.at += 1;
    return known;
  }
  if (sign === "[") {
    const end = classEnd(pattern, at);
    if (end === undefined) throw new NotUnderstood();
    reader.at = end;
    const signs = Array.from(SIGNS_OF_CLASS.exec(pattern.slice(at, end))?.[1] ?? "");
    return signs.length > 0 && signs.length <= MAX_CLASS ? { all: signs, some: signs } : UNKNOWN;
  }
  if (stands("^$.\\", reader)) {
    const border = found(BORDER, reader);
    if (border) return taken(reader, border, NOTHING);
    const any = found(ANY_CHARACTER, reader);
    if (any) return taken(reader, any, UNKNOWN);
  }
  const literal = found(LITERALS, reader) ?? found(LITERAL, reader);
  const texts = [literal?.[1] ?? literal?.[0] ?? ""];
  return taken(reader, literal, { all: texts, some: texts });
}

/** Moves past a token. @throws {NotUnderstood} If it was not found. */
function taken(reader: Reader, item: RegExpExecArray | null, known: Known): Known {
  if (!item) throw new NotUnderstood();
  reader.at += item[0].length;
  return known;
}

/** Returns the index after a class that starts here. */
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

/** Returns the set that rules out more: its shortest text is longer. */
function better(one: readonly string[] | null, other: readonly string[] | null): readonly string[] | null {
  if (other === null || other === one || other.length > MAX_TEXTS || other.includes("")) return one;
  return one === null || weightOf(other) > weightOf(one) ? other : one;
}

function weightOf(texts: readonly string[]): number {
  return Math.min(...texts.map(weightOfText));
}

function weightOfText(text: string): number {
  let weight = text.length;
  // A Chinese character is as rare as a few letters.
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0x2e80 && unit <= 0xd7ff) weight += 2;
  }
  return weight;
}
