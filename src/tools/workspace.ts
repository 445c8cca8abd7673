import type { CommandRunner } from "./commands.ts";

/** One file or folder of a workspace. */
export interface WorkspaceEntry {
  /** Relative to the workspace's root, `/` between names. */
  readonly path: string;
  /** Devices, pipes and sockets are left out of lists. */
  readonly kind: "file" | "folder";
  /** A file's size in bytes; absent where telling it would mean reading the file. */
  readonly sizeBytes?: number;
}

/**
 * Why a folder's list leaves an entry out: a link that leads out, or nowhere; a device, pipe or socket; a name that is no UTF-8, that hides a separator behind
 * percent signs, or that this system does not take; a path over the limit; what is protected; what may not be read; a write that is under way or was cut off.
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

/** What a listing gives. */
export interface WorkspaceListOptions {
  /** Most entries that are given. Default: no limit. */
  readonly limit?: number;
  /** Called once for each entry that is there and is left out, but for what is over the limit. */
  readonly onLeftOut?: (reason: LeftOutReason) => void;
}

/** A file's bytes, with a version that changes when they do. */
export interface WorkspaceFile {
  /** The whole file. */
  readonly bytes: Uint8Array;
  /** Opaque: to be handed back to `write` as what the caller read. */
  readonly version: string;
}

/**
 * Files under one root: where the file tools read and write. Folders come and go with the files in them; `"."` is the root's own folder.
 *
 * Contract of every member: `path` is what a model wrote, so it passes `guardPath` first; whatever is refused (by the guard, a link that leaves,
 * a folder where a file was meant, a device, a size over the limit) throws `AssistantError` `WORKSPACE_REFUSED` with a sentence for the model,
 * which names no path outside the workspace. Nothing outside the root is read, written, listed or removed.
 *
 * Source: docs/workspaces.md.
 */
export interface Workspace {
  /** Largest file in bytes that is read or written. */
  readonly maxFileBytes: number;
  /** Contract: `null` when there is no such file. */
  read(path: string): Promise<WorkspaceFile | null>;
  /**
   * Creates or replaces a file, whole; makes the folders that are missing. Contract: a reader and a crash see the old file or the new one. `expect` a
   * version replaces only that content, `null` only creates; a mismatch throws `ConflictError` and changes nothing. That holds among all callers of
   * one workspace object; how far it reaches beyond is the adapter's to say.
   * @returns The new version.
   */
  write(
    path: string,
    content: string | Uint8Array,
    options?: { readonly expect?: string | null },
  ): Promise<{ readonly version: string }>;
  /**
   * What lies directly in a folder, in ascending order of the names' UTF-16 code units. Contract: `null` when there is no such folder; the root is always
   * there. What cannot be used (a link that leaves, a device) is left out, and `onLeftOut` is called for it, so that no list is shorter in silence. With
   * `limit` it gives at most that many; which ones is the adapter's choice.
   */
  list(path: string, options?: WorkspaceListOptions): Promise<readonly WorkspaceEntry[] | null>;
  /** Contract: `null` when there is nothing. */
  stat(path: string): Promise<WorkspaceEntry | null>;
  /** Removes a file. Contract: false when there is none; a folder is refused. A symbolic link goes itself, not what it points to. */
  remove(path: string): Promise<boolean>;
  /** Present where folders exist by themselves, as on a disk; absent where they are no more than the files in them. */
  readonly folders?: WorkspaceFolders;
  /** Runs commands on the files; absent when commands are off here. */
  readonly exec?: CommandRunner;
}

/** Folders that are there without any file in them. The contract of `Workspace` about paths holds here too. */
export interface WorkspaceFolders {
  /** Makes a folder and those above it that are missing. Contract: one that is there already is left as it is; a file in its place is refused. */
  make(path: string): Promise<void>;
  /** Removes an empty folder. Contract: false when there is none; one that is not empty, a file and the root are refused. */
  remove(path: string): Promise<boolean>;
}

/** Default of `maxFileBytes`: 5 MiB. */
export const MAX_WORKSPACE_FILE_BYTES = 5 * 1024 * 1024;
