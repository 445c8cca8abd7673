import * as fileSystem from "node:fs/promises";
import { constants } from "node:fs";
import { basename, dirname, parse, resolve } from "node:path";
import { simulatedRunner } from "../../../entry.host.ts";
import { AssistantError, ConflictError } from "../../../mod.ts";
import { MAX_WORKSPACE_FILE_BYTES, type Workspace } from "../../../kit.ts";
import { guardPath } from "../../../mod.ts";
import type { CommandRunner, LeftOutReason, SimulatedLimits, SimulatedShell, WorkspaceEntry } from "../../../kit.ts";
import { createCommandRunner } from "./command-runner.ts";
import type { HostCommandOptions } from "./command-runner.ts";
import { hiddenPaths } from "./hidden-paths.ts";
import { createLocks } from "./locks.ts";
import { locate } from "./locate.ts";
import type { Location } from "./locate.ts";
import { FolderMoved, NO_FOLLOW, makeRoot, openFolder } from "./open-folder.ts";
import type { FileCalls, FileHandle, OpenFolder } from "./open-folder.ts";
import { pathRules } from "./path-rules.ts";
import { isTemporaryName, sweepTemporaryFiles, temporaryName } from "./temporary-files.ts";

/** Options of `hostWorkspace`. */
export interface HostWorkspaceOptions {
  /** A folder for the workspace alone; created if missing. A relative path starts at the working directory. */
  readonly root: string;
  /** Largest file in bytes. Default 5 MiB. */
  readonly maxFileBytes?: number;
  /**
   * Folders and files inside the workspace or `exec.readable` that neither the file tools nor sandboxed commands can
   * see or create: the assistant's own data and configuration. Relative paths start at the working directory. Default:
   * none.
   */
  readonly hidden?: readonly string[];
  /** How commands run. Default `{ mode: "simulated" }`. */
  readonly exec?: HostExecOptions;
}

/** How commands run: not at all, in a simulated shell, or as programs of the host. Source: docs/exec.md. */
export type HostExecOptions =
  | { readonly mode: "off" }
  | {
      readonly mode?: "simulated";
      /** The interpreter of the commands. Default: the package just-bash, if it is installed. */
      readonly shell?: SimulatedShell;
      /** How much a command may write, and how long it may run. Default 64 MiB and 600 seconds. */
      readonly limits?: Partial<SimulatedLimits>;
    }
  | Omit<HostCommandOptions, "hidden">;

/** How often an operation is tried when its folder moves. */
const TRIES = 3;
const HIDDEN = "it belongs to the assistant itself, not to the workspace";

/**
 * A workspace in a folder of the host's disk, for Node, Bun and Deno.
 *
 * Symbolic links are followed if they stay inside; each opened file is checked again after it is opened. A write goes to a
 * temporary file next to the target, is made durable and put in place by one rename. `expect` holds among the callers of
 * one workspace object.
 *
 * Source: docs/workspaces.md, "The host workspace".
 *
 * @throws {AssistantError} `OPTION_INVALID` when `root` is empty, the root of the file system or starts with `~`, when the
 * workspace is inside a hidden path, when the mode `sandboxed` has no sandbox on this machine, or when a limit makes no sense.
 * @example
 * ```ts
 * const workspace = hostWorkspace({ root: "./workspace" });
 * await workspace.write("notes/today.md", "water the plants");
 * ```
 */
export function hostWorkspace(options: HostWorkspaceOptions): Workspace {
  return hostWorkspaceOver(fileSystem, options);
}

