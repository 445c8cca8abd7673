import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../../kit.ts";
import { ExitError, EXIT } from "./exit-codes.ts";

/**
 * Creates a folder and its parents, if missing.
 *
 * @param options.named The setting that names the folder, for people.
 * @throws {ExitError} If the system or the permissions forbid it; says what to do.
 */
export function makeFolder(path: string, { named, mode }: { readonly named: string; readonly mode?: number }): void {
  try {
    makeFolders(path, mode);
  } catch (cause) {
    throw new ExitError(
      EXIT.usage,
      `Cannot create the folder ${path}, which ${named} names (${messageOf(cause)}): name one that this user can create and write to`,
    );
  }
}

/** Node's `recursive` option never returns where the system creates no folders, as in /proc. */
function makeFolders(path: string, mode?: number, hasParent = false): void {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" && !hasParent && dirname(path) !== path) {
      makeFolders(dirname(path), mode);
      return makeFolders(path, mode, true);
    }
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
