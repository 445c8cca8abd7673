import { isDay } from "../calendar.ts";
import { AssistantError, ConflictError } from "../errors.ts";
import { type Store, type Version, keySegments, storeKey } from "../store/index.ts";

/** Longest file that `MemoryFiles.write` takes, in characters. */
export const MAX_FILE_CHARS = 262_144;

/** A file of a person's memory: `MEMORY.md`, or a day as `2026-02-01`. */
export type MemoryFileName = string;

/** A file as it stands, with the version that an edit must expect. */
export interface MemoryFile {
  readonly file: MemoryFileName;
  readonly text: string;
  readonly version: Version;
}

/** The files of a person's memory that people read and edit. Source: docs/memory.md, "The files". */
export interface MemoryFiles {
  /**
   * Reads a file; `undefined` when it does not exist.
   * @throws {AssistantError} `OPTION_INVALID` for a name that is neither `MEMORY.md` nor a day.
   */
  read(userId: string, file: MemoryFileName): Promise<MemoryFile | undefined>;
  /**
   * Replaces a whole file.
   *
   * @param options.expect The version that was edited; `null`: the file must not exist. Left out: overwrites any
   * version.
   * @throws {AssistantError} `CONFLICT` when another writer changed it in the meantime; `OPTION_INVALID` for a wrong
   * name or a text that is too long.
   */
  write(
    userId: string,
    file: MemoryFileName,
    text: string,
    options?: { readonly expect?: Version | null | undefined },
  ): Promise<MemoryFile>;
  /** Days that have a digest, newest first. */
  days(userId: string): Promise<readonly string[]>;
}

const LONG_TERM = "MEMORY.md";

/** Reads and writes the files in the store: a write here has the same effect as an editor's. */
export function createMemoryFiles({ store }: { readonly store: Store }): MemoryFiles {
  async function read(userId: string, file: MemoryFileName): Promise<MemoryFile | undefined> {
    const found = await store.get(keyOf(userId, file));
    return found && typeof found.value === "string" ? { file, text: found.value, version: found.version } : undefined;
  }

  return {
    read,
    async write(userId, file, text, { expect } = {}) {
      const key = keyOf(userId, file);
      if (text.length > MAX_FILE_CHARS) {
        throw new AssistantError(
          "OPTION_INVALID",
          `Invalid text: expected at most ${MAX_FILE_CHARS} characters, got ${text.length}`,
        );
      }
      try {
        return { file, text, version: await store.put(key, text, expect === undefined ? {} : { expect }) };
      } catch (cause) {
        if (!ConflictError.is(cause)) throw cause;
        throw new AssistantError("CONFLICT", `${file} was changed in the meantime: read it again, then edit it`, {
          cause,
        });
      }
    },
    async days(userId) {
      const days: string[] = [];
      for await (const { key } of store.list(`${storeKey("memory", userId, "daily")}/`)) {
        const [, day] = /^(\d{4}-\d{2}-\d{2})\.md$/.exec(keySegments(key).at(-1) ?? "") ?? [];
        if (day !== undefined && isDay(day)) days.push(day);
      }
      return days.reverse();
    },
  };
}

function keyOf(userId: string, file: MemoryFileName): string {
  if (file === LONG_TERM) return storeKey("memory", userId, LONG_TERM);
  if (isDay(file)) return storeKey("memory", userId, "daily", `${file}.md`);
  throw new AssistantError(
    "OPTION_INVALID",
    `Invalid file ${JSON.stringify(file)}: expected ${LONG_TERM}, or a day such as 2026-02-01`,
  );
}