/** `hostWorkspace` with given file calls and the rules of a given system. */
export function hostWorkspaceOver(
  calls: FileCalls,
  options: HostWorkspaceOptions,
  platform: NodeJS.Platform = process.platform,
): Workspace {
  const { maxFileBytes = MAX_WORKSPACE_FILE_BYTES, exec = {}, hidden = [] } = options;
  const root = checkedRoot(options.root);
  const own = hiddenPaths(calls, root, hidden);
  const rules = pathRules(platform);
  const locks = createLocks();
  const swept = new Set<string>();

  /**
   * Guards the path, runs the work, retries when a folder moved, and converts system errors into messages that a model
   * can read.
   */
  async function perform<Result>(
    input: string,
    work: (path: string, fail: (problem: string) => AssistantError) => Promise<Result>,
  ): Promise<Result> {
    const guarded = guardPath(input, { root, ...rules });
    if (!guarded.ok) throw new AssistantError("WORKSPACE_REFUSED", guarded.reason);
    const { path } = guarded;
    const fail = (problem: string, cause?: unknown) =>
      new AssistantError("WORKSPACE_REFUSED", `Cannot use path ${JSON.stringify(path)}: ${problem}`, { cause });
    for (let tries = 1; ; tries++) {
      try {
        return await work(path, fail);
      } catch (error) {
        if (AssistantError.is(error)) throw error;
        const moved = error instanceof FolderMoved || codeOf(error) === "ENOENT";
        if (!moved) throw explained(error, path, fail);
        if (tries >= TRIES) throw fail("it was moved while it was being used: try again", error);
      }
    }
  }

  async function realRoot(): Promise<string> {
    try {
      return await calls.realpath(root);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      return makeRoot(calls, root);
    }
  }

  async function located(
    path: string,
    fail: (problem: string) => AssistantError,
  ): Promise<Extract<Location, { ok: true }> & { readonly isRoot: boolean }> {
    const base = await realRoot();
    const location = await locate(calls, base, path);
    if (!location.ok) throw fail(location.problem);
    if (await own.covers(location.real, location.missing)) throw fail(HIDDEN);
    return { ...location, isRoot: location.real === base };
  }

  async function inFolder<Result>(
    opening: Promise<OpenFolder>,
    work: (folder: OpenFolder) => Promise<Result>,
  ): Promise<Result> {
    const folder = await opening;
    try {
      return await work(folder);
    } finally {
      await folder.close();
    }
  }

  /** Opens the folder for a new file and creates missing folders. */
  async function openForWriting(start: string, missing: readonly string[]): Promise<OpenFolder> {
    let folder = await openFolder(calls, start);
    for (const name of missing) {
      const parent = folder;
      try {
        folder = await parent.open(name, { create: true });
      } finally {
        await parent.close();
      }
    }
    return folder;
  }

  /** Reads a regular file, never more than the limit; `null` when the name is gone. */
  async function readIn(
    folder: OpenFolder,
    name: string,
    fail: (problem: string) => AssistantError,
  ): Promise<Uint8Array | null> {
    const kind = await kindIn(folder, name);
    if (kind === "nothing") return null;
    if (kind !== "a file") throw fail(`it is ${kind}, not a file`);
    // Without NONBLOCK, opening a pipe that replaced the file would block without end.
    const handle = await calls.open(folder.entry(name), constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0));
    try {
      await folder.confirm({ handle, name });
      const found = await handle.stat();
      if (!found.isFile()) throw fail("it is not a regular file");
      if (found.size > maxFileBytes) throw fail(tooLarge(found.size));
      return await readAll(handle, found.size, fail);
    } finally {
      await handle.close();
    }
  }

  async function readAll(
    handle: FileHandle,
    size: number,
    fail: (problem: string) => AssistantError,
  ): Promise<Uint8Array> {
    const buffer = new Uint8Array(size + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
      if (bytesRead === 0) return buffer.subarray(0, length);
      length += bytesRead;
    }
    throw fail("it grew while it was being read: try again");
  }

  async function kindIn(
    folder: OpenFolder,
    name: string,
  ): Promise<"nothing" | "a file" | "a folder" | "a symbolic link" | "a device, pipe or socket"> {
    try {
      const found = await calls.lstat(folder.entry(name));
      if (found.isFile()) return "a file";
      if (found.isDirectory()) return "a folder";
      return found.isSymbolicLink() ? "a symbolic link" : "a device, pipe or socket";
    } catch (error) {
      if (codeOf(error) === "ENOENT") return "nothing";
      throw error;
    }
  }

  /** Replaces a whole file by one rename. The temporary file stays empty until its location is confirmed. */
  async function replaceIn(
    folder: OpenFolder,
    name: string,
    bytes: Uint8Array,
    mode: number | undefined,
  ): Promise<void> {
    const temporary = temporaryName();
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
    const handle = await calls.open(folder.entry(temporary), flags, 0o666);
    let placed = false;
    try {
      await folder.confirm({ handle, name: temporary });
      await handle.writeFile(bytes);
      if (mode !== undefined) await handle.chmod(mode & 0o777);
      await handle.sync();
      await folder.confirm({ handle, name: temporary });
      await calls.rename(folder.entry(temporary), folder.entry(name)).catch((error: unknown) => {
        throw codeOf(error) === "ENOENT" ? new FolderMoved() : error;
      });
      placed = true;
      await folder.sync();
    } finally {
      await handle.close();
      if (!placed) await calls.unlink(folder.entry(temporary)).catch(() => {});
    }
  }

  function tooLarge(sizeBytes: number): string {
    return `it has ${sizeBytes} bytes, but files here may have at most ${maxFileBytes}`;
  }

  const files: Workspace = {
    maxFileBytes,

    read: (input) =>
      perform(input, async (path, fail) => {
        const { real, missing, isRoot } = await located(path, fail);
        if (missing.length > 0) return null;
        if (isRoot) throw fail("it is a folder, not a file");
        const bytes = await inFolder(openFolder(calls, dirname(real)), (folder) =>
          readIn(folder, basename(real), fail),
        );
        return bytes && { bytes, version: await versionOf(bytes) };
      }),

    write: (input, content, { expect } = {}) =>
      perform(input, async (path, fail) => {
        const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
        if (bytes.byteLength > maxFileBytes) throw fail(tooLarge(bytes.byteLength));
        const { real, missing, isRoot } = await located(path, fail);
        if (isRoot && missing.length === 0) throw fail("it is a folder, not a file");
        if (missing.length > 0 && !(await isFolder(real))) throw fail("a part of it is a file, not a folder");
        const [start, names] = missing.length > 0 ? [real, missing] : [dirname(real), [basename(real)]];
        const name = names.at(-1) as string;

        return locks.run([start, ...names].join("/"), () =>
          inFolder(openForWriting(start, names.slice(0, -1)), async (folder) => {
            const kind = await kindIn(folder, name);
            if (kind !== "nothing" && kind !== "a file") throw fail(`it is ${kind}, not a file`);
            if (expect !== undefined) {
              const current = await readIn(folder, name, fail);
              const actual = current && (await versionOf(current));
              if (actual !== expect)
                throw new ConflictError(
                  `Cannot write ${JSON.stringify(path)} as it changed in the meantime: read it again`,
                  actual,
                );
            }
            const mode = kind === "a file" ? (await calls.lstat(folder.entry(name))).mode : undefined;
            if (!swept.has(folder.path)) {
              swept.add(folder.path);
              await sweepTemporaryFiles(calls, folder);
            }
            await replaceIn(folder, name, bytes, mode);
            return { version: await versionOf(bytes) };
          }),
        );
      }),

    list: (input, { limit = Infinity, onLeftOut } = {}) =>
      perform(input, async (path, fail) => {
        const { real, missing } = await located(path, fail);
        if (missing.length > 0) return null;
        if (!(await isFolder(real))) throw fail("it is a file, not a folder");
        const { entries, leftOut } = await inFolder(openFolder(calls, real), (folder) =>
          entriesIn(folder, path, limit),
        );
        // Reported after the list is complete, since the operation may have restarted.
        if (onLeftOut) for (const reason of leftOut) onLeftOut(reason);
        return entries;
      }),

    stat: (input) =>
      perform(input, async (path, fail) => {
        const { real, missing, isRoot } = await located(path, fail);
        if (missing.length > 0) return null;
        if (isRoot) return { path, kind: "folder" };
        return entryAt(real, path);
      }),

    remove: (input) =>
      perform(input, async (path, fail) => {
        if (path === ".") throw fail("it is a folder: only files can be removed");
        const above = await located(dirname(path), fail);
        if (above.missing.length > 0 || !(await isFolder(above.real))) return false;
        const name = basename(path);
        if (await own.covers(above.real, [name])) throw fail(HIDDEN);
        return inFolder(openFolder(calls, above.real), async (folder) => {
          const kind = await kindIn(folder, name);
          if (kind === "nothing") return false;
          if (kind !== "a file" && kind !== "a symbolic link") throw fail(`it is ${kind}: only files can be removed`);
          await folder.confirm();
          await calls.unlink(folder.entry(name));
          await folder.sync();
          return true;
        });
      }),

    folders: {
      make: (input) =>
        perform(input, async (path, fail) => {
          const { real, missing } = await located(path, fail);
          if (!(await isFolder(real))) throw fail("a part of it is a file, not a folder");
          await (await openForWriting(real, missing)).close();
        }),

      remove: (input) =>
        perform(input, async (path, fail) => {
          if (path === ".") throw fail("it is the workspace itself");
          const above = await located(dirname(path), fail);
          if (above.missing.length > 0 || !(await isFolder(above.real))) return false;
          const name = basename(path);
          if (await own.covers(above.real, [name])) throw fail(HIDDEN);
          return inFolder(openFolder(calls, above.real), async (folder) => {
            const kind = await kindIn(folder, name);
            if (kind === "nothing") return false;
            if (kind !== "a folder") throw fail(`it is ${kind}, not a folder`);
            await folder.confirm();
            try {
              await calls.rmdir(folder.entry(name));
            } catch (error) {
              if (codeOf(error) === "ENOTEMPTY" || codeOf(error) === "EEXIST") throw fail("it is not empty");
              throw error;
            }
            await folder.sync();
            return true;
          });
        }),
    },
  };
  const runner = runnerOf(exec, files, root, hidden);
  return runner === undefined ? files : { ...files, exec: runner };

  async function isFolder(real: string): Promise<boolean> {
    return (await calls.lstat(real)).isDirectory();
  }

  /** The entry at a real path; `null` for devices, pipes and sockets. */
  async function entryAt(real: string, path: string): Promise<WorkspaceEntry | null> {
    return inFolder(openFolder(calls, dirname(real)), async (folder) => {
      const found = await calls.lstat(folder.entry(basename(real)));
      await folder.confirm();
      return asEntry(found, path);
    });
  }

  async function entriesIn(
    folder: OpenFolder,
    path: string,
    limit: number,
  ): Promise<{ readonly entries: readonly WorkspaceEntry[]; readonly leftOut: readonly LeftOutReason[] }> {
    const entries: WorkspaceEntry[] = [];
    const leftOut: LeftOutReason[] = [];
    let previous: string | undefined;
    for (const name of (await calls.readdir(folder.entry())).sort()) {
      if (entries.length >= limit) break;
      // A name that is not UTF-8 is shown with U+FFFD, so it can look like another.
      const found =
        name === previous ? "notUtf8Name" : await entryIn(folder, name, path === "." ? name : `${path}/${name}`);
      previous = name;
      if (typeof found === "string") leftOut.push(found);
      else if (found !== null) entries.push(found);
    }
    await folder.confirm();
    return { entries, leftOut };
  }

  /** An entry of a list, or the reason why a model cannot use it; `null` when it disappeared in the meantime. */
  async function entryIn(
    folder: OpenFolder,
    name: string,
    path: string,
  ): Promise<WorkspaceEntry | LeftOutReason | null> {
    if (isTemporaryName(name)) return "temporary";
    const guarded = guardPath(path, rules);
    if (!guarded.ok || guarded.path !== path) return refusedName(name);
    if (await own.covers(folder.path, [name])) return "protected";
    let isLink = false;
    try {
      const found = await calls.lstat(folder.entry(name));
      isLink = found.isSymbolicLink();
      return isLink ? await targetOf(path) : (asEntry(found, path) ?? "special");
    } catch (error) {
      const code = codeOf(error);
      if (code === "EACCES" || code === "EPERM") return "unreadable";
      if (code === "ENAMETOOLONG") return "longPath";
      if (code !== "ENOENT" && !(error instanceof FolderMoved)) throw error;
      if (isLink) return "unreadable";
      return name.includes("\ufffd") ? "notUtf8Name" : null;
    }
  }

  /** The entry that a link in a list points to. */
  async function targetOf(path: string): Promise<WorkspaceEntry | LeftOutReason> {
    const base = await realRoot();
    const location = await locate(calls, base, path);
    if (!location.ok) return location.why === "outside" ? "linkOutside" : "brokenLink";
    if (location.missing.length > 0) return "brokenLink";
    if (await own.covers(location.real)) return "protected";
    return location.real === base ? { path, kind: "folder" } : ((await entryAt(location.real, path)) ?? "special");
  }

  function refusedName(name: string): LeftOutReason {
    if (guardPath(name, rules).ok) return "longPath";
    return rules.names === "posix" ? "encodedName" : "refusedName";
  }
}

