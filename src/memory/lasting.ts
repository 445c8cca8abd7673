import type { Statement } from "../statements/index.ts";
import { goalIn } from "./capture/auto-capture.ts";
import { isSaidByPerson, lastingIn } from "./capture/flush.ts";
import { ENTRY_TYPES, type MemoryEntry } from "./entry.ts";

/** In a group a statement begins with its speaker: `Ada (42): …`. */
const SPEAKER = /^[^:\n]{1,120}: /;

/** Finds a person's lasting statements in an entry, sentence by sentence. Ignores what tools and the assistant wrote. */
export function lastingStatements({ content, keywords, slots }: MemoryEntry): readonly Statement[] {
  const { type, lasting } = slots;
  if (lasting === false || type === ENTRY_TYPES.workflowTrace) return [];
  if (type === ENTRY_TYPES.autoFlush) return isSaidByPerson(keywords) ? lastingIn(content) : [];
  if (type === ENTRY_TYPES.autoCapture) return lastingIn(goalIn(content));
  const found = lastingIn(content);
  return found.length > 0 || type !== ENTRY_TYPES.statement ? found : lastingIn(content.replace(SPEAKER, ""));
}

/**
 * Marks an entry that states something lasting, as capture marks new ones; `undefined`: it has a mark, or there is
 * nothing to mark.
 */
export function markedAsLasting(entry: MemoryEntry): MemoryEntry | undefined {
  const { expiresAt, ...rest } = entry;
  const { type, lasting } = entry.slots;
  if (lasting !== undefined || (type !== ENTRY_TYPES.statement && type !== ENTRY_TYPES.autoFlush)) return undefined;
  if (lastingStatements(entry).length === 0) return undefined;
  // Capture sets the expiry of a flushed entry; any other expiry was set by the caller that saved it.
  const keepsTime = expiresAt && type !== ENTRY_TYPES.autoFlush;
  return { ...rest, slots: { ...entry.slots, lasting: true }, ...(keepsTime && { expiresAt }) };
}

/** An entry's statements, each as a line has it: of a flushed message only the lasting ones. */
export function factsOf(entry: MemoryEntry): readonly string[] {
  if (entry.slots["type"] !== ENTRY_TYPES.autoFlush) return [entry.content];
  return lastingStatements(entry).map(({ text }) => text);
}
