import { join } from "node:path";
import type { Version } from "../../../kit.ts";
import type { Documents } from "./documents.ts";
import { diskError, unreadableVersion } from "./disk-error.ts";
import { betterName, fileName, parseFileName } from "./file-name.ts";
import { errnoOf } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";
import type { Folders } from "./folders.ts";
import type { LogFiles } from "./log-file.ts";
import type { Logs } from "./logs.ts";
import type { Reporter } from "./report.ts";

interface Found {
  readonly key: string;
  readonly kind: "document" | "log";
  /** The file's path, if a person named it. */
  readonly path?: string;
}

/** Documents read at once: their versions are hashes, so a listing reads the files. */
const READ_AT_ONCE = 32;

/** Walks the folders under a prefix in the order of keys, and no others. */
export function createListing(parts: {
  fs: FileSystem;
  folders: Folders;
  documents: Documents;
  logs: Logs;
  files: LogFiles;
  report: Reporter;
}) {
  const { fs, folders, documents, logs, files, report } = parts;
  /** Unused files by hand that were already reported. */
  const hidden = new Set<string>();

  /** `keyStart` is the key of the folder with a slash, `""` for the root. */
  async function* walk(folder: string, keyStart: string, prefix: string, after: string): AsyncGenerator<Found> {
    const entries: { order: string; name: string; kind: Found["kind"] | "folder"; byHand: boolean }[] = [];
    const top = keyStart === "";
    const inFolder = await readFolder(folder);
    let names: ReadonlySet<string> | undefined;
    for (const { name, directory } of inFolder) {
      const parsed = parseFileName(name, { directory, top });
      if (parsed === undefined) {
        // No key has this name: an editor's backup, one of the store's own files, or a file that a person meant to be
        // read.
        if (!directory) reportMisnamed(folder, name);
        continue;
      }
      const segment = parsed.hashed ? await folders.wholeName(folder, name) : parsed.segment;
      if (segment === undefined) continue;
      const byHand = parsed.byHand === true;
      if (byHand) {
        names ??= new Set(inFolder.map((entry) => entry.name));
        const twin = fileName(segment, "document", top).name;
        if (names.has(twin)) {
          reportHidden(join(folder, name), twin);
          continue;
        }
      }
      // A folder sorts as its segment with a slash, since all its keys continue with one.
      const order = parsed.kind === "folder" ? `${segment}/` : segment;
      entries.push({ order: keyStart + order, name, kind: parsed.kind, byHand });
    }
    entries.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0));
    for (const { order, name, kind, byHand } of entries) {
      if (kind !== "folder") {
        if (order.startsWith(prefix) && order > after)
          yield { key: order, kind, ...(byHand && { path: join(folder, name) }) };
      } else if ((order.startsWith(prefix) || prefix.startsWith(order)) && !allBefore(order, after)) {
        yield* walk(join(folder, name), order, prefix, after);
      }
    }
  }

  function reportHidden(file: string, twin: string): void {
    if (hidden.has(file)) return;
    hidden.add(file);
    const message = `${JSON.stringify(file)} is not used as ${JSON.stringify(twin)} in the same folder has the same key: give it another name`;
    report({ kind: "hidden", level: "warning", message, file });
  }

  function reportMisnamed(folder: string, name: string): void {
    const better = betterName(name);
    const file = join(folder, name);
    if (better === undefined || hidden.has(file)) return;
    hidden.add(file);
    const message = `${JSON.stringify(file)} is not read because of its name: rename it, for example to ${JSON.stringify(better)}`;
    report({ kind: "misnamed", level: "warning", message, file });
  }

  async function readFolder(folder: string) {
    try {
      return await fs.readDirectory(folder);
    } catch (cause) {
      if (errnoOf(cause) === "ENOENT") return [];
      throw diskError("list", folder, cause);
    }
  }

  /** The folder that every key with the prefix lies in. */
  function startOf(prefix: string): { folder: string; keyStart: string } {
    const slash = prefix.lastIndexOf("/");
    if (slash <= 0) return { folder: folders.root, keyStart: "" };
    const segments = prefix.slice(0, slash).split("/");
    if (segments.includes("")) return { folder: folders.root, keyStart: "" };
    const names = segments.map((segment, depth) => fileName(segment, "folder", depth === 0).name);
    return { folder: join(folders.root, ...names), keyStart: prefix.slice(0, slash + 1) };
  }

  /** Keys of files, and of logs without a file yet, in order. */
  async function* keys(prefix: string, after: string): AsyncGenerator<Found> {
    const warm = logs.warmSeqs(prefix);
    const waiting = [...warm]
      .filter(([key, seq]) => seq > 0 && key > after)
      .map(([key]): Found => ({ key, kind: "log" }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    const { folder, keyStart } = startOf(prefix);
    let next = 0;
    for await (const found of walk(folder, keyStart, prefix, after)) {
      for (let log = waiting[next]; log !== undefined && log.key <= found.key; log = waiting[++next]) {
        if (log.key < found.key) yield log;
      }
      if (found.kind === "log" && warm.get(found.key) === 0) continue; // removed; its file goes soon
      yield found;
    }
    yield* waiting.slice(next);
  }

  async function versionOf(found: Found): Promise<Version | undefined> {
    if (found.kind === "document") return documents.version(found.key, found.path);
    const target = folders.targetOf(found.key, "log");
    try {
      const seq = logs.warmSeq(found.key) ?? files.peekTail(target);
      return seq === 0 ? undefined : String(seq);
    } catch (cause) {
      return unreadableVersion(diskError("read the log", target.path, cause));
    }
  }

  return async function* list(
    prefix: string,
    options: { after?: string; limit?: number; keysOnly?: boolean },
  ): AsyncGenerator<{ key: string; version: Version }> {
    const { after = "", limit = Number.POSITIVE_INFINITY, keysOnly = false } = options;
    let left = limit;
    let batch: Found[] = [];
    async function* versioned(): AsyncGenerator<{ key: string; version: Version }> {
      const versions = keysOnly ? batch.map(() => "") : await Promise.all(batch.map(versionOf));
      for (const [index, { key }] of batch.entries()) {
        const version = versions[index];
        if (version === undefined) continue; // removed in the meantime
        left--;
        yield { key, version };
      }
      batch = [];
    }
    if (left <= 0) return;
    for await (const found of keys(prefix, after)) {
      batch.push(found);
      if (batch.length < Math.min(READ_AT_ONCE, left)) continue;
      yield* versioned();
      if (left <= 0) return;
    }
    yield* versioned();
  };
}

/** Whether every key that begins with `folder` sorts at or before `after`. */
function allBefore(folder: string, after: string): boolean {
  return after > folder && !after.startsWith(folder);
}
