import type { Language } from "./intent.ts";

/**
 * What a slot of a phrasing accepts.
 * - `text`: anything, over several lines too; the default.
 * - `short`: up to 60 characters on one line.
 * - `word`: no blanks, unless it is quoted.
 * - `path`: a `word` that looks like a file: it has a dot or a slash, is written in capitals (`LICENSE`), or is quoted.
 */
export type SlotKind = "text" | "short" | "word" | "path";

/** A compiled phrasing. */
export interface Phrasing {
  /** The words (in Chinese: the characters) that it can begin with, in lower case; `undefined` when it begins with a slot. */
  readonly beginnings: readonly string[] | undefined;
  /** The values of the slots if all of `text` matches this phrasing. Contract: linear in the length of the text. */
  match(text: string): Readonly<Record<string, string>> | undefined;
}

interface Slot {
  readonly name: string;
  readonly kind: SlotKind;
}

const SLOT = /\{([a-z_]+)(?::(text|short|word|path))?\}/;
const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”",
  "‘": "’",
  "「": "」",
  "『": "』",
  "《": "》",
  "«": "»",
};
const OPENING: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(CLOSING).map(([open, close]) => [close, open]),
);
const ENDS_SENTENCE = ".!?。！？~～…,，;；";
const MAX_SHORT = 60;
/** Longest literal end of a phrasing, so that a search for it takes the same time in a long text. */
const MAX_ENDING = 80;

/**
 * Compiles a phrasing such as `"write {content} (to|into) {path:word}"`.
 *
 * Words match in any case. A blank stands for up to three (in Chinese also for none); `(a|b|)` is a choice; `:?` is
 * optional; `{name:kind}` is a slot, and words separate slots. Between two slots the first such word counts, or the
 * last one when the slot after it is more restricted than the slot before it. There is no backtracking over the text,
 * which is why this is not one regular expression.
 *
 * @throws {SyntaxError} If the phrasing is malformed: two slots that touch, or a choice within a choice.
 */
export function compilePhrasing(template: string, language: Language): Phrasing {
  const pieces = template.split(new RegExp(SLOT, "g"));
  const literals: string[] = [];
  const slots: Slot[] = [];
  for (let at = 0; at < pieces.length; at += 3) {
    literals.push(pieces[at] ?? "");
    const name = pieces[at + 1];
    if (name !== undefined) slots.push({ name, kind: (pieces[at + 2] as SlotKind | undefined) ?? "text" });
  }
  const head = literals[0] ?? "";
  const tail = slots.length === 0 ? "" : (literals.at(-1) ?? "");
  const between = literals.slice(1, -1);
  for (const literal of between) {
    if (beginningsOf(literal, template) === undefined) {
      throw new SyntaxError(`Cannot compile "${template}" as two of its slots may touch`);
    }
  }

  const beginnings = beginningsOf(head, template);
  // Compiled at the first use: most processes never use most phrasings.
  let expressions: ReturnType<typeof compileExpressions> | undefined;
  const compiled = () => (expressions ??= compileExpressions(head, between, tail, language));

  /** The range of each slot in the text, or `undefined`. */
  function spans(text: string): [from: number, to: number][] | undefined {
    const { prefix, suffix, separators } = compiled();
    prefix.lastIndex = 0;
    if (!prefix.test(text)) return undefined;
    let from = prefix.lastIndex;
    let to = text.length;
    if (tail !== "") {
      to = bareLength(text);
      const start = Math.max(from, to - MAX_ENDING);
      const ending = suffix.exec(text.slice(start, to));
      if (ending === null) return undefined;
      to = start + ending.index;
    }
    const found: [number, number][] = [];
    const right: [number, number][] = [];
    let last = slots.length - 1;
    while (last > 0 && slots[last]?.kind !== "text" && slots[last - 1]?.kind === "text") {
      const hit = lastHit(separators[last - 1] as RegExp, text, from, startOfQuoteBefore(text, from, to));
      if (hit === undefined) return undefined;
      right.unshift([hit.to, to]);
      to = hit.from;
      last--;
    }
    for (let index = 0; index < last; index++) {
      const separator = separators[index] as RegExp;
      separator.lastIndex = endOfQuoteAt(text, from, to);
      const hit = separator.exec(text);
      if (hit === null || hit.index + hit[0].length > to) return undefined;
      found.push([from, hit.index]);
      from = hit.index + hit[0].length;
    }
    found.push([from, to]);
    return [...found, ...right];
  }

  return {
    beginnings,
    match(text) {
      if (slots.length === 0) return compiled().whole.test(text.slice(0, bareLength(text))) ? {} : undefined;
      const places = spans(text);
      if (places === undefined) return undefined;
      const groups: Record<string, string> = {};
      for (const [index, slot] of slots.entries()) {
        const [from, to] = places[index] as [number, number];
        const value = fit(text.slice(from, to), slot.kind);
        if (value === undefined) return undefined;
        groups[slot.name] = value;
      }
      return groups;
    },
  };
}

