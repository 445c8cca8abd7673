import { ConflictError } from "../../../mod.ts";
import type { Value, Version } from "../../../kit.ts";
import { decodeDocument, encodeDocument, versionOf } from "./document-file.ts";
import { diskError, isThere } from "./disk-error.ts";
import { errnoOf } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";
import type { Folders, Target } from "./folders.ts";

export type Documents = ReturnType<typeof createDocuments>;

/** Errors that say something of one file, not of the disk. */
const OF_ONE_FILE: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EISDIR", "ELOOP"]);

/** Documents, a file each, replaced whole: written aside, synced, renamed into place, and the folder synced. */
export function createDocuments(parts: { fs: FileSystem; folders: Folders; isLog: (key: string) => boolean }) {
  const { fs, folders, isLog } = parts;
  /** Writers of one key, one after the other. */
  const turns = new Map<string, Promise<unknown>>();

  async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = turns.get(key) ?? Promise.resolve();
    const mine = before.then(work);
    const settled = mine.catch(() => undefined);
    turns.set(key, settled);
    try {
      return await mine;
    } finally {
      if (turns.get(key) === settled) turns.delete(key);
    }
  }

  async function readBytes(target: Target): Promise<Uint8Array | undefined> {
    try {
      const bytes = await fs.readFile(target.path);
      return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    } catch (cause) {
      if (errnoOf(cause) === "ENOENT") return undefined;
      throw diskError("read", target.path, cause);
    }
  }

  async function refuseOther(key: string, target: Target, expect: Version | number | null): Promise<void> {
    const bytes = await readBytes(target);
    const actual = bytes === undefined ? null : versionOf(bytes);
    if (actual === expect) return;
    const said = (version: Version | number | null) => (version === null ? "no document" : `version ${version}`);
    throw new ConflictError(
      `Cannot write ${JSON.stringify(key)}: expected ${said(expect)}, and there is ${said(actual)}`,
      actual,
    );
  }

  function refuseLog(key: string): void {
    if (isLog(key)) throw new TypeError(`Cannot use ${JSON.stringify(key)} as a document: a log has that key`);
  }

  return {
    async get(key: string): Promise<{ value: Value; version: Version } | null> {
      const target = folders.targetOf(key, "document");
      const bytes = await readBytes(target);
      if (bytes !== undefined) return { value: decodeDocument(key, target.path, bytes), version: versionOf(bytes) };
      refuseLog(key);
      return null;
    },

    async put(key: string, value: Value, expect: Version | null | undefined): Promise<Version> {
      const target = folders.targetOf(key, "document");
      const bytes = encodeDocument(key, value);
      return inTurn(key, async () => {
        try {
          if (expect !== undefined) await refuseOther(key, target, expect);
          refuseLog(key);
          await folders.replace(target, bytes);
          return versionOf(bytes);
        } catch (cause) {
          throw diskError("write", target.path, cause);
        }
      });
    },

    async remove(key: string, expect: Version | number | undefined): Promise<void> {
      const target = folders.targetOf(key, "document");
      await inTurn(key, async () => {
        try {
          if (expect !== undefined) await refuseOther(key, target, expect);
          await folders.remove(target);
        } catch (cause) {
          throw diskError("remove", target.path, cause);
        }
      });
    },

    /** The version alone; `undefined` when the document is gone. One that may not or cannot be read is there all the same. */
    async version(key: string): Promise<Version | undefined> {
      try {
        const bytes = await readBytes(folders.targetOf(key, "document"));
        return bytes === undefined ? undefined : versionOf(bytes);
      } catch (error) {
        const errno = errnoOf((error as { readonly cause?: unknown }).cause);
        if (errno === undefined || !OF_ONE_FILE.has(errno)) throw error;
        return `unreadable-${errno}`;
      }
    },

    /** Resolves when no write is under way. */
    async idle(): Promise<void> {
      while (turns.size > 0) await Promise.all(turns.values());
    },

    /** Whether a document has that key, or is about to. */
    has: (key: string) => turns.has(key) || isThere(fs, folders.targetOf(key, "document").path),
  };
}
