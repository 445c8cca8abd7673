import { AssistantError } from "../../../mod.ts";
import { messageOf } from "../../../kit.ts";
import { errnoOf } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";

const REMEDIES: { readonly [errno: string]: string } = {
  EACCES: "give this user read and write access to it",
  EPERM: "give this user read and write access to it",
  EROFS: "the file system is read-only: mount it writable",
  EMFILE: "too many files are open: raise the limit (ulimit -n)",
  ENFILE: "too many files are open on this machine: close some programs",
  EXDEV: "it is on another file system than the store's root: keep the whole root on one",
  ENAMETOOLONG: "the path is too long: use a shorter root or a shorter key",
  EEXIST: "a file is where a folder is needed: move it away",
  ENOTDIR: "a file is where a folder is needed: move it away",
  EISDIR: "a folder is where a file is needed: move it away",
  EIO: "the disk reports an error: check it, and restore from a backup if it persists",
};

/** Converts an operating system error into the error that the port promises. The project's own errors pass through. */
export function diskError(action: string, path: string, cause: unknown): Error {
  if (AssistantError.is(cause) || cause instanceof TypeError || cause instanceof RangeError) return cause;
  const errno = errnoOf(cause);
  if (errno === "ENOSPC" || errno === "EDQUOT") {
    return new AssistantError(
      "STORE_FULL",
      `Cannot ${action} ${JSON.stringify(path)}: the disk is full; free some space, and it works again without a restart`,
      { cause },
    );
  }
  const remedy = errno === undefined ? undefined : REMEDIES[errno];
  const detail = remedy === undefined ? messageOf(cause) : `${remedy} (${errno})`;
  return new AssistantError("STORE_UNAVAILABLE", `Cannot ${action} ${JSON.stringify(path)}: ${detail}`, { cause });
}

/** Errors that concern one file, not the disk. */
const OF_ONE_FILE: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EISDIR", "ELOOP"]);

/** The version of a file that exists and cannot be read. Rethrows errors that concern more than that one file. */
export function unreadableVersion(error: unknown): string {
  const errno = errnoOf((error as { readonly cause?: unknown }).cause);
  if (errno === undefined || !OF_ONE_FILE.has(errno)) throw error;
  return `unreadable-${errno}`;
}

/** Whether a file exists. Throws if the disk cannot tell. */
export function isThere(fs: FileSystem, path: string): boolean {
  try {
    return fs.existsSync(path);
  } catch (cause) {
    throw diskError("look for", path, cause);
  }
}

/** The error of a call to a closed store. */
export function closedError(root: string): AssistantError {
  return new AssistantError(
    "STORE_UNAVAILABLE",
    `Cannot use the store at ${JSON.stringify(root)}: it was closed; open it again`,
  );
}
