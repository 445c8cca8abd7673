import { readLine } from "./days/lines.ts";
import { type Bullet, type Outline, type Section, outlineOf } from "./days/outline.ts";

/** Whether to leave out a line. `title`: of its section; absent in the frontmatter. */
type IsLeftOut = (line: string, title?: string) => boolean;

/** Lines with their line ends, and the line before which they are inserted. */
interface Addition {
  readonly at: number;
  readonly lines: readonly string[];
  /** Whether a blank line separates them from the text before. */
  readonly isApart: boolean;
}

/** A new section with its new subsections. `depth`: of sections for one place, deeper ones go first. */
interface NewSection extends Addition {
  readonly lines: string[];
  readonly depth: number;
}

/** A part of a section that stays together: a bullet, a paragraph, a piece of code. */
interface Block {
  readonly lines: readonly string[];
  /** Text of a bullet. */
  readonly bullet?: string;
}

/** Separates headings in a path. */
const BELOW = "\0";
const KEY = /^([^\s#:-][^:]*):/;
const OPENS = /^ {0,3}(?:`{3,}|~{3,}|<!--)/;

/**
 * Joins two Markdown texts of one person: keeps all of `into`, and adds what only `from` has under the headings that it
 * has there. A bullet of both stays once, with the newer date. A repeated join changes nothing.
 *
 * Source: docs/memory-belonging.md.
 *
 * @param isLeftOut Lines of `from` to leave out. Default: none.
 */
export function joinMarkdown(into: string, from: string, isLeftOut: IsLeftOut = () => false): string {
  const given = outlineOf(from.replace(/^\uFEFF/, ""));
  const there = outlineOf(into);
  if (given.isOpen || there.isOpen) return joinOpen(there, given, isLeftOut);
  const lines = [...there.lines];
  /** Additions for one place keep this order. */
  const [below, atEnds]: [Addition[], Addition[]] = [[], []];
  const added = new Map<string, NewSection>();
  const places = placesOf(there);
  for (const [path, sections] of placesOf(given)) {
    const place = placeLike(places, path);
    const target = place === undefined ? undefined : places.get(place)?.[0];
    const missing: Block[] = [];
    for (const section of sections)
      for (const block of blocksOf(given, section)) {
        if (block.lines.some((line) => isLeftOut(bare(line), section.title))) continue;
        if (holds(there.lines, block.lines)) continue;
        const same = block.bullet === undefined ? undefined : bulletLike(there, block.bullet);
        if (same) below.push(...joinBullet(lines, same, block));
        else missing.push(block);
      }
    const [section] = sections;
    if (target) {
      if (missing.length > 0) atEnds.push(atEndOf(there, target, missing));
    } else if (section && (section.level > 0 || missing.length > 0))
      addSection(added, { there, places, path }, [...given.lines.slice(section.from, section.body), ...apart(missing)]);
  }
  const head = joinHeads(there, given, isLeftOut);
  const sections = [...new Set(added.values())].sort((one, other) => other.depth - one.depth);
  return withAdditions(lines, [...head, ...below, ...atEnds, ...sections], there.newline);
}

/** Joins texts with an unclosed code block. Text after it would be code, so it goes last. */
function joinOpen(there: Outline, given: Outline, isLeftOut: IsLeftOut): string {
  const [body, start] = [given.lines.slice(bodyStart(given)), bodyStart(there)];
  const additions = [...joinHeads(there, given, isLeftOut)];
  if (!holds(there.lines, body))
    additions.push({ at: given.isOpen ? there.lines.length : start, lines: body, isApart: true });
  return withAdditions(there.lines, additions, there.newline);
}

/** Sections by path: the headings above them, as written. */
function placesOf({ lines, sections }: Outline): Map<string, Section[]> {
  const places = new Map<string, Section[]>();
  const above: Section[] = [];
  for (const section of sections) {
    while (above.length > 0 && (above.at(-1)?.level ?? 0) >= section.level) above.pop();
    if (section.level > 0) above.push(section);
    const path = above.map(({ from, body }) => `${lines.slice(from, body).map(bare).join("\n")}${BELOW}`).join("");
    places.set(path, [...(places.get(path) ?? []), section]);
  }
  return places;
}

/** Finds a path of headings in a text: the same path, or the longer one that it got when a join added it below other text. */
function placeLike(places: ReadonlyMap<string, unknown>, path: string): string | undefined {
  if (path === "" || places.has(path)) return path;
  const ways = [...places.keys()];
  const [above, last] = lastOf(path);
  const parent = above === "" ? undefined : placeLike(places, above);
  return (
    ways.find((one) => one.endsWith(BELOW + path)) ??
    (parent === undefined ? undefined : ways.find((one) => one.startsWith(parent) && one.endsWith(BELOW + last)))
  );
}

function lastOf(path: string): [above: string, last: string] {
  const at = path.slice(0, -1).lastIndexOf(BELOW) + 1;
  return [path.slice(0, at), path.slice(at)];
}

function blocksOf({ lines }: Outline, { body, to, bullets }: Section): readonly Block[] {
  const blocks: Block[] = [];
  let open: string[] = [];
  let isOpaque = false;
  const end = () => {
    if (open.length > 0) blocks.push({ lines: open });
    [open, isOpaque] = [[], false];
  };
  for (let at = body; at < to; at += 1) {
    const bullet = bullets.find(({ from }) => from === at);
    const line = lines[at] ?? "";
    if (bullet) {
      end();
      blocks.push({ lines: lines.slice(bullet.from, bullet.to), bullet: bullet.text });
      at = bullet.to - 1;
    } else if (bare(line) === "" && !isOpaque) end();
    else {
      isOpaque ||= OPENS.test(line);
      open.push(line);
    }
  }
  while (open.length > 0 && bare(open.at(-1) ?? "") === "") open.pop();
  end();
  return blocks;
}

/** Finds a bullet with the same text and entry; its date may differ. */
function bulletLike({ sections }: Outline, text: string): Bullet | undefined {
  const wanted = readLine(text);
  return sections
    .flatMap(({ bullets }) => bullets)
    .find((bullet) => {
      const said = readLine(bullet.text);
      return said.text === wanted.text && said.id === wanted.id;
    });
}

/** Updates the date of a bullet in `lines` if the other is newer. @returns The lines to add below it. */
function joinBullet(lines: string[], { from, to, text }: Bullet, block: Block): readonly Addition[] {
  const [before, now] = [readLine(text).day, readLine(block.bullet ?? "").day];
  if (before !== undefined && now !== undefined && before < now)
    lines[from] = (lines[from] ?? "").replace(/\(\d{4}-\d{2}-\d{2}\)(?=\s*(?:<!-- \S+ -->\s*)?$)/, () => `(${now})`);
  const below = new Set(lines.slice(from + 1, to).map(bare));
  const more = block.lines.slice(1).filter((line) => bare(line) !== "" && !below.has(bare(line)));
  return more.length > 0 ? [{ at: to, lines: more, isApart: false }] : [];
}

function atEndOf({ lines }: Outline, { body, to, bullets }: Section, blocks: readonly Block[]): Addition {
  let at = to;
  while (at > body && bare(lines[at - 1] ?? "") === "") at -= 1;
  const isList = bullets.at(-1)?.to === at && blocks[0]?.bullet !== undefined;
  return { at, lines: joined(blocks), isApart: !isList };
}

/** Adds a section after the text under its parent heading, which may be new too, else at the end. */
function addSection(
  added: Map<string, NewSection>,
  { there, places, path }: { there: Outline; places: ReadonlyMap<string, readonly Section[]>; path: string },
  lines: readonly string[],
): void {
  const [above] = lastOf(path);
  const parent = added.get(above);
  if (parent) {
    parent.lines.push("\n", ...lines);
    added.set(path, parent);
    return;
  }
  const place = above === "" ? undefined : placeLike(places, above);
  const near = [...places].filter(([one]) => place !== undefined && one.startsWith(place));
  const at = near.length > 0 ? Math.max(...near.flatMap(([, some]) => some.map(({ to }) => to))) : there.lines.length;
  added.set(path, { at, lines: [...lines], isApart: true, depth: path.split(BELOW).length });
}

function apart(blocks: readonly Block[]): readonly string[] {
  return blocks.length > 0 ? ["\n", ...joined(blocks)] : [];
}

function joined(blocks: readonly Block[]): readonly string[] {
  return blocks.flatMap(({ lines, bullet }, at) => {
    const isTight = at === 0 || (bullet !== undefined && blocks[at - 1]?.bullet !== undefined);
    return isTight ? lines : ["\n", ...lines];
  });
}

/** Joins the frontmatter: adds missing fields, and keeps fields with another value as comments. */
function joinHeads(there: Outline, given: Outline, isLeftOut: IsLeftOut): readonly Addition[] {
  if (!given.frontmatter) return [];
  const own = given.lines.slice(given.frontmatter.from, given.frontmatter.to).filter((line) => !isLeftOut(bare(line)));
  if (!there.frontmatter) return [{ at: 0, lines: given.lines.slice(0, given.frontmatter.to + 1), isApart: false }];
  const known = there.lines.slice(there.frontmatter.from, there.frontmatter.to);
  const said = new Set(known.flatMap((line) => [bare(line), bare(line).replace(/^# /, "")]));
  const keys = new Set(known.flatMap((line) => KEY.exec(line)?.[1] ?? []));
  let isKnown = false;
  const more = own.flatMap((line) => {
    const [, key] = KEY.exec(line) ?? [];
    if (key !== undefined) isKnown = keys.has(key);
    if (said.has(bare(line))) return [];
    return [isKnown && !line.startsWith("#") ? `# ${line}` : line];
  });
  return more.length > 0 ? [{ at: there.frontmatter.to, lines: more, isApart: false }] : [];
}

