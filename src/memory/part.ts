import { AssistantError } from "../errors.ts";
import type { Store } from "../store/index.ts";
import type { MemoryApi } from "./api.ts";
import { type MemoryImportResult, exportMemory, importMemory } from "./export.ts";
import type { MemoryStore } from "./memory-store.ts";
import { type MemoryFiles, createMemoryFiles } from "./person-files.ts";

/** A file of a memory that cannot be read. */
export interface MemoryProblem {
  readonly userId: string;
  /** The file, as `entries/01J….md`. */
  readonly file: string;
  /** Counts from 1. */
  readonly line?: number;
  readonly problem: string;
}

/** What the assistant remembers, as the API and the command line use it. */
export interface MemoryPart extends MemoryApi {
  /** MEMORY.md and the days, as people edit them. */
  readonly files: MemoryFiles;
  /** The user whose memory an id means: the linked person, the owner, or the id itself. Pure. */
  canonicalUser(userId: string): string;
  problems(): Promise<readonly MemoryProblem[]>;
  /**
   * Exports one memory, or all memories, as JSON lines. Source: docs/privacy.md.
   *
   * @param of.everything Adds all other data of the person: goals, jobs, notes, conversations. Default false.
   * @throws {AssistantError} `OPTION_INVALID` for `everything` without a `userId`.
   */
  export(of: { readonly userId?: string | undefined; readonly everything?: boolean }): Promise<AsyncIterable<string>>;
  /** Imports lines of an export. @throws {AssistantError} `OPTION_INVALID` naming the line. */
  import(
    lines: AsyncIterable<string> | Iterable<string>,
    options: { readonly userId?: string | undefined },
  ): Promise<MemoryImportResult>;
  /** Imports files of another assistant's workspace: `MEMORY.md`, `memory/2026-02-01.md`. */
  importFiles(
    files: readonly { readonly path: string; readonly text: string }[],
    of: { readonly userId: string },
  ): Promise<{
    /** Lines that were added to MEMORY.md. */
    readonly facts: number;
    readonly entries: number;
    readonly known: number;
    readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
  }>;
}

export interface MemoryPartDeps {
  readonly memory: MemoryApi;
  readonly archive: Pick<MemoryStore, "archive" | "archivedAs" | "get">;
  readonly store: Store;
  /** From `createMemoryUsers`. */
  canonicalUser(userId: string): string;
  /** Files that could not be read. Default: none. */
  problems?(): Promise<readonly MemoryProblem[]>;
  readonly importFiles: MemoryPart["importFiles"];
  /** All data of a person besides their memory, as JSON lines. Default: none. */
  exportPerson?(userId: string): AsyncIterable<string>;
  /** Resolves when nothing of this user lies under another of the person's names. Default: at once. */
  moved?(userId: string): Promise<void>;
}

/** Creates `assistant.memory`: the memory with its files, export and import. */
export function createMemoryPart(deps: MemoryPartDeps): MemoryPart {
  const { memory, store, canonicalUser } = deps;
  const plain = createMemoryFiles({ store });
  const archive: MemoryPartDeps["archive"] = {
    archive: async (userId, ids, how) => deps.archive.archive(await whose(userId), ids, how),
    get: async (userId, id, how) => deps.archive.get(await whose(userId), id, how),
    archivedAs: async (userId, id) => deps.archive.archivedAs?.(await whose(userId), id),
  };
  /** Resolves an id to its canonical user once pending moves have ended. */
  async function whose(given: string): Promise<string> {
    const userId = canonicalUser(given);
    await deps.moved?.(userId);
    return userId;
  }
  const files: MemoryFiles = {
    read: async (userId, file) => plain.read(await whose(userId), file),
    write: async (userId, file, text, options) => plain.write(await whose(userId), file, text, options),
    days: async (userId) => plain.days(await whose(userId)),
  };
  return {
    ...memory,
    files,
    canonicalUser,
    problems: async () => (await deps.problems?.()) ?? [],
    async export({ userId, everything = false }) {
      if (userId === undefined) {
        if (!everything) return exportMemory({ memory, archive, files });
        throw new AssistantError(
          "OPTION_INVALID",
          "Invalid userId: expected one, as all data is exported for one person at a time",
        );
      }
      const user = await whose(userId);
      const remembered = exportMemory({ memory, archive, files }, { userId: user });
      return everything && deps.exportPerson ? joined(remembered, deps.exportPerson(user)) : remembered;
    },
    importFiles: deps.importFiles,
    import: async (lines, options) => {
      if (typeof lines !== "object" || !lines || !(Symbol.iterator in lines || Symbol.asyncIterator in lines))
        throw new AssistantError(
          "OPTION_INVALID",
          `Invalid lines: expected a list or stream of strings, got ${typeof lines}`,
        );
      return importMemory(lines, { memory, archive, files }, options ?? {});
    },
  };
}

async function* joined(...parts: readonly AsyncIterable<string>[]): AsyncGenerator<string> {
  for (const part of parts) yield* part;
}
