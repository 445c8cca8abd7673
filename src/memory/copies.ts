import type { MemoryApi } from "./api.ts";
import { idsIn } from "./capture/duplicate.ts";
import { lineHash, oneLine } from "./days/lines.ts";
import { sameFacts } from "./days/long-term.ts";
import type { MemoryEntry } from "./entry.ts";
import { factsOf } from "./lasting.ts";
import type { MemoryLine } from "./memory-lines.ts";

/** Entries, and lines of MEMORY.md and of digests, that are removed. */
export interface Removed {
  readonly entries: readonly MemoryEntry[];
  readonly lines: readonly Pick<MemoryLine, "text" | "entryId">[];
}

/**
 * Finds entries that would still say what is removed, in recall and in the archive: sources of removed lines, entries
 * merged into a removed one, and entries that it was merged into. Skips an entry that says something else by now.
 */
export async function copiesOf(
  memory: Pick<MemoryApi, "list">,
  userId: string,
  { entries, lines }: Removed,
): Promise<readonly MemoryEntry[]> {
  const all = new Map<string, MemoryEntry>();
  for (const archived of [true, false])
    for await (const entry of memory.list(userId, { archived })) all.set(entry.id, entry);
  const sources = new Set(lines.map(({ entryId }) => entryId));
  const said = new Set(lines.map(({ text }) => lineHash(text)));
  const given = new Set(entries.map(({ id }) => id));
  const copies = new Map<string, MemoryEntry>();
  const add = (entry: MemoryEntry) => void (given.has(entry.id) || copies.set(entry.id, entry));
  const isOfLine = (entry: MemoryEntry) =>
    sources.has(entry.id) || factsOf(entry).some((text) => said.has(lineHash(oneLine(text))));
  if (lines.length > 0) for (const entry of all.values()) if (isOfLine(entry)) add(entry);

  const isSame = sameFacts();
  /** Compares whole texts and single lines: a merged entry has the newest wording, and lines of the others. */
  const saysTheSame = (one: MemoryEntry, other: MemoryEntry) =>
    wordings(one).some((text) => wordings(other).some((wording) => isSame(text, wording)));
  const met = new Set<string>();
  const around = [...entries, ...copies.values()];
  for (const entry of around) {
    if (met.has(entry.id)) continue;
    met.add(entry.id);
    const from = idsIn(entry.slots).flatMap((id) => all.get(id) ?? []);
    const into = [...all.values()].filter(({ slots }) => idsIn(slots).includes(entry.id));
    for (const other of [...from, ...into]) {
      if (met.has(other.id) || !saysTheSame(entry, other)) continue;
      add(other);
      around.push(other);
    }
  }
  return [...copies.values()];
}

const wordings = ({ content }: MemoryEntry) => [content, ...content.split("\n")];
