/** A heading of level 1 or 2, which ends the section before it. */
export interface Heading {
  /** The lower-case text of a level 2 heading; `undefined` for level 1. */
  readonly name: string | undefined;
  /** Offset of the beginning of its line. */
  readonly from: number;
  /** Offset of the next line, or of the end of the text. */
  readonly to: number;
}

export interface Outline {
  readonly headings: readonly Heading[];
  /** Whether the text ends inside a code block or a comment. Text added after it would belong to that. */
  readonly isOpen: boolean;
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
const HASHES = /^ {0,3}(#{1,2})(?:[ \t](.*))?$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
/** Lines that no underline below turns into a heading. */
const NO_PARAGRAPH = /^(?: {0,3}(?:>|(?:[-+*]|#{1,6}|\d{1,9}[.)])(?:[ \t]|$)|(?:[-*_][ \t]*){3,}$)|\s*$)/;
const INDENTED = /^(?: {4}| {0,3}\t)/;

/**
 * Finds where the sections of a Markdown text begin. Lines in code fences and comments are no headings. It parses no
 * more of Markdown than that, because a Worker carries it in its bundle. In doubt it reports a heading rather than
 * none, so that a section never reaches into the next one; test/people compares it with a complete parser.
 */
export function outlineOf(text: string): Outline {
  const headings: Heading[] = [];
  let fence: string | undefined;
  let isComment = false;
  /** Offset at which the paragraph of the previous line began. */
  let before: number | undefined;
  for (const { 0: whole, index: from } of text.matchAll(/[^\n]*(?:\n|$)/g)) {
    if (whole === "") continue;
    const line = whole.replace(/\r?\n$/, "");
    const paragraph = before;
    before = undefined;
    if (isComment) {
      isComment = !line.includes("-->");
      continue;
    }
    const [, marks, info = ""] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      if (marks?.startsWith(fence) && info.trim() === "") fence = undefined;
      continue;
    }
    if (marks !== undefined) {
      fence = marks;
      continue;
    }
    if (/^ {0,3}<!--/.test(line)) {
      isComment = !line.includes("-->");
      continue;
    }
    const hashes = HASHES.exec(line);
    const to = from + whole.length;
    if (hashes) {
      headings.push({ name: hashes[1] === "##" ? withoutClosing(hashes[2] ?? "").toLowerCase() : undefined, from, to });
    } else if (paragraph !== undefined && UNDERLINE.test(line)) {
      const name = text.slice(paragraph, from).trim().toLowerCase();
      headings.push({ name: line.includes("-") ? name : undefined, from: paragraph, to });
    } else if (!NO_PARAGRAPH.test(line) && (paragraph !== undefined || !INDENTED.test(line)))
      before = paragraph ?? from;
  }
  return { headings, isOpen: fence !== undefined || isComment };
}

/** `Notes ##` is the heading `Notes`. */
function withoutClosing(written: string): string {
  const name = written.trim();
  let end = name.length;
  while (name[end - 1] === "#") end -= 1;
  return end === 0 || /\s/.test(name[end - 1] ?? "") ? name.slice(0, end).trimEnd() : name;
}
