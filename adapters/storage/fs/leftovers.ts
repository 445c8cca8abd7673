import { join } from "node:path";
import { diskError } from "./disk-error.ts";
import { WHOLE_NAME, parseFileName } from "./file-name.ts";
import { errnoOf } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";
import type { Folders } from "./folders.ts";
import type { Logs } from "./logs.ts";

/**
 * Removes names that hold nothing: empty log files (the only line was unfinished, or a person emptied the file),
 * sidecars of missing files, and empty folders. Failed writes leave them, and no key leads to them.
 */
export async function removeLeftovers(parts: { fs: FileSystem; folders: Folders; logs: Logs }): Promise<void> {
  const { fs, folders, logs } = parts;

  async function lookThrough(folder: string, keyStart: string): Promise<void> {
    const wholeNames: string[] = [];
    for (const { name, directory } of await fs.readDirectory(folder)) {
      if (!directory && name.endsWith(WHOLE_NAME)) wholeNames.push(name.slice(0, -WHOLE_NAME.length));
      const parsed = parseFileName(name, { directory, top: keyStart === "" });
      // A foreign file, or one of the store's own. Of hidden names, only `.index` belongs to the runtime.
      const isHidden = name.startsWith(".") && name !== ".index";
      if (parsed === undefined || parsed.kind === "document" || isHidden) continue;
      const segment = parsed.hashed ? await folders.wholeName(folder, name) : parsed.segment;
      if (segment === undefined) continue;
      const key = `${keyStart}${segment}`;
      if (parsed.kind === "log") {
        if (await isEmpty(join(folder, name))) await logs.removeWithoutRecords(key, async () => undefined);
        continue;
      }
      await lookThrough(join(folder, name), `${key}/`).catch(unlessGone);
      await folders.dropLeftovers(folder, [], name);
    }
    await folders.dropLeftovers(folder, wholeNames, undefined);
  }

  async function isEmpty(path: string): Promise<boolean> {
    const descriptor = await fs.open(path, "r").catch(unlessGone);
    if (descriptor === undefined) return false;
    try {
      return fs.sizeSync(descriptor) === 0;
    } finally {
      await fs.close(descriptor);
    }
  }

  try {
    await lookThrough(folders.root, "");
  } catch (cause) {
    throw diskError("look for leftovers in", folders.root, cause);
  }
}

function unlessGone(error: unknown): undefined {
  if (errnoOf(error) !== "ENOENT") throw error;
}
