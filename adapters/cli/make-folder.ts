import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../../kit.ts";
import { ExitError, EXIT } from "./exit-codes.ts";

/**
 * Makes a folder with those above it, where they are not there.
 *
 * @param options.named What names the folder, for people.
 * @throws {ExitError} That the system or the rights forbid it, and what to do.
 */
export function makeFolder(path: string, { named, mode }: { readonly named: string; readonly mode?: number }): void {
  try {
    makeFolders(path, mode);
  } catch (cause) {
    throw new ExitError(
      EXIT.usage,
      `Cannot make the folder ${path}, which ${named} names (${messageOf(cause)}): give it one that this user can make and write to`,
    );
  }
}

/** Node's own way (`recursive`) never ends where the system makes no folders, as in /proc. */
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
