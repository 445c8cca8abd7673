/** A bullet directly under a heading. */
export interface Bullet {
  /** First line, counted from 0, and the line after the last. Continuation lines and nested lists belong to the bullet. */
  readonly from: number;
  readonly to: number;
  /** Text of the first line, trimmed, without the marker. */
  readonly text: string;
}

/** A heading and its text, up to the next heading of any level. */
export interface Section {
  /** Empty for the text before the first heading. */
  readonly title: string;
  readonly level: number;
  /** The heading's first line, the line after the heading, and the line after the section. */
  readonly from: number;
  readonly body: number;
  readonly to: number;
  readonly bullets: readonly Bullet[];
}

/** A Markdown text by lines. The lines keep their line ends: joined, they are the text. */
export interface Outline {
  readonly lines: readonly string[];
  /** Line end of the first line; `\n` in a text of one line. */
  readonly newline: string;
  /** Lines of the frontmatter between its fences; `undefined` without one. */
  readonly frontmatter: { readonly from: number; readonly to: number } | undefined;
  readonly sections: readonly Section[];
  /** Whether fenced code or a comment stays open to the end: text added there would be inside it. */
  readonly isOpen: boolean;
}

const LINES = /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))??(?:[ \t]+#+)?[ \t]*$/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const ITEM = /^( {0,3}(?:([-*+])|\d{1,9}[.)])(?:[ \t]{1,4}(?=[^ \t])|(?=[ \t])|$))[ \t]*(.*)$/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const BLANK = /^[ \t]*$/;

/**
 * Finds headings and bullets of a Markdown text and their lines, so that a line can be added without changing others.
 * Ignores the inside of fenced code and HTML comments; other syntax stays part of its section.
 */
export function outlineOf(text: string): Outline {
  const lines = text.match(LINES) ?? [];
  const bare = lines.map((line) => line.replace(/[\r\n]+$/, ""));
  if (bare[0] !== undefined) bare[0] = bare[0].replace(/^\uFEFF/, "");
  const frontmatter = frontmatterOf(bare);
  const sections: Section[] = [];
  const start = frontmatter ? frontmatter.to + 1 : 0;
  let [title, level, from, body] = ["", 0, start, start];
  let isOpen = false;
  let bullets: Bullet[] = [];
  /** The open list item; numbered items are not reported. */
  let item: { from: number; text: string; isBullet: boolean; width: number } | undefined;
  let isParagraph = false;

  function endItem(at: number): void {
    if (!item) return;
    const { from: first, text: line, isBullet } = item;
    let last = at;
    while (last > first + 1 && BLANK.test(bare[last - 1] ?? "")) last -= 1;
    if (isBullet) bullets.push({ from: first, to: last, text: line });
    item = undefined;
  }
  function begin(at: number, newTitle: string, newLevel: number, height = 1): void {
    endItem(at);
    sections.push({ title, level, from, body, to: at, bullets });
    [title, level, from, body, bullets, isParagraph] = [newTitle, newLevel, at, at + height, [], false];
  }

  for (let at = start; at < bare.length; at += 1) {
    const line = bare[at] ?? "";
    const [, fence] = FENCE.exec(line) ?? [];
    const isInItem = item !== undefined && indentOf(line) >= item.width;
    if (fence !== undefined || /^ {0,3}<!--/.test(line)) {
      if (!isInItem) endItem(at);
      isParagraph = false;
      const end =
        fence === undefined ? endOfComment(bare, at) : endOfFence(bare, at, fence, isInItem ? item?.width : undefined);
      isOpen = end === undefined;
      at = end ?? bare.length;
      continue;
    }
    const heading = HEADING.exec(line);
    const begins = ITEM.exec(line);
    if (BLANK.test(line)) {
      isParagraph = false;
    } else if (isInItem) {
      isParagraph = heading === null;
    } else if (heading) {
      begin(at, (heading[2] ?? "").trim(), heading[1]?.length ?? 1);
    } else if (isParagraph && !item && UNDERLINE.test(line)) {
      begin(at - 1, (bare[at - 1] ?? "").trim(), line.includes("=") ? 1 : 2, 2);
    } else if (RULE.test(line)) {
      endItem(at);
      isParagraph = false;
    } else if (begins) {
      endItem(at);
      const itemText = (begins[3] ?? "").trim();
      item = { from: at, text: itemText, isBullet: begins[2] !== undefined, width: widthOf(begins[1]) };
      isParagraph = itemText !== "";
    } else if (!isParagraph) {
      endItem(at);
      isParagraph = indentOf(line) < 4;
    }
  }
  begin(bare.length, "", 0);
  return { lines, newline: /\r\n|\r|\n/.exec(lines[0] ?? "")?.[0] ?? "\n", frontmatter, sections, isOpen };
}

function indentOf(line: string): number {
  return widthOf(/^[ \t]*/.exec(line)?.[0]);
}

function widthOf(start = ""): number {
  return start.trimEnd().length === start.length
    ? start.length + (start === "" ? 0 : 1)
    : start.replaceAll("\t", "    ").length;
}

/** Finds the first section with a title, ignoring its level and case. */
export function sectionOf(outline: Outline, title: string): Section | undefined {
  const wanted = title.toLowerCase();
  return outline.sections.find((section) => section.level > 0 && section.title.toLowerCase() === wanted);
}

function frontmatterOf(bare: readonly string[]): Outline["frontmatter"] {
  if (!/^---[ \t]*$/.test(bare[0] ?? "")) return undefined;
  const to = bare.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line));
  // Two rules with other text between them are no frontmatter.
  const isMap = /^(?:#|[\w"'-]+[ \t]*:|---|\.\.\.)/.test(bare[1] ?? "");
  return to === -1 || !isMap ? undefined : { from: 1, to };
}

/** Last line of fenced code; `undefined` when it is not closed. Code in a list item, indented by `width`, ends with the item. */
function endOfFence(bare: readonly string[], from: number, fence: string, width = 0): number | undefined {
  const closing = new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}[ \\t]*$`);
  for (let at = from + 1; at < bare.length; at += 1) {
    const line = bare[at] ?? "";
    if (indentOf(line) < width && !BLANK.test(line)) return at - 1;
    if (closing.test(line)) return at;
  }
  return width > 0 ? bare.length - 1 : undefined;
}

function endOfComment(bare: readonly string[], from: number): number | undefined {
  const at = bare.findIndex((line, index) => index >= from && line.includes("-->"));
  return at === -1 ? undefined : at;
}
