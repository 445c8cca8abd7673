import { ENTRY_TYPES, type MemoryEntry } from "../entry.ts";
import { hashOf, oneLine, readLine, withEntryId } from "./lines.ts";
import { type Outline, type Section, outlineOf, sectionOf } from "./outline.ts";

/** Sections that a digest writes, in order. */
export const DIGEST_SECTIONS = {
  facts: "Facts and decisions",
  tools: "Tool use",
  highlights: "Conversation highlights",
} as const;

/** Hash of each entry's line as the last digest wrote it. A line that differs was changed by hand. */
export type WrittenLines = Readonly<Record<string, string>>;

export interface ComposeDigestInput {
  /** `2026-02-01`. */
  readonly day: string;
  /** Entries of the day, in any order. */
  readonly entries: readonly MemoryEntry[];
  /** The present digest. */
  readonly previous?: string | undefined;
  readonly written?: WrittenLines | undefined;
}

export interface ComposedDigest {
  readonly text: string;
  readonly written: WrittenLines;
}

/** Most highlights of a day: the newest. All facts are kept. */
const MAX_HIGHLIGHTS = 30;
const MAX_FACT_CHARACTERS = 500;
const MAX_HIGHLIGHT_CHARACTERS = 300;
const TRAILING_BLANKS = /(?:[ \t]*(?:\r\n|\r|\n))+[ \t]*$/;
const OUR_KEYS = /^(?:date|entry_count|sources)[ \t]*:/;

/**
 * Composes a day's digest: statements and decisions, used tools, work done. The same entries give the same bytes. Keeps
 * what a person wrote: other sections, other lines in these sections, other keys of the frontmatter, and lines of
 * entries that they changed or deleted.
 *
 * Source: docs/memory-days.md, "Digests".
 */
export function composeDigest({ day, entries, previous = "", written }: ComposeDigestInput): ComposedDigest {
  const sorted = [...entries].sort(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1),
  );
  const shown = sorted.filter((entry) => entry.slots["type"] !== ENTRY_TYPES.workflowTrace);
  const outline = outlineOf(previous);
  const now: Record<string, string> = {};
  const facts = shown.filter(isFact);
  const highlights = shown.filter((entry) => !isFact(entry)).slice(-MAX_HIGHLIGHTS);
  const told = new Set([...facts, ...highlights].map(({ id }) => id));

  function bulletsOf(title: string, of: readonly MemoryEntry[], mostCharacters: number): readonly string[] {
    const kept = standingLines(outline, title);
    const bullet = (text: string, { more = [] }: Partial<StandingLine> = {}) =>
      [`- ${text}`, ...more].join(outline.newline);
    // An entry that is no longer shown keeps its line only if a person changed it.
    const left = [...kept].flatMap(([id, standing]) => {
      const before = written?.[id];
      if (told.has(id) || before === undefined || before === hashOf(standing.text)) return [];
      now[id] = before;
      return [bullet(standing.text, standing)];
    });
    const ours = of.flatMap((entry) => {
      const text = oneLine(entry.content, mostCharacters);
      if (text === "") return [];
      const line = withEntryId(text, entry.id);
      const standing = kept.get(entry.id);
      const before = written?.[entry.id];
      const isTouched = before !== undefined && before !== (standing && hashOf(standing.text));
      const isTheirs = isTouched && standing?.text !== line;
      now[entry.id] = isTheirs ? before : hashOf(line);
      if (isTheirs && standing === undefined) return [];
      return [bullet(isTheirs && standing ? standing.text : line, standing)];
    });
    return [...ours, ...left];
  }

  const sections: Readonly<Record<string, readonly string[]>> = {
    [DIGEST_SECTIONS.facts]: bulletsOf(DIGEST_SECTIONS.facts, facts, MAX_FACT_CHARACTERS),
    [DIGEST_SECTIONS.tools]: toolLines(sorted),
    [DIGEST_SECTIONS.highlights]: bulletsOf(DIGEST_SECTIONS.highlights, highlights, MAX_HIGHLIGHT_CHARACTERS),
  };
  const head = frontmatterOf(outline, [
    `date: ${JSON.stringify(day)}`,
    `entry_count: ${sorted.length}`,
    `sources: ${JSON.stringify(sourcesOf(sorted))}`,
  ]);
  return { text: head + bodyOf(outline, sections), written: now };
}

/** Lines under Facts and decisions, whether written by hand or not. */
export function factLinesOf(digest: string): readonly string[] {
  return sectionOf(outlineOf(digest), DIGEST_SECTIONS.facts)?.bullets.map(({ text }) => text) ?? [];
}

function isFact({ slots, keywords }: MemoryEntry): boolean {
  const { type } = slots;
  if (type === ENTRY_TYPES.autoCapture) return false;
  if (type === ENTRY_TYPES.autoFlush) return keywords.includes("preference") || keywords.includes("user_instruction");
  return true;
}

interface StandingLine {
  readonly text: string;
  /** Lines that a person wrote below it. */
  readonly more: readonly string[];
}

/** Lines of entries in a section, by entry. */
function standingLines(outline: Outline, title: string): ReadonlyMap<string, StandingLine> {
  const standing = new Map<string, StandingLine>();
  for (const { text, from, to } of sectionOf(outline, title)?.bullets ?? []) {
    const { id } = readLine(text);
    const more = outline.lines.slice(from + 1, to).map((line) => line.replace(/[\r\n]+$/, ""));
    if (id !== undefined) standing.set(id, { text, more });
  }
  return standing;
}

