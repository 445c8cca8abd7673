import type { MemoryLayer } from "./api.ts";
import { lineHash } from "./days/lines.ts";
import { parseTime } from "./time-input.ts";

/** A line of MEMORY.md or of a day's digest. */
export interface MemoryLine {
  /** Number of the line in its file, from 1. */
  readonly line: number;
  readonly text: string;
  /** The heading above it. */
  readonly section: string;
  /** Id of the entry that it came from. */
  readonly entryId?: string;
}

export type LineLayer = Extract<MemoryLayer, "long_term" | "daily">;

const FENCE = /^\s*(?:```|~~~)/;
const HEADING = /^#{1,6}\s+(.*?)\s*#*$/;
const BULLET = /^\s*(?:[-*+]|\d{1,4}[.)])\s+(?:\[[ xX]\]\s+)?/;
const SOURCE = /\s*<!--\s*(\S+)\s*-->\s*$/;
const RULE_OR_COMMENT = /^\s*(?:<!--.*|-{3,}|\*{3,}|_{3,})\s*$/;
/** Section with counts of tool calls, which are no memories. */
const COUNTS_ONLY = "tool use";
const MAX_LINES = 2000;

/** Reads the lines of such a file that can be recalled: bullets and prose, without headings, comments and code. */
export function memoryLines(text: string): readonly MemoryLine[] {
  const lines: MemoryLine[] = [];
  let section = "";
  let inCode = false;
  let inFrontmatter = false;
  for (const [index, raw] of text.split("\n").entries()) {
    const whole = (index === 0 ? raw.replace("\uFEFF", "") : raw).trimEnd();
    if (index === 0 && whole === "---") inFrontmatter = true;
    else if (inFrontmatter) inFrontmatter = whole !== "---";
    else if (FENCE.test(whole)) inCode = !inCode;
    else if (!inCode) {
      const heading = HEADING.exec(whole)?.[1];
      if (heading !== undefined) section = heading;
      else if (whole !== "" && !RULE_OR_COMMENT.test(whole) && section.toLowerCase() !== COUNTS_ONLY) {
        const entryId = SOURCE.exec(whole)?.[1];
        const said = whole.replace(SOURCE, "").replace(BULLET, "").trim();
        if (said !== "")
          lines.push({ line: index + 1, text: said, section, ...(entryId !== undefined && { entryId }) });
        if (lines.length === MAX_LINES) return lines;
      }
    }
  }
  return lines;
}

/** Made from the text, so that the id survives edits of other lines. */
export function lineIdOf(file: string, text: string): string {
  return `${file}:${lineHash(text)}`;
}

/** Reads the date from a file's frontmatter; `undefined` without one. */
export function dateOfFile(text: string): Date | undefined {
  const [, frontmatter = ""] = /^\uFEFF?---\r?\n([\s\S]*?)\n---/.exec(text) ?? [];
  return parseTime(/^(?:updated_at|updated|date):\s*["']?([^"'\s]+)/m.exec(frontmatter)?.[1]);
}