function runnerOf(
  exec: HostExecOptions,
  files: Workspace,
  root: string,
  hidden: readonly string[],
): CommandRunner | undefined {
  const mode: string = exec.mode ?? "simulated";
  if (exec.mode === "off") return undefined;
  if (exec.mode === "sandboxed" || exec.mode === "host") return createCommandRunner(root, { ...exec, hidden });
  if (mode === "simulated") {
    const { shell, limits } = exec as Extract<HostExecOptions, { mode?: "simulated" }>;
    return simulatedRunner(files, { ...(shell && { shell }), ...(limits && { limits }) });
  }
  throw new AssistantError(
    "OPTION_INVALID",
    `Cannot make the workspace as exec.mode must be "simulated", "sandboxed", "host" or "off": current value is ${JSON.stringify(mode)}`,
  );
}

function asEntry(found: Awaited<ReturnType<FileCalls["lstat"]>>, path: string): WorkspaceEntry | null {
  if (found.isDirectory()) return { path, kind: "folder" };
  return found.isFile() ? { path, kind: "file", sizeBytes: Number(found.size) } : null;
}

function checkedRoot(root: unknown): string {
  const problem = (why: string) =>
    new AssistantError(
      "OPTION_INVALID",
      `Cannot make the workspace as root ${why}: current value is ${JSON.stringify(root)}`,
    );
  if (typeof root !== "string" || root.trim() === "") throw problem("must be the path of a folder");
  if (root.includes("\0")) throw problem("must not contain a NUL character");
  if (/^~(?:[/\\]|$)/u.test(root)) throw problem("must be written in full, as ~ is not expanded here");
  const absolute = resolve(root);
  if (absolute === parse(absolute).root) throw problem("must be a separate folder, not the whole file system");
  return absolute;
}

/** The system's messages name paths outside the workspace, so only the error code is passed on. */
function explained(error: unknown, path: string, fail: (problem: string, cause?: unknown) => AssistantError): Error {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error ? error : new Error(String(error));
  if (code === "EACCES" || code === "EPERM") return fail("the system does not permit it", error);
  if (code === "EROFS") return fail("the disk is read-only", error);
  if (code === "ENOTDIR") return fail("a part of it is a file, not a folder", error);
  if (code === "EISDIR") return fail("it is a folder, not a file", error);
  if (code === "ELOOP") return fail("it became a symbolic link while it was being used", error);
  if (code === "ENXIO") return fail("it is a device, pipe or socket", error);
  if (code === "ENAMETOOLONG") return fail("the whole path is too long for this system", error);
  if (code === "ENOSPC" || code === "EDQUOT")
    return new AssistantError(
      "STORE_FULL",
      `Cannot write ${JSON.stringify(path)} as the workspace's disk is full: free some space`,
      { cause: error },
    );
  return new AssistantError(
    "STORE_UNAVAILABLE",
    `Cannot use ${JSON.stringify(path)} as the workspace's disk answered ${code}`,
    { cause: error },
  );
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

async function versionOf(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
