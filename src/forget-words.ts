import type { JsonValue, LogRecord } from "./store/index.ts";

/** Stands where something of a forgotten person stood. */
export const FORGOTTEN = "[forgotten]";
/** As a user id. */
export const NOBODY = "forgotten";
/** An id that is shorter could be any number or word. */
const SHORTEST_BARE_ID = 5;
/** A text that is shorter may be anybody's. */
const SHORTEST_TEXT = 8;

/** What names a person, found as whole words whatever their letter case. */
export interface Words {
  readonly isNamed: (text: string) => boolean;
  /** The same value when it names nobody. */
  readonly scrub: <T extends JsonValue | LogRecord | undefined>(value: T) => T;
}

/** Ids of a person, as they stand alone, in session keys, and escaped in other keys. */
export function wordsOf(ids: Iterable<string>): Words {
  const words = new Set<string>();
  for (const id of ids) {
    // `sdk` and `@owner` are words of others too.
    if (!/^@.|:/.test(id) || id === "@owner") continue;
    const [, channel, rest = ""] = /^([^:@]+):(.+)$/s.exec(id) ?? [];
    const forms = channel === undefined ? [id] : [id, `${channel}:direct:${rest}`, `${channel}=${rest}`];
    if (rest.length >= SHORTEST_BARE_ID) forms.push(rest);
    for (const form of forms) for (const word of [form, escaped(form), encodeURIComponent(form)]) words.add(word);
  }
  return replacing([...words], (source) => `(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])`);
}

/** Names of messages and requests, wherever they are part of another. */
export function partsOf(names: ReadonlySet<string>): Words {
  return replacing([...names], (source) => `(?:${source})`);
}

/** Texts of a person, word for word, wherever they were quoted. */
export function quotesOf(texts: Iterable<string>): Words {
  const quotes = new Set<string>();
  for (const text of texts)
    for (const line of [text, ...text.split("\n")]) if (line.trim().length >= SHORTEST_TEXT) quotes.add(line.trim());
  return replacing([...quotes], (source) => `(?:${source})`);
}

function replacing(words: readonly string[], patternOf: (source: string) => string): Words {
  if (words.length === 0) return { isNamed: () => false, scrub: (value) => value };
  // The longest first, so that none of a longer one stays.
  const source = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`))
    .join("|");
  // Without `u` a hyphen may be escaped nowhere but in a class.
  const pattern = new RegExp(patternOf(source.replaceAll(String.raw`\-`, "-")), "giu");
  const isNamed = (text: string) => text.search(pattern) !== -1;

  function scrubbed(value: unknown): unknown {
    if (typeof value === "string") return isNamed(value) ? value.replace(pattern, FORGOTTEN) : value;
    if (Array.isArray(value)) {
      const list = value.map(scrubbed);
      return list.some((one, index) => one !== value[index]) ? list : value;
    }
    if (typeof value !== "object" || value === null) return value;
    let isSame = true;
    const entries = Object.entries(value).map(([name, held]) => {
      const entry = [isNamed(name) ? name.replace(pattern, FORGOTTEN) : name, scrubbed(held)] as const;
      if (entry[0] !== name || entry[1] !== held) isSame = false;
      return entry;
    });
    return isSame ? value : Object.fromEntries(entries);
  }
  // Only texts in it change, so it stays what it was.
  return { isNamed, scrub: <T extends JsonValue | LogRecord | undefined>(value: T) => scrubbed(value) as T };
}

/** As `storeKey`, `sessionKeyPart` and outboxes escape parts of keys. */
function escaped(id: string): string {
  return id.replace(/[%:/@]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
