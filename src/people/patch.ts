import { outlineOf } from "./headings.ts";

/** The changed text, or why there is none. */
export type Patched = { readonly text: string } | { readonly error: string };

const BULLET = /^[-*+][ \t]+(?:(\d{4}-\d{2}-\d{2}):?[ \t]+)?(.*\S)[ \t]*$/;
const OPEN = "the file ends inside of a code block or a comment that is not closed: a person has to close it first";

/** One bullet of a MEMORY file. */
export interface MemoryEntryLine {
  /** `2026-02-01`. */
  readonly day: string | undefined;
  readonly text: string;
}

/**
 * Replaces the body of a section; a missing section is added at the end. All bytes outside of the section stay as
 * they are. Line ends are those of the file. Headings in the content are demoted below the section's level, so that
 * they cannot begin another section.
 */
export function patchSection(text: string, section: string, content: string): Patched {
  const body = asBody(content);
  if (body === undefined)
    return { error: "content must close the code blocks and comments that it opens, and have no underlined headings" };
  const eol = eolOf(text);
  const lines = body.replaceAll("\n", eol);
  const { headings, isOpen } = outlineOf(text);
  const index = headings.findIndex(({ name }) => name === section.toLowerCase());
  const heading = headings[index];
  if (!heading) {
    if (isOpen) return { error: OPEN };
    return { text: `${text}${gap(text, eol)}## ${section}${eol}${eol}${lines}${eol}` };
  }
  const next = headings[index + 1];
  // The last section reaches to the end of the text, including any unclosed code block or comment.
  const head = text.slice(0, heading.to);
  const rest = next ? eol + text.slice(next.from) : "";
  return { text: `${head}${head.endsWith("\n") ? "" : eol}${eol}${lines}${eol}${rest}` };
}

/** The body of a section, without blank lines around it. */
export function sectionOf(text: string, section: string): string {
  const { headings } = outlineOf(text);
  const index = headings.findIndex(({ name }) => name === section.toLowerCase());
  const heading = headings[index];
  return heading ? text.slice(heading.to, headings[index + 1]?.from).trim() : "";
}

/**
 * Adds a dated bullet, unless the file has a bullet with the same text, of any date.
 * @param section The bullet goes to its end. Default: the end of the file.
 */
export function appendEntry(text: string, { day, text: said }: MemoryEntryLine, section?: string): Patched {
  if (entriesOf(text).some((entry) => entry.text === said)) return { text };
  const bullet = day === undefined ? `- ${said}` : `- ${day} ${said}`;
  if (section !== undefined) {
    const held = sectionOf(text, section).replaceAll("\r\n", "\n");
    return patchSection(text, section, held === "" ? bullet : `${held}\n${bullet}`);
  }
  if (outlineOf(text).isOpen) return { error: OPEN };
  const eol = eolOf(text);
  return { text: `${text}${text === "" || text.endsWith("\n") ? "" : eol}${bullet}${eol}` };
}

/** All bullets of a text, in order. */
export function entriesOf(text: string): readonly MemoryEntryLine[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, day, said] = BULLET.exec(line) ?? [];
    return said === undefined ? [] : { day, text: said };
  });
}

/** The text of an entry on one line, without its bullet and date. */
export function entryText(said: string): string {
  const line = plain(said).replace(/\s+/g, " ").trim();
  return BULLET.exec(line)?.[2] ?? line;
}

/** The content as a section can hold it; `undefined` if it would not stay inside. */
function asBody(content: string): string | undefined {
  const body = plain(content).replace(/^(?:[ \t]*\n)+|\s+$/g, "");
  let demoted = "";
  let at = 0;
  for (const { from } of outlineOf(body).headings) {
    const hashes = /^ {0,3}#{1,2}(?!#)/.exec(body.slice(from, from + 6))?.[0];
    if (hashes === undefined) return undefined;
    demoted += `${body.slice(at, from)}###`;
    at = from + hashes.length;
  }
  demoted += body.slice(at);
  const { headings, isOpen } = outlineOf(demoted);
  return headings.length > 0 || isOpen ? undefined : demoted;
}

/** Normalizes line ends to `\n` and removes control characters. */
function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex -- what no text holds
  return text.replace(/\r\n?/g, "\n").replace(/[\0-\u0008\u000b-\u001f\u007f]/g, "");
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** The line ends between the end of a text and a new section. */
function gap(text: string, eol: string): string {
  if (text === "") return "";
  return text.endsWith("\n") ? eol : eol + eol;
}