function bodyStart({ frontmatter }: Outline): number {
  return frontmatter ? frontmatter.to + 1 : 0;
}

/** Whether a text contains these lines in sequence. */
function holds(lines: readonly string[], wanted: readonly string[]): boolean {
  const [text, part] = [lines, wanted].map((some) => `\n${some.map(bare).join("\n")}\n`);
  return (text ?? "").includes((part ?? "").replace(/\n+$/, "\n"));
}

function bare(line: string): string {
  return line.replace(/^\uFEFF/, "").trimEnd();
}

function withAdditions(lines: readonly string[], additions: readonly Addition[], newline: string): string {
  const result = lines.map((line) => line);
  const ended = (line: string) => line.replace(/[\r\n]*$/, () => newline);
  // Inserts from the end, so that earlier line numbers stay valid; of additions for one place the last is inserted
  // first.
  for (const { at, lines: added, isApart } of additions.toReversed().toSorted((one, other) => other.at - one.at)) {
    const before = result[at - 1];
    if (before !== undefined) result[at - 1] = /[\r\n]$/.test(before) ? before : before + newline;
    const behind = result[at];
    const needsBlank = isApart && at > 0 && bare(before ?? "") !== "";
    const block = added.map(ended);
    if (behind !== undefined && bare(behind) !== "" && isApart && bare(block.at(-1) ?? "") !== "") block.push(newline);
    result.splice(at, 0, ...(needsBlank ? [newline] : []), ...block);
  }
  return result.join("");
}
