import type { CommandRunner } from "./commands.ts";

/** One file or folder of a workspace. */
export interface WorkspaceEntry {
  /** Relative to the workspace's root, `/` between names. */
  readonly path: string;
  /** Lists leave out devices, pipes and sockets. */
  readonly kind: "file" | "folder";
  /** A file's size in bytes; absent if it could only be told by reading the file. */
  readonly sizeBytes?: number;
}

/**
 * Why a folder's list leaves an entry out: a link that leads outside, or nowhere; a device, pipe or socket; a name
 * that is not UTF-8, that hides a separator behind percent signs, or that this system does not accept; a path over
 * the limit; a protected entry; an unreadable entry; a write that is unfinished.
 */
export type LeftOutReason =
  | "linkOutside"
  | "brokenLink"
  | "special"
  | "notUtf8Name"
  | "encodedName"
  | "refusedName"
  | "longPath"
  | "protected"
  | "unreadable"
  | "temporary";

/** Options of a listing. */
export interface WorkspaceListOptions {
  /** Most entries to return. Default: no limit. */
  readonly limit?: number;
  /** Called once for each existing entry that is left out, except those over the limit. */
  readonly onLeftOut?: (reason: LeftOutReason) => void;
}

/** A file's bytes, with a version that changes when they change. */
export interface WorkspaceFile {
  /** The whole file. */
  readonly bytes: Uint8Array;
  /** Opaque; handed back to `write` as the version that the caller read. */
  readonly version: string;
}

/**
 * Files under one root, where the file tools read and write. Folders come and go with the files in them; `"."` is the
 * root's own folder.
 *
 * Contract of every member: `path` is what a model wrote, so it passes `guardPath` first. A refusal (by the guard, a
 * link that leads outside, a folder in place of a file, a device, a size over the limit) throws `AssistantError`
 * `WORKSPACE_REFUSED` with a sentence for the model, which names no path outside the workspace. Nothing outside the
 * root is read, written, listed or removed.
 *
 * Source: docs/workspaces.md.
 */
export interface Workspace {
  /** Largest file in bytes that is read or written. */
  readonly maxFileBytes: number;
  /** Contract: `null` if there is no such file. */
  read(path: string): Promise<WorkspaceFile | null>;
  /**
   * Creates or replaces a whole file; makes missing folders. Contract: a reader sees the old file or the new one,
   * also after a crash. With a version as `expect` it replaces only that content, with `null` it only creates; a
   * mismatch throws `ConflictError` and changes nothing. That holds among all callers of one workspace object; each
   * adapter says how far it reaches beyond.
   * @returns The new version.
   */
  write(
    path: string,
    content: string | Uint8Array,
    options?: { readonly expect?: string | null },
  ): Promise<{ readonly version: string }>;
  /**
   * Lists the entries directly in a folder, in ascending order of the names' UTF-16 code units. Contract: `null` if
   * there is no such folder; the root always exists. Unusable entries (a link that leads outside, a device) are left
   * out and reported to `onLeftOut`, so that no list is shortened silently. With `limit` it returns at most that
   * many; the adapter chooses which.
   */
  list(path: string, options?: WorkspaceListOptions): Promise<readonly WorkspaceEntry[] | null>;
  /** Contract: `null` if there is nothing. */
  stat(path: string): Promise<WorkspaceEntry | null>;
  /**
   * Removes a file. Contract: false if there is none; a folder is refused. Removes a symbolic link itself, not its
   * target.
   */
  remove(path: string): Promise<boolean>;
  /** Present if folders exist by themselves, as on a disk; absent if they exist only through the files in them. */
  readonly folders?: WorkspaceFolders;
  /** Runs commands on the files; absent if commands are off here. */
  readonly exec?: CommandRunner;
}

/** Folders that can exist without files. The contract of `Workspace` about paths holds here too. */
export interface WorkspaceFolders {
  /**
   * Makes a folder and its missing parents. Contract: an existing folder stays as it is; a file in its place is
   * refused.
   */
  make(path: string): Promise<void>;
  /**
   * Removes an empty folder. Contract: false if there is none; a folder that is not empty, a file and the root are
   * refused.
   */
  remove(path: string): Promise<boolean>;
}

/** Default of `maxFileBytes`: 5 MiB. */
export const MAX_WORKSPACE_FILE_BYTES = 5 * 1024 * 1024;
