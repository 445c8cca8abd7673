import type { JsonValue, LogRecord } from "../store/index.ts";

/** Stands where something of a forgotten person stood. */
export const FORGOTTEN = "[forgotten]";
/** Stands for a forgotten person's user id. */
export const NOBODY = "forgotten";
/** A text that is shorter may be anyone's. */
const MIN_TEXT = 8;

/** Words that are looked for in texts, and taken out of values. */
export interface Words {
  readonly isNamed: (text: string) => boolean;
  /** Contract: returns the same value when it holds none of the words. */
  readonly scrub: <T extends JsonValue | LogRecord | undefined>(value: T) => T;
}

/**
 * Is an id of something that was said one of these names: alone, behind the word that says what it is (`answer:7`), or before what follows a colon
 * (`ask:7:telegram`)? Within a longer part it is another's: `answer:17` is not said of `7`.
 */
export function isSaidOf(names: ReadonlySet<string>, id: string): boolean {
  const whole = id.replace(/^(?:again:\d+:|digest:)+/, "").replace(/~+$/, "");
  // What is sent again has the number of its part behind it, each time.
  const ends = id.startsWith("again:") ? /[:.]|$/g : /:|$/g;
  return [whole, whole.slice(whole.indexOf(":") + 1)].some((said) =>
    [...said.matchAll(ends)].some(
      ({ index }) => names.has(said.slice(0, index)) || names.has(said.slice(0, index + 1)),
    ),
  );
}

/** Texts of a person, word for word, wherever they were quoted. */
export function quotesOf(texts: Iterable<string>): Words {
  const quotes = new Set<string>();
  for (const text of texts)
    for (const line of [text, ...text.split("\n")]) if (line.trim().length >= MIN_TEXT) quotes.add(line.trim());
  return replacing([...quotes], (source) => `(?:${source})`, { within: FREE_TEXT });
}

/** Names that programs give to things have no blanks: a person who only ever wrote "assistant" or "tool-call" leaves records whole. */
const FREE_TEXT = /[\s\u0250-\uffff]/;

/**
 * Finds words, the longest first, and puts `FORGOTTEN` in their place.
 *
 * @param patternOf Makes the whole pattern of the alternatives.
 * @param options.within Only texts that match it are searched. Default all.
 * @param options.isExact Letter case counts. Default false.
 */
export function replacing(
  words: readonly string[],
  patternOf: (source: string) => string,
  { within, isExact = false }: { readonly within?: RegExp; readonly isExact?: boolean } = {},
): Words {
  if (words.length === 0) return { isNamed: () => false, scrub: (value) => value };
  // The longest first, so that none of a longer one stays.
  const source = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`))
    .join("|");
  // Without `u` a hyphen may be escaped nowhere but in a class.
  const pattern = new RegExp(patternOf(source.replaceAll(String.raw`\-`, "-")), isExact ? "gu" : "giu");
  const isNamed = (text: string) => text.search(pattern) !== -1;

  const isFound = (text: string) => (within === undefined || within.test(text)) && isNamed(text);

  const scrubbed = (text: string) => (isFound(text) ? text.replace(pattern, FORGOTTEN) : text);
  return { isNamed, scrub: (value) => mapTexts(value, scrubbed) };
}

/** Puts other texts into a value, names of members too. The same value when none is another. */
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
  // Only texts in it change, so it stays what it was.
  return mapped(value) as T;
}
