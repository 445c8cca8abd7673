import type { JsonValue, LogRecord } from "../store/index.ts";

/** Replaces something of an erased person. */
export const FORGOTTEN = "[forgotten]";
/** Replaces an erased person's user id. */
export const NOBODY = "forgotten";
/** Shortest text that counts as a quotation; a shorter one may be anyone's. */
const MIN_TEXT = 8;

/** Words to find in texts and to redact in values. */
export interface Words {
  readonly isNamed: (text: string) => boolean;
  /** Contract: returns the same value when it holds none of the words. */
  readonly scrub: <T extends JsonValue | LogRecord | undefined>(value: T) => T;
}

/**
 * Whether an id belongs to one of these names: equal to it, after a prefix that names its kind (`answer:7`), or before
 * a colon (`ask:7:telegram`). A name within a longer part does not count: `answer:17` does not belong to `7`.
 */
export function isSaidOf(names: ReadonlySet<string>, id: string): boolean {
  const whole = id.replace(/^(?:again:\d+:|digest:)+/, "").replace(/~+$/, "");
  // A message that is sent again has the number of its part appended each time.
  const ends = id.startsWith("again:") ? /[:.]|$/g : /:|$/g;
  return [whole, whole.slice(whole.indexOf(":") + 1)].some((said) =>
    [...said.matchAll(ends)].some(
      ({ index }) => names.has(said.slice(0, index)) || names.has(said.slice(0, index + 1)),
    ),
  );
}

/** Finds verbatim quotations of a person's texts. */
export function quotesOf(texts: Iterable<string>): Words {
  const quotes = new Set<string>();
  for (const text of texts)
    for (const line of [text, ...text.split("\n")]) if (line.trim().length >= MIN_TEXT) quotes.add(line.trim());
  return replacing([...quotes], (source) => `(?:${source})`, { within: FREE_TEXT });
}

/**
 * Matches free text. Names that programs use have no blanks: a person who only wrote "assistant" or "tool-call" leaves
 * records whole.
 */
const FREE_TEXT = /[\s\u0250-\uffff]/;

/**
 * Finds words, longest first, and replaces them with `FORGOTTEN`.
 *
 * @param patternOf Builds the pattern from the alternatives.
 * @param options.within Only texts that match it are searched. Default all.
 * @param options.isExact Letter case counts. Default false.
 */
export function replacing(
  words: readonly string[],
  patternOf: (source: string) => string,
  { within, isExact = false }: { readonly within?: RegExp; readonly isExact?: boolean } = {},
): Words {
  if (words.length === 0) return { isNamed: () => false, scrub: (value) => value };
  // Longest first, so that nothing of a longer word is left.
  const source = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`))
    .join("|");
  // With the flag `u`, a hyphen may only be escaped in a class.
  const pattern = new RegExp(patternOf(source.replaceAll(String.raw`\-`, "-")), isExact ? "gu" : "giu");
  const isNamed = (text: string) => text.search(pattern) !== -1;

  const isFound = (text: string) => (within === undefined || within.test(text)) && isNamed(text);

  const scrubbed = (text: string) => (isFound(text) ? text.replace(pattern, FORGOTTEN) : text);
  return { isNamed, scrub: (value) => mapTexts(value, scrubbed) };
}

/** Replaces texts in a value, including names of members. Returns the same value when nothing changes. */
export function mapTexts<T extends JsonValue | LogRecord | undefined>(value: T, change: (text: string) => string): T {
  function mapped(held: unknown): unknown {
    if (typeof held === "string") return change(held);
    if (Array.isArray(held)) {
      const list = held.map(mapped);
      return list.some((one, index) => one !== held[index]) ? list : held;
    }
    if (typeof held !== "object" || held === null) return held;
    let isSame = true;
    const entries = Object.entries(held).map(([name, member]) => {
      const entry = [change(name), mapped(member)] as const;
      if (entry[0] !== name || entry[1] !== member) isSame = false;
      return entry;
    });
    return isSame ? held : Object.fromEntries(entries);
  }
  // Only texts change, so the type stays.
  return mapped(value) as T;
}
