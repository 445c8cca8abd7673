// Markdown as models write it, for channels that have a format of their own. It reads CommonMark's blocks and spans, and of GitHub's additions tables,
// tasks and strike-through; HTML and link definitions stay the text that they are. A tenth of what a library would weigh in a Worker.
// Source: https://spec.commonmark.org/0.31.2/, https://github.github.com/gfm/.

export type Span =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "strong" | "emphasis" | "strike"; readonly children: readonly Span[] }
  | { readonly type: "link"; readonly href: string; readonly children: readonly Span[] };

export interface ListItem {
  readonly blocks: readonly Block[];
  /** For a task: whether it is done. */
  readonly done?: boolean;
}

export type Block =
  | { readonly type: "heading" | "paragraph"; readonly children: readonly Span[] }
  | { readonly type: "code"; readonly text: string; readonly info: string }
  | { readonly type: "quote"; readonly blocks: readonly Block[] }
  /** `start`: the first number of an ordered list. */
  | { readonly type: "list"; readonly start: number | undefined; readonly items: readonly ListItem[] }
  | { readonly type: "table"; readonly text: string }
  | { readonly type: "rule" };

/** Quotes and lists inside each other; what is deeper is text. */
const MOST_LEVELS = 16;

const FENCE = /^( {0,3})(`{3,}|~{3,})[ \t]*(.*)$/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( *)(?:[-*+]|(\d{1,9})[.)])(?:[ \t]+|$)/;
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const TABLE_RULE = /^[ |:-]+$/;

/** Reads a text into blocks. Never throws: what is no Markdown is a paragraph. */
export function readMarkdown(text: string): readonly Block[] {
  return readBlocks(text.replaceAll("\r\n", "\n").replaceAll("\t", "    ").split("\n"), 0);
}

function readBlocks(lines: readonly string[], level: number): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const fence = fenceOf(line);
    const item = level < MOST_LEVELS ? itemOf(line) : undefined;
    if (line.trim() === "") at += 1;
    else if (fence) {
      const end = lines.findIndex((one, index) => index > at && fence.isEnd(one));
      const inside = lines.slice(at + 1, end < 0 ? undefined : end).map((one) => outdent(one, fence.indent));
      blocks.push({ type: "code", text: inside.join("\n"), info: fence.info });
      at = end < 0 ? lines.length : end + 1;
    } else if (HEADING.test(line)) {
      blocks.push({ type: "heading", children: readSpans(headingText(line)) });
      at += 1;
    } else if (RULE.test(line)) {
      blocks.push({ type: "rule" });
      at += 1;
    } else if (QUOTE.test(line) && level < MOST_LEVELS) {
      const end = endOfLazy(lines, at, (one) => QUOTE.test(one));
      blocks.push({
        type: "quote",
        blocks: readBlocks(
          lines.slice(at, end).map((one) => one.replace(QUOTE, "")),
          level + 1,
        ),
      });
      at = end;
    } else if (item) {
      const { list, end } = readList(lines, at, item, level);
      blocks.push(list);
      at = end;
    } else if (/^ {4}/.test(line)) {
      const end = endOf(lines, at, (one) => /^ {4}|^ *$/.test(one));
      const code = lines.slice(at, end).map((one) => outdent(one, 4));
      blocks.push({ type: "code", text: code.join("\n").trimEnd(), info: "" });
      at = end;
    } else if (isTable(line, lines[at + 1])) {
      const end = endOf(lines, at, (one) => one.trim() !== "" && !startsBlock(one));
      blocks.push({ type: "table", text: lines.slice(at, end).join("\n").trim() });
      at = end;
    } else {
      const end = endOf(lines, at + 1, (one) => one.trim() !== "" && (!startsBlock(one) || UNDERLINE.test(one)));
      const underline = lines.findIndex((one, index) => index > at && index < end && UNDERLINE.test(one));
      const paragraph = lines.slice(at, underline < 0 ? end : underline).map((one) => one.trim());
      blocks.push({ type: underline < 0 ? "paragraph" : "heading", children: readSpans(paragraph.join("\n")) });
      at = underline < 0 ? end : underline + 1;
    }
  }
  return blocks;
}

interface Item {
  readonly indent: number;
  /** Where its text begins. */
  readonly width: number;
  /** `undefined`: a bullet. */
  readonly number: number | undefined;
}

function itemOf(line: string): Item | undefined {
  const [marker = "", indent = "", number] = ITEM.exec(line) ?? [];
  if (marker === "" || indent.length > 3 || RULE.test(line)) return undefined;
  const spaces = marker.length - marker.trimEnd().length;
  // Five spaces and more are one, and the rest is code.
  const width = spaces > 4 || spaces === 0 ? marker.trimEnd().length + 1 : marker.length;
  return { indent: indent.length, width, number: number === undefined ? undefined : Number(number) };
}

function readList(lines: readonly string[], from: number, first: Item, level: number): { list: Block; end: number } {
  const items: ListItem[] = [];
  let at = from;
  let item: Item | undefined = first;
  while (item) {
    const { indent, width } = item;
    // Two spaces are enough to stand below an item: models write them also below `1.`.
    const isBelow = (line: string) => indentOf(line) >= Math.min(width, indent + 2);
    let end = at + 1;
    let open = true;
    for (; end < lines.length; end += 1) {
      const line = lines[end] ?? "";
      const isBlank = line.trim() === "";
      if (!isBlank && !isBelow(line) && (!open || itemOf(line) || startsBlock(line))) break;
      open = !isBlank;
    }
    const [head = "", ...rest] = lines.slice(at, end);
    items.push(
      readItem([head.slice(Math.min(width, head.length)), ...rest.map((line) => outdent(line, width))], level),
    );
    const next = end < lines.length ? itemOf(lines[end] ?? "") : undefined;
    at = end;
    item = next && (next.number === undefined) === (first.number === undefined) ? next : undefined;
  }
  return { list: { type: "list", start: first.number, items }, end: at };
}

function readItem(lines: readonly string[], level: number): ListItem {
  const [head = "", ...rest] = lines;
  const task = /^\[([ xX])\](?: |$)/.exec(head);
  const blocks = readBlocks(task ? [head.slice(task[0].length), ...rest] : lines, level + 1);
  return task ? { blocks, done: task[1] !== " " } : { blocks };
}

/** The first line from `from` on that is not taken in. */
function endOf(lines: readonly string[], from: number, takes: (line: string) => boolean): number {
  let at = from;
  while (at < lines.length && takes(lines[at] ?? "")) at += 1;
  return at;
}

/** As `endOf`; a line that goes on with the paragraph before it may miss the mark. */
function endOfLazy(lines: readonly string[], from: number, takes: (line: string) => boolean): number {
  return endOf(lines, from, (line) => takes(line) || (line.trim() !== "" && !startsBlock(line)));
}

function startsBlock(line: string): boolean {
  const item = itemOf(line);
  if (item) return (item.number === undefined || item.number === 1) && line.slice(item.width).trim() !== "";
  return fenceOf(line) !== undefined || HEADING.test(line) || RULE.test(line) || QUOTE.test(line);
}

function fenceOf(line: string) {
  const [, indent = "", marks = "", info = ""] = FENCE.exec(line) ?? [];
  if (marks === "" || (marks.startsWith("`") && info.includes("`"))) return undefined;
  const isEnd = (one: string) => {
    const text = one.trim();
    return indentOf(one) < 4 && text.length >= marks.length && text === (marks[0] ?? "").repeat(text.length);
  };
  return { indent: indent.length, info: info.trim(), isEnd };
}

function isTable(line: string, next: string | undefined): boolean {
  return next !== undefined && line.includes("|") && next.includes("|") && next.includes("-") && TABLE_RULE.test(next);
}

function headingText(line: string): string {
  const text = line.trim().replace(/^#+/, "").trim();
  let end = text.length;
  while (text[end - 1] === "#") end -= 1;
  const bare = text.slice(0, end);
  return bare === "" || /\s$/.test(bare) ? bare.trim() : text;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function outdent(line: string, spaces: number): string {
  return line.slice(Math.min(spaces, indentOf(line)));
}

/** A run of `*`, `_` or `~` that may become a mark. */
interface Run {
  readonly type: "run";
  readonly char: string;
  count: number;
  readonly opens: boolean;
  readonly closes: boolean;
}

type Node = Span | Run;

interface Bracket {
  /** How many nodes stood before it. */
  readonly at: number;
  readonly image: boolean;
}

const PUNCTUATION = /[\p{P}\p{S}]/u;
const BETWEEN_WORDS = /\s|^$/;
/** Chinese and Japanese put no space between a mark and the next word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const ADDRESS = /https?:\/\/[^\s<>[\]`*]+/iy;
const ANGLED = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*)>/iy;
const LINE_BREAK = /<br\s*\/?>/iy;
const PLAIN = /[^\\`<![\]*_~h]+/y;

/** Reads the text of a paragraph. */
export function readSpans(text: string): readonly Span[] {
  const nodes: Node[] = [];
  const brackets: Bracket[] = [];
  /** Lengths of runs of backticks that nothing ends from here on. */
  const unended = new Set<number>();
  let at = 0;

  const say = (words: string) => {
    const last = nodes.at(-1);
    // An open bracket stays a node of its own, since it may yet become a link.
    if (last?.type === "text" && brackets.at(-1)?.at !== nodes.length - 1)
      nodes[nodes.length - 1] = { type: "text", text: last.text + words };
    else if (words !== "") nodes.push({ type: "text", text: words });
  };
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };

  while (at < text.length) {
    const char = text[at] ?? "";
    const plain = match(PLAIN)?.[0];
    if (plain !== undefined) {
      say(plain);
      at += plain.length;
    } else if (char === "\\" && /[!-/:-@[-`{-~\n]/.test(text[at + 1] ?? "")) {
      say(text[at + 1] ?? "");
      at += 2;
    } else if (char === "`") {
      const { length } = /^`+/.exec(text.slice(at, at + 100))?.[0] ?? char;
      const end = unended.has(length) ? -1 : endOfCode(text, at + length, length);
      if (end < 0) unended.add(length);
      if (end < 0) say("`".repeat(length));
      else nodes.push({ type: "code", text: codeText(text.slice(at + length, end)) });
      at = end < 0 ? at + length : end + length;
    } else if (char === "<") {
      const found = match(LINE_BREAK) ?? match(ANGLED);
      if (found?.[1] !== undefined) {
        nodes.push({ type: "link", href: found[1], children: [{ type: "text", text: found[1] }] });
      } else say(found ? "\n" : char);
      at += found?.[0].length ?? 1;
    } else if (char === "[" || (char === "!" && text[at + 1] === "[")) {
      brackets.push({ at: nodes.length, image: char === "!" });
      nodes.push({ type: "text", text: char === "!" ? "![" : "[" });
      at += char === "!" ? 2 : 1;
    } else if (char === "]") {
      const opened = brackets.pop();
      const target = opened && targetOf(text, at + 1);
      if (opened && target) {
        const inside = nodes.splice(opened.at).slice(1);
        nodes.push({ type: "link", href: target.href, children: marked(inside) });
        at = target.end;
      } else {
        say(char);
        at += 1;
      }
    } else if (char === "*" || char === "_" || char === "~") {
      const run = runAt(text, at, char);
      nodes.push(run);
      at += run.count;
    } else {
      // An address is no Markdown, whatever it holds. What a sentence puts behind it is not part of it.
      const address =
        BETWEEN_WORDS.test(text[at - 1] ?? "") || PUNCTUATION.test(text[at - 1] ?? "") ? match(ADDRESS) : null;
      const words = address?.[0].replace(/[?!.,:;_~'")]{1,20}$/, "") ?? char;
      say(words);
      at += words.length;
    }
  }
  return marked(nodes);
}

