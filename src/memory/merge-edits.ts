import type { MemoryEntry } from "./entry.ts";

/**
 * An entry that is saved over a file: what a person changed in the file since it was read stays as they wrote it, everything else becomes what is saved.
 *
 * @param base As it was read last; `undefined`: it was not.
 * @param theirs As it stands in the file.
 * @param ours What is saved.
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
