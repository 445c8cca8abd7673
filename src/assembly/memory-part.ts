import type { MemoryPart, MemoryProblem } from "../http/index.ts";
import { type MemoryApi, type MemoryFiles, createMemoryFiles, exportMemory, importMemory } from "../memory/index.ts";
import type { Store } from "../store/index.ts";

export interface MemoryPartParts {
  readonly memory: MemoryApi;
  readonly store: Store;
  /** Of `createMemoryUsers`. */
  canonicalUser(userId: string): string;
  /** Files that could not be read. Default: nobody knows of any. */
  problems?(): Promise<readonly MemoryProblem[]>;
  readonly importFiles: MemoryPart["importFiles"];
}

/** `assistant.memory`: what is remembered, with its files, and ways to take it along. */
export function createMemoryPart(parts: MemoryPartParts): MemoryPart {
  const { memory, store, canonicalUser } = parts;
  const plain = createMemoryFiles({ store });
  /** Of whomever an id means, as entries are. */
  const files: MemoryFiles = {
    read: (userId, file) => plain.read(canonicalUser(userId), file),
    write: (userId, file, text, options) => plain.write(canonicalUser(userId), file, text, options),
    days: (userId) => plain.days(canonicalUser(userId)),
  };
  return {
    ...memory,
    files,
    canonicalUser,
    problems: async () => (await parts.problems?.()) ?? [],
    export: async ({ userId }) =>
      exportMemory({ memory, files }, userId === undefined ? {} : { userId: canonicalUser(userId) }),
    importFiles: parts.importFiles,
    import: (lines, options) => importMemory(lines, { memory, files }, options),
  };
}