function endOfCode(text: string, from: number, length: number): number {
  let at = text.indexOf("`", from);
  while (at >= 0) {
    let end = at;
    while (text[end] === "`") end += 1;
    if (end - at === length) return at;
    at = text.indexOf("`", end);
  }
  return -1;
}

function codeText(text: string): string {
  const line = text.replaceAll("\n", " ");
  return line.startsWith(" ") && line.endsWith(" ") && line.trim() !== "" ? line.slice(1, -1) : line;
}

/** Longest address of a link with its title: bounds the work on texts that are made of brackets. */
const MOST_TARGET = 1024;

/** `(address "title")` behind a bracket. */
function targetOf(text: string, from: number): { readonly href: string; readonly end: number } | undefined {
  if (text[from] !== "(") return undefined;
  const longest = text.slice(from + 1, from + 1 + MOST_TARGET);
  const angled = /^\s{0,9}<([^<>\n]*)>/.exec(longest);
  let depth = 0;
  let end = angled?.[0].length ?? longest.length - longest.trimStart().length;
  const begin = end;
  for (; angled === null && end < longest.length; end += 1) {
    const char = longest[end] ?? "";
    if (char === "\\") end += 1;
    else if (char === "(") depth += 1;
    else if (char <= " " || (char === ")" && depth-- === 0)) break;
  }
  const href = angled?.[1] ?? longest.slice(begin, end);
  const rest = /^(?:\s{1,9}(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s{0,9}\)/.exec(longest.slice(end));
  if (rest === null) return undefined;
  return { href: href.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1"), end: from + 1 + end + rest[0].length };
}

/** Whether a run opens or closes a mark is told by what stands before and behind it. Source: https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run. */
function runAt(text: string, at: number, char: string): Run {
  let end = at;
  while (text[end] === char) end += 1;
  const before = characterBefore(text, at);
  const behind = end < text.length ? String.fromCodePoint(text.codePointAt(end) ?? 0) : "";
  const isFree = (one: string) =>
    BETWEEN_WORDS.test(one) || PUNCTUATION.test(one) || (char !== "_" && UNSPACED.test(one));
  const left = !BETWEEN_WORDS.test(behind) && (!PUNCTUATION.test(behind) || isFree(before));
  const right = !BETWEEN_WORDS.test(before) && (!PUNCTUATION.test(before) || isFree(behind));
  const count = end - at;
  if (char === "~") return { type: "run", char, count, opens: left && count < 3, closes: right && count < 3 };
  if (char === "*") return { type: "run", char, count, opens: left, closes: right };
  return {
    type: "run",
    char,
    count,
    opens: left && (!right || PUNCTUATION.test(before)),
    closes: right && (!left || PUNCTUATION.test(behind)),
  };
}

function characterBefore(text: string, at: number): string {
  const unit = text[at - 1] ?? "";
  return /[\udc00-\udfff]/.test(unit) && at > 1 ? text.slice(at - 2, at) : unit;
}

/** How far back the opening of a mark is looked for: bounds the work on texts that are made of marks. */
const MOST_OPEN = 200;

/** Pairs the runs and makes marks of them; what has no partner is text. */
function marked(nodes: readonly Node[]): readonly Span[] {
  const out: Node[] = [];
  const open: { readonly run: Run; readonly at: number }[] = [];
  for (const node of nodes) {
    if (node.type !== "run") {
      out.push(node);
      continue;
    }
    const run = { ...node };
    while (run.closes && run.count > 0) {
      const index = open.findLastIndex((one, place) => place >= open.length - MOST_OPEN && isPair(one.run, run));
      const opening = open[index];
      if (opening === undefined) break;
      const strength = run.char === "~" ? run.count : run.count > 1 && opening.run.count > 1 ? 2 : 1;
      const children = out.splice(opening.at + 1).map(asText);
      open.length = index + 1;
      opening.run.count -= strength;
      run.count -= strength;
      if (opening.run.count === 0) {
        out.length = opening.at;
        open.length = index;
      }
      const type = run.char === "~" ? "strike" : strength === 2 ? "strong" : "emphasis";
      out.push({ type, children });
    }
    if (run.count === 0) continue;
    if (run.opens) open.push({ run, at: out.length });
    out.push(run);
  }
  return out.map(asText);
}

function isPair(opening: Run, closing: Run): boolean {
  if (opening.char !== closing.char) return false;
  if (opening.char === "~") return opening.count === closing.count;
  // So that `*a**b*` is one mark. Source: https://spec.commonmark.org/0.31.2/#can-open-emphasis, rule 9.
  const isAmbiguous = (opening.closes || closing.opens) && (opening.count + closing.count) % 3 === 0;
  return !isAmbiguous || (opening.count % 3 === 0 && closing.count % 3 === 0);
}

function asText(node: Node): Span {
  return node.type === "run" ? { type: "text", text: node.char.repeat(node.count) } : node;
}
