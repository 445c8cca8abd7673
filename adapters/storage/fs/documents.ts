import { join } from "node:path";
import { ConflictError } from "../../../mod.ts";
import type { Value, Version } from "../../../kit.ts";
import { decodeDocument, encodeDocument, versionOf } from "./document-file.ts";
import { diskError, isThere, unreadableVersion } from "./disk-error.ts";
import { isPlainEverywhere, nameByHand } from "./file-name.ts";
import { errnoOf } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";
import type { Folders, Target } from "./folders.ts";

export type Documents = ReturnType<typeof createDocuments>;

/**
 * Stores each document in one file and replaces it whole: a temp file is written, synced and renamed into place, and
 * the folder is synced. A Markdown file that a person named keeps its name.
 */
export function createDocuments(parts: {
  fs: FileSystem;
  folders: Folders;
  /** Whether the file system ignores letter case. */
  foldsCase: boolean;
  isLog: (key: string) => boolean;
}) {
  const { fs, folders, foldsCase, isLog } = parts;
  /** The last write of each key: writes of one key run one after another. */
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

  async function readBytes(path: string): Promise<Uint8Array | undefined> {
    try {
      const bytes = await fs.readFile(path);
      return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    } catch (cause) {
      if (errnoOf(cause) === "ENOENT") return undefined;
      throw diskError("read", path, cause);
    }
  }

  /** The file name that a person would give this key, whether or not the file exists. */
  function targetByHand({ folder, place }: Target): Target | undefined {
    const { name: own, segment } = place.file;
    if (own === segment) return undefined;
    const name = nameByHand(segment, place.folders.length === 0);
    return name === undefined
      ? undefined
      : { folder, path: join(folder, name), place: { ...place, file: { name, hashed: false, segment } } };
  }

  /** Whether such a file exists. A name that is too long for the file system does not. */
  function isThereByHand(path: string): boolean {
    try {
      return fs.existsSync(path);
    } catch (cause) {
      if (errnoOf(cause) === "ENAMETOOLONG") return false;
      throw diskError("look for", path, cause);
    }
  }

  /**
   * Whether a file by hand exists under exactly that name. A file system that ignores case would also open a file of
   * another key under it.
   */
  async function isByHand(target: Target): Promise<boolean> {
    if (!isThereByHand(target.path)) return false;
    if (!foldsCase) return true;
    return (await fs.readDirectory(target.folder)).some(({ name }) => name === target.place.file.name);
  }

  /** Where the document is, or would be created. */
  async function targetOf(key: string): Promise<Target> {
    const own = folders.targetOf(key, "document");
    const byHand = targetByHand(own);
    if (byHand === undefined || isThere(fs, own.path)) return own;
    if (await isByHand(byHand)) return byHand;
    return !foldsCase && isPlainEverywhere(byHand.place.file.name) ? byHand : own;
  }

  async function refuseOther(key: string, target: Target, expect: Version | number | null): Promise<void> {
    const bytes = await readBytes(target.path);
    const actual = bytes === undefined ? null : versionOf(bytes);
    if (actual === expect) return;
    const said = (version: Version | number | null) => (version === null ? "no document" : `version ${version}`);
    throw new ConflictError(
      `Cannot write ${JSON.stringify(key)}: expected ${said(expect)}, found ${said(actual)}`,
      actual,
    );
  }

  function refuseLog(key: string): void {
    if (isLog(key)) throw new TypeError(`Cannot use ${JSON.stringify(key)} as a document: a log has that key`);
  }

  return {
    async get(key: string): Promise<{ value: Value; version: Version } | null> {
      const own = folders.targetOf(key, "document");
      let { path } = own;
      let bytes = isThere(fs, path) ? await readBytes(path) : undefined;
      const byHand = bytes === undefined ? targetByHand(own) : undefined;
      if (byHand !== undefined && (await isByHand(byHand))) {
        path = byHand.path;
        bytes = await readBytes(path);
      }
      if (bytes !== undefined) return { value: decodeDocument(key, path, bytes), version: versionOf(bytes) };
      refuseLog(key);
      return null;
    },

    async put(key: string, value: Value, expect: Version | null | undefined): Promise<Version> {
      const own = folders.targetOf(key, "document");
      const bytes = encodeDocument(key, value);
      return inTurn(key, async () => {
        let target = own;
        try {
          target = await targetOf(key);
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
      const own = folders.targetOf(key, "document");
      await inTurn(key, async () => {
        let target = own;
        try {
          target = await targetOf(key);
          if (expect !== undefined) await refuseOther(key, target, expect);
          await folders.remove(target);
          const byHand = expect === undefined && target.path === own.path ? targetByHand(own) : undefined;
          if (byHand !== undefined && (await isByHand(byHand))) await folders.remove(byHand);
        } catch (cause) {
          throw diskError("remove", target.path, cause);
        }
      });
    },

    /**
     * Reads the version alone; `undefined` when there is no document. A file that cannot be read still counts as a
     * document.
     */
    async version(key: string, path = folders.targetOf(key, "document").path): Promise<Version | undefined> {
      try {
        const bytes = await readBytes(path);
        return bytes === undefined ? undefined : versionOf(bytes);
      } catch (error) {
        return unreadableVersion(error);
      }
    },

    async modifiedAt(key: string): Promise<Date | undefined> {
      const { path } = await targetOf(key);
      try {
        return new Date(await fs.modifiedMs(path));
      } catch (cause) {
        if (errnoOf(cause) === "ENOENT") return undefined;
        throw diskError("look for", path, cause);
      }
    },

    /** Resolves when no write is under way. */
    async idle(): Promise<void> {
      while (turns.size > 0) await Promise.all(turns.values());
    },

    /** Whether a document has that key, or a write of it is under way. */
    has(key: string): boolean {
      const own = folders.targetOf(key, "document");
      const byHand = targetByHand(own);
      return turns.has(key) || isThere(fs, own.path) || (byHand !== undefined && isThereByHand(byHand.path));
    },
  };
}
