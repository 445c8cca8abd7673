import type { MemoryPart, MemoryProblem } from "./http/index.ts";
import { type MemoryApi, createMemoryFiles, exportMemory, importMemory } from "./memory/index.ts";
import type { Store } from "./store/index.ts";

export interface MemoryPartParts {
  readonly memory: MemoryApi;
  readonly store: Store;
  /** Of `createMemoryPeople`. */
  canonicalUser(userId: string): string;
  /** Files that could not be read. Default: nobody knows of any. */
  problems?(): Promise<readonly MemoryProblem[]>;
  readonly importFiles: MemoryPart["importFiles"];
}

/** `assistant.memory`: what is remembered, with its files, and ways to take it along. */
export function createMemoryPart(parts: MemoryPartParts): MemoryPart {
  const { memory, store, canonicalUser } = parts;
  const files = createMemoryFiles({ store });
  return {
    ...memory,
    files,
    canonicalUser,
    problems: async () => (await parts.problems?.()) ?? [],
    export: async (of) => exportMemory({ memory, files }, of),
    importFiles: parts.importFiles,
    import: (lines, options) => importMemory(lines, { memory, files }, options),
  };
}