/** Counts the calls of each tool: from captures of turns, and from traces of turns without a capture. */
function toolLines(entries: readonly MemoryEntry[]): readonly string[] {
  const counts = new Map<string, number>();
  const captured = new Set<unknown>();
  const add = (name: string, times = 1) => counts.set(name, (counts.get(name) ?? 0) + times);
  for (const { slots, content } of entries) {
    if (slots["type"] === ENTRY_TYPES.workflowTrace) continue;
    const [, tools] = (slots["type"] === ENTRY_TYPES.autoCapture && /^Tools: (.+)$/m.exec(content)) || [];
    for (const tool of tools?.split(", ") ?? []) {
      const [, name = tool, times = "1"] = /^(.+) × (\d+)$/.exec(tool) ?? [];
      add(name, Number(times));
    }
    if (tools === undefined) for (const name of namesIn(slots["tools"])) add(name);
    else captured.add(slots["turn"]);
  }
  for (const { slots } of entries) {
    if (slots["type"] !== ENTRY_TYPES.workflowTrace || captured.has(slots["task_id"])) continue;
    for (const name of namesIn(slots["tool_seq"])) add(name);
  }
  return [...counts]
    .sort(([one, times], [other, otherTimes]) => otherTimes - times || (one < other ? -1 : 1))
    .map(([name, times]) => `- ${oneLine(name)} × ${times}`);
}

function namesIn(slot: unknown): readonly string[] {
  const names = typeof slot === "string" ? slot.split(/→|->|,/) : Array.isArray(slot) ? slot : [];
  return names.flatMap((name: unknown) => (typeof name === "string" && name.trim() !== "" ? [name.trim()] : []));
}

/** Sources of the entries: the slot `source`, else the type. */
function sourcesOf(entries: readonly MemoryEntry[]): readonly string[] {
  const names = entries.flatMap(({ slots }) => {
    const source = slots["source"] ?? slots["type"];
    return typeof source === "string" ? [source] : [];
  });
  return [...new Set(names)].sort();
}

function frontmatterOf({ lines, newline, frontmatter }: Outline, ours: readonly string[]): string {
  if (!frontmatter) return `---${newline}${ours.join(newline)}${newline}---${newline}${newline}`;
  let isOurs = false;
  const theirs = lines.slice(frontmatter.from, frontmatter.to).filter((line) => {
    if (!/^(?:[ \t]|-[ \t])/.test(line)) isOurs = OUR_KEYS.test(line);
    return !isOurs;
  });
  const closing = lines[frontmatter.to] ?? "";
  const end = /[\r\n]$/.test(closing) ? closing : closing + newline;
  return (lines[0] ?? "") + ours.map((line) => line + newline).join("") + theirs.join("") + end;
}

/** Replaces the digest's sections in place. Missing ones go after the last one that exists, or to the front. */
function bodyOf(outline: Outline, sections: Readonly<Record<string, readonly string[]>>): string {
  const { lines, newline } = outline;
  const places = new Map<Section, string>();
  for (const title of Object.keys(sections)) {
    const section = sectionOf(outline, title);
    if (section) places.set(section, title);
  }
  const block = (text: string) => (text.trim() === "" ? "" : text.replace(TRAILING_BLANKS, "") + newline + newline);
  const made = (title: string, theirs: readonly string[] = []) =>
    block(`## ${title}`) + block((sections[title] ?? []).join(newline)) + block(theirs.join(""));
  const missing = Object.keys(sections).filter((title) => ![...places.values()].includes(title));
  const lastOurs = outline.sections.findLastIndex((section) => places.has(section));
  // Text after an unclosed code block would be code, so new sections go before it.
  const before = Math.min(Math.max(lastOurs, 0) + 1, outline.sections.length - (outline.isOpen ? 1 : 0));
  const parts = outline.sections.map((section, index) => {
    const title = places.get(section);
    if (title !== undefined) return made(title, foreignLines(outline, section, title));
    const text = lines.slice(section.from, section.to).join("");
    return before <= index && section.level === 0 ? block(text.replace(/^(?:[ \t]*[\r\n])+/, "")) : text;
  });
  parts.splice(before, 0, ...missing.map((title) => made(title)));
  return parts.reduce(
    (text, part) => text + (text === "" || part === "" || /[\r\n]$/.test(text) ? "" : newline) + part,
    "",
  );
}

/**
 * Lines that a person added to one of the digest's sections: all except lines of entries, lines of tools, and the blank
 * line under the heading.
 */
function foreignLines({ lines }: Outline, section: Section, title: string): readonly string[] {
  const isOurs = (text: string) =>
    title === DIGEST_SECTIONS.tools ? / × \d+$/.test(text) : readLine(text).id !== undefined;
  const ours = section.bullets.filter(({ text }) => isOurs(text));
  const kept = lines
    .slice(section.body, section.to)
    .filter((_, at) => !ours.some(({ from, to }) => at + section.body >= from && at + section.body < to));
  const first = kept.findIndex((line) => line.trim() !== "");
  return first === -1 ? [] : kept.slice(first);
}