function compileExpressions(head: string, between: readonly string[], tail: string, language: Language) {
  return {
    whole: new RegExp(`^(?:${sourceOf(head, language)})$`, "iu"),
    prefix: new RegExp(sourceOf(head, language), "iuy"),
    suffix: new RegExp(`(?:${sourceOf(tail, language)})$`, "iu"),
    separators: between.map((literal) => new RegExp(sourceOf(literal, language), "giu")),
  };
}

/** The value without surrounding blanks and quotes, if it is of that kind. */
export function fit(raw: string, kind: SlotKind): string | undefined {
  const trimmed = raw.trim();
  const quoted = unquote(kind === "text" ? trimmed : trimmed.slice(0, bareLength(trimmed)));
  if (quoted !== undefined) return quoted.includes("\n") && kind !== "text" ? undefined : quoted;
  if (kind === "text") return trimmed === "" ? undefined : trimmed;
  const value = trimmed.slice(0, bareLength(trimmed));
  if (value === "") return undefined;
  if (kind === "short") return value.length <= MAX_SHORT && !value.includes("\n") ? value : undefined;
  if (/\s|:\/\//u.test(value)) return undefined;
  return kind === "word" || looksLikePath(value) ? value : undefined;
}

/** Whether the value can hardly be anything but a file. */
export function looksLikePath(value: string): boolean {
  return /[/\\]|\.[\p{L}\p{N}]|^\.{1,2}$|^[A-Z][A-Z_]{2,}$|^(?:Make|Docker)file$/u.test(value);
}

/** The length of the text without trailing punctuation and blanks. */
export function bareLength(text: string): number {
  let length = text.length;
  while (length > 0) {
    const character = text[length - 1] as string;
    if (!ENDS_SENTENCE.includes(character) && character.trim() !== "") break;
    length--;
  }
  return length;
}

function unquote(text: string): string | undefined {
  const close = CLOSING[text[0] ?? ""];
  if (close === undefined || text.length < 3 || !text.endsWith(close)) return undefined;
  const inner = text.slice(1, -1);
  return inner.includes(close) || inner.trim() === "" ? undefined : inner;
}

function endOfQuoteAt(text: string, from: number, to: number): number {
  let start = from;
  while (start < to && (text[start] as string).trim() === "") start++;
  const close = CLOSING[text[start] ?? ""];
  if (close === undefined) return from;
  const end = text.indexOf(close, start + 1);
  return end === -1 || end >= to ? from : end + 1;
}

function startOfQuoteBefore(text: string, from: number, to: number): number {
  const open = OPENING[text[to - 1] ?? ""];
  if (open === undefined || to < 2) return to;
  const start = text.lastIndexOf(open, to - 2);
  return start <= from ? to : start;
}

function lastHit(separator: RegExp, text: string, from: number, to: number): { from: number; to: number } | undefined {
  let found: { from: number; to: number } | undefined;
  separator.lastIndex = from;
  for (let hit = separator.exec(text); hit !== null && hit.index < to; hit = separator.exec(text)) {
    found = { from: hit.index, to: hit.index + hit[0].length };
  }
  return found;
}

function sourceOf(literal: string, language: Language): string {
  let source = "";
  for (let at = 0; at < literal.length; at++) {
    const character = literal[at] as string;
    if (character === "(") source += "(?:";
    else if (character === ")" || character === "|" || character === "?") source += character;
    else if (character === "'") source += "['’]";
    else if (character === " ") source += blankSource(literal, at, language);
    else source += character.replace(/[\\^$.*+?[\]{}/-]/, "\\$&");
  }
  return source;
}

function blankSource(literal: string, at: number, language: Language): string {
  return language === "zh" || /[,:]/.test(literal[at + 1] ?? "") ? "\\s{0,3}" : "\\s{1,3}";
}

/** The first word of every possible beginning; `undefined` when one of them begins with a slot. */
function beginningsOf(head: string, template: string): string[] | undefined {
  const words = new Set<string>();
  let unfinished = new Set([""]);
  for (const piece of head.split(/(\([^()]*\))/)) {
    const bracketed = piece.startsWith("(");
    if (!bracketed && /[()|]/.test(piece)) {
      throw new SyntaxError(`Cannot compile "${template}" as its brackets do not match`);
    }
    const choices = bracketed ? piece.slice(1, -1).split("|") : [piece];
    const extended = new Set<string>();
    for (const way of unfinished) {
      for (const choice of choices) {
        const text = (way + choice).trimStart();
        const word = firstWord(text);
        // A Chinese character is a complete beginning; any other word is complete once something follows it.
        if (word !== "" && (HAN.test(word) || word.length < text.length)) words.add(word);
        else extended.add(text);
      }
    }
    unfinished = extended;
  }
  for (const text of unfinished) words.add(firstWord(text));
  return words.has("") ? undefined : [...words];
}

const HAN = /\p{Script=Han}/u;
const FIRST_WORD = /^(?:\p{Script=Han}|[^\s\p{P}\p{Script=Han}]+|\S)/u;

/** The first word of a text, in lower case. For Chinese the first character, since nothing separates its words. */
export function firstWord(text: string): string {
  return FIRST_WORD.exec(text)?.[0].toLowerCase() ?? "";
}
