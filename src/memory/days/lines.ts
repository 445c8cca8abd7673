import { shortened } from "../../short-text.ts";

const MARK = /[ \t]*<!-- (\S+) -->$/;
const DATE = /[ \t]*\((\d{4}-\d{2}-\d{2})\)$/;

/** Makes one line of a text: no line ends, and no comment that it could open. */
export function oneLine(text: string, mostCharacters = 1000): string {
  const line = text.replace(/\s+/gu, " ").trim().replaceAll("<!--", "&lt;!--");
  return shortened(line, mostCharacters, mostCharacters - 1);
}

/** Appends an entry's id to a bullet's text, so that a reader of both can leave one out. */
export function withEntryId(text: string, id: string): string {
  return `${text} <!-- ${id.replace(/[%<>\s]|-(?=[->])/gu, (part) => (part === "-" ? "%2D" : encodeURIComponent(part)))} -->`;
}

/** Splits a bullet into its text, the id of its entry, and its day. Source: docs/memory-days.md, "Lines". */
export function readLine(line: string): { readonly text: string; readonly id?: string; readonly day?: string } {
  const [, mark] = MARK.exec(line) ?? [];
  const unmarked = line.replace(MARK, "");
  const [, day] = DATE.exec(unmarked) ?? [];
  const text = unmarked.replace(DATE, "").trim();
  return { text, ...(mark !== undefined && { id: decoded(mark) }), ...(day !== undefined && { day }) };
}

function decoded(mark: string): string {
  try {
    return decodeURIComponent(mark);
  } catch {
    return mark;
  }
}

/** Hashes a line. Ignores blanks, capitals, punctuation, the entry's id and the date. */
export function lineHash(text: string): string {
  const plain = readLine(text).text.normalize("NFKC").toLowerCase();
  return hashOf(plain.replace(/[^\p{L}\p{N}\p{M}\p{S}]+/gu, " ").trim());
}

/** Hashes a text to 52 bits: enough to tell one person's lines apart. */
export function hashOf(text: string): string {
  let [high, low] = [0x811c9dc5, 0x2545f491];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit ^ (low >>> 15), 0x01000193);
  }
  return `${(high >>> 12).toString(36)}.${(low >>> 0).toString(36)}`;
}
