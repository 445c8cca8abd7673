import { lineHash, oneLine, readLine } from "./lines.ts";
import { type Outline, type Section, outlineOf, sectionOf } from "./outline.ts";

/** Headings of facts without a place of their own, in the order in which they are created. */
export const FACT_HEADINGS = {
  preferences: "User Preferences",
  decisions: "Architecture Decisions",
  workflows: "Workflow Patterns",
} as const;

/** A fact to keep for good. */
export interface LongTermFact {
  readonly text: string;
  /** When it was last said. */
  readonly day?: string | undefined;
  readonly heading: string;
  /** Other wordings; whatever holds for one of them holds for all. */
  readonly variants?: readonly string[] | undefined;
}

export interface MergedFacts {
  readonly text: string;
  readonly added: readonly string[];
  /** Hashes of all lines that were ever added: a missing one was deleted by hand. */
  readonly known: readonly string[];
}

/**
 * Adds facts to a MEMORY.md. Changes nothing else in it except the date of lines that it added and that are unchanged.
 * A fact whose line a person changed or deleted stays as they left it.
 *
 * Source: docs/memory-days.md, "Lasting facts".
 *
 * @param isSame Whether two lines say the same. Different numbers, dates, names or negations make two facts.
 */
export function mergeFacts(
  text: string,
  facts: readonly LongTermFact[],
  { known, isSame }: { readonly known: readonly string[]; isSame(one: string, other: string): boolean },
): MergedFacts {
  const outline = outlineOf(text);
  const hashes = new Set(known);
  const bullets = outline.sections.flatMap((section) => section.bullets);
  const standing = bullets.map((bullet) => ({ ...bullet, ...readLine(bullet.text), hash: lineHash(bullet.text) }));
  const lines = [...outline.lines];
  const additions = new Map<string, Addition[]>();
  const added: string[] = [];

  for (const fact of facts) {
    const wordings = [fact.text, ...(fact.variants ?? [])];
    const keys = wordings.map(lineHash);
    const wasKnown = keys.some((key) => hashes.has(key));
    const ours = standing.find(({ hash, day }) => day !== undefined && hashes.has(hash) && keys.includes(hash));
    const isThere = () => standing.some((line) => wordings.some((wording) => isSame(line.text, wording)));
    for (const key of keys) hashes.add(key);
    if (ours && fact.day !== undefined && ours.day !== undefined && ours.day < fact.day)
      lines[ours.from] = (lines[ours.from] ?? "").replace(/\(\d{4}-\d{2}-\d{2}\)(?=\s*$)/, `(${fact.day})`);
    if (wasKnown || isThere()) continue;
    const line = oneLine(fact.text);
    if (line === "") continue;
    const own = additions.get(fact.heading) ?? [];
    if (own.some((other) => isSame(other.text, line))) continue;
    own.push({ text: line, day: fact.day });
    additions.set(fact.heading, own);
    added.push(line);
  }
  return { text: withAdditions({ ...outline, lines }, additions), added, known: [...hashes] };
}

type Addition = Pick<LongTermFact, "text" | "day">;

/** Counts the lines of a MEMORY.md. */
export function countFacts(text: string): number {
  return outlineOf(text).sections.reduce((sum, { bullets }) => sum + bullets.length, 0);
}

/** Adds lines under their heading, after its last bullet; creates missing headings at the end. */
function withAdditions(outline: Outline, additions: ReadonlyMap<string, readonly Addition[]>): string {
  const { newline } = outline;
  const lines = [...outline.lines];
  const bulletLines = (added: readonly Addition[]) =>
    added.map(({ text, day }) => `- ${text}${day === undefined ? "" : ` (${day})`}${newline}`).join("");
  const order: readonly string[] = Object.values(FACT_HEADINGS);
  const places: { readonly section: Section; readonly added: readonly Addition[] }[] = [];
  let created = "";
  for (const [heading, added] of [...additions].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))) {
    const section = sectionOf(outline, heading);
    if (section) places.push({ section, added });
    else created += `${created === "" ? "" : newline}## ${heading}${newline}${newline}${bulletLines(added)}`;
  }
  for (const { section, added } of places) {
    const behind = section.bullets.at(-1)?.to;
    const at = behind ?? section.body;
    // A paragraph directly after a bullet would be read as part of it.
    const isTight = behind === undefined && (lines[at] ?? "").trim() !== "";
    ended(lines, at - 1, newline);
    const block = bulletLines(added);
    lines[at - 1] += behind === undefined ? newline + block + (isTight ? newline : "") : block;
  }
  if (created === "") return lines.join("");
  // Text after an unclosed code block would be code.
  if (outline.isOpen) {
    const { from } = outline.sections[0] ?? { from: 0 };
    lines.splice(from, 0, created + newline);
    return lines.join("");
  }
  ended(lines, lines.length - 1, newline);
  const isSpaced = lines.length === 0 || (lines.at(-1) ?? "").trim() === "";
  return lines.join("") + (isSpaced ? "" : newline) + created;
}

function ended(lines: string[], at: number, newline: string): void {
  const line = lines[at];
  if (line !== undefined && !/[\r\n]$/.test(line)) lines[at] = line + newline;
}
