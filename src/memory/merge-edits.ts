import type { MemoryEntry } from "./entry.ts";

/**
 * Merges an entry to save with its file (three-way): fields that a person changed in the file since it was read keep
 * the person's value; all others get the saved one.
 *
 * @param base The entry as last read; `undefined`: never read.
 * @param theirs The entry in the file.
 * @param ours The entry to save.
 */
export function mergeEdits(base: MemoryEntry | undefined, theirs: MemoryEntry, ours: MemoryEntry): MemoryEntry {
  if (base === undefined) return ours;
  const edited = (field: keyof MemoryEntry) => JSON.stringify(base[field]) !== JSON.stringify(theirs[field]);
  const { expiresAt: ourExpiry, ...rest } = ours;
  const expiresAt = edited("expiresAt") ? theirs.expiresAt : ourExpiry;
  return {
    ...rest,
    ...(edited("content") && { content: theirs.content }),
    ...(edited("keywords") && { keywords: theirs.keywords }),
    ...(edited("slots") && { slots: theirs.slots }),
    ...(edited("createdAt") && { createdAt: theirs.createdAt }),
    ...(expiresAt && { expiresAt }),
  };
}
