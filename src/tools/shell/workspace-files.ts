import { AssistantError, ConflictError } from "../../errors.ts";
import type { ToolLeftOutReason } from "../left-out.ts";
import type { Workspace, WorkspaceEntry } from "../workspace.ts";
import { PathFault } from "./path-faults.ts";
import { hex } from "../../hash.ts";

/** File facts that the shell asks for. */
export interface FileFacts {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly isSymbolicLink: boolean;
  readonly mode: number;
  readonly size: number;
  readonly mtime: Date;
}

type Encoding = "utf8" | "utf-8" | "ascii" | "binary" | "base64" | "hex" | "latin1";
type EncodingOption = Encoding | { readonly encoding?: Encoding | null } | undefined;

/** State of the shell besides the workspace's files, kept between commands. */
export interface FolderMemory {
  /** Empty folders, for workspaces that cannot hold any. */
  readonly emptyFolders: Set<string>;
  /** Modes that `chmod` set; the workspace stores none. */
  readonly modes: Map<string, number>;
}

export interface WorkspaceFilesOptions {
  readonly memory: FolderMemory;
  /** Most bytes that one command may write in total. */
  readonly maxWrittenBytes: number;
  /** Called when a write would exceed that; commands do not always report it. */
  onFull?(): void;
  /** What the last list of each folder left out. */
  readonly leftOut: Map<string, readonly ToolLeftOutReason[]>;
}

/** Most remembered folders and modes, and most entries that one operation visits. */
const MAX_REMEMBERED = 10_000;
const MAX_ENTRIES = 10_000;
/** Attempts of an append before it gives up because of concurrent writes. */
const APPEND_TRIES = 20;
const UNKNOWN_TIME = new Date(0);

/**
 * The workspace as a file system of the simulated shell. Every path passes the workspace's own guard and limits.
 * There are no links, owners and times. Commands see the same files as the file tools. Writing creates missing
 * folders, as the workspace does.
 */
export function createWorkspaceFiles(workspace: Workspace, options: WorkspaceFilesOptions) {
  const { memory, maxWrittenBytes, leftOut } = options;
  const { emptyFolders, modes } = memory;
  let writtenBytes = 0;

  /** Turns refusals of the workspace into errors that commands know. */
  async function at<Result>(
    operation: string,
    shown: string,
    work: (path: string) => Promise<Result>,
  ): Promise<Result> {
    const path = resolvePath("/", shown).slice(1) || ".";
    try {
      return await work(path);
    } catch (error) {
      if (!AssistantError.is(error) || error.code === "STOPPED") throw error;
      const why = error.message.replace(/^[^"]*"(?:[^"\\]|\\.)*": /u, "");
      throw new PathFault("EACCES", operation, shown, why, { cause: error });
    }
  }

  async function entryAt(path: string): Promise<WorkspaceEntry | null> {
    return (await workspace.stat(path)) ?? (emptyFolders.has(path) ? { path, kind: "folder" } : null);
  }

  async function existing(operation: string, path: string): Promise<WorkspaceEntry> {
    const entry = await entryAt(path);
    if (entry === null) throw new PathFault("ENOENT", operation, `/${path}`);
    return entry;
  }

  function factsOf({ path, kind, sizeBytes = 0 }: WorkspaceEntry): FileFacts {
    const isDirectory = kind === "folder";
    return {
      isFile: !isDirectory,
      isDirectory,
      isSymbolicLink: false,
      mode: modes.get(path) ?? (isDirectory ? 0o755 : 0o644),
      size: sizeBytes,
      mtime: UNKNOWN_TIME,
    };
  }

  /** Keeps a folder when its last file is removed, as commands expect. */
  function rememberFolder(path: string): void {
    if (workspace.folders !== undefined) return;
    const names = path === "." ? [] : path.split("/");
    for (let depth = 1; depth <= names.length && emptyFolders.size < MAX_REMEMBERED; depth++)
      emptyFolders.add(names.slice(0, depth).join("/"));
  }

  async function refuseMissingParent(operation: string, path: string): Promise<void> {
    const parent = parentOf(path);
    if (parent === ".") return;
    const found = await entryAt(parent);
    if (found === null) throw new PathFault("ENOENT", operation, `/${path}`);
    if (found.kind === "file") throw new PathFault("ENOTDIR", operation, `/${path}`);
  }

  async function bytesAt(operation: string, path: string): Promise<{ bytes: Uint8Array; version: string }> {
    if ((await existing(operation, path)).kind === "folder") throw new PathFault("EISDIR", operation, `/${path}`);
    const file = await workspace.read(path);
    if (file === null) throw new PathFault("ENOENT", operation, `/${path}`);
    return file;
  }

  async function write(path: string, bytes: Uint8Array, expect?: string | null): Promise<void> {
    if (writtenBytes + bytes.byteLength > maxWrittenBytes) {
      options.onFull?.();
      throw new PathFault("EDQUOT", "open", `/${path}`, `at most ${maxWrittenBytes} bytes`);
    }
    writtenBytes += bytes.byteLength;
    if (emptyFolders.has(path)) throw new PathFault("EISDIR", "open", `/${path}`);
    await workspace.write(path, bytes, expect === undefined ? {} : { expect });
  }

  async function append(path: string, added: Uint8Array): Promise<void> {
    for (let tries = 1; ; tries++) {
      const found = await workspace.read(path);
      const before = found?.bytes ?? new Uint8Array();
      const whole = new Uint8Array(before.byteLength + added.byteLength);
      whole.set(before);
      whole.set(added, before.byteLength);
      try {
        await write(path, whole, found?.version ?? null);
        return;
      } catch (error) {
        if (!ConflictError.is(error) || tries >= APPEND_TRIES) throw error;
      }
    }
  }

  async function childrenOf(operation: string, path: string): Promise<readonly WorkspaceEntry[]> {
    if ((await existing(operation, path)).kind === "file") throw new PathFault("ENOTDIR", operation, `/${path}`);
    const reasons: ToolLeftOutReason[] = [];
    const onLeftOut = (reason: ToolLeftOutReason) => void reasons.push(reason);
    const found = (await workspace.list(path, { limit: MAX_ENTRIES + 1, onLeftOut })) ?? [];
    if (found.length > MAX_ENTRIES) reasons.push("cutFolder");
    const listed = found.slice(0, MAX_ENTRIES);
    leftOut.set(path, reasons);
    const known = new Set(listed.map((entry) => entry.path));
    const prefix = path === "." ? "" : `${path}/`;
    const empty = [...emptyFolders]
      .filter((folder) => folder.startsWith(prefix) && !folder.slice(prefix.length).includes("/") && !known.has(folder))
      .map((folder): WorkspaceEntry => ({ path: folder, kind: "folder" }));
    return [...listed, ...empty].sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  async function makeFolder(path: string, recursive: boolean): Promise<void> {
    const found = await entryAt(path);
    if (found !== null) {
      if (recursive && found.kind === "folder") return;
      throw new PathFault("EEXIST", "mkdir", `/${path}`);
    }
    if (recursive) {
      if (parentOf(path) !== ".") await makeFolder(parentOf(path), true);
    } else await refuseMissingParent("mkdir", path);
    // Makes the workspace check the path, even if the folder is only remembered.
    if (workspace.folders === undefined) {
      await workspace.list(path, { limit: 1 });
      if (emptyFolders.size >= MAX_REMEMBERED) throw new PathFault("EDQUOT", "mkdir", `/${path}`);
      rememberFolder(path);
    } else await workspace.folders.make(path);
  }

  async function removeFolder(path: string): Promise<void> {
    emptyFolders.delete(path);
    modes.delete(path);
    await workspace.folders?.remove(path);
  }

  async function removeAll(path: string, count: { entries: number }): Promise<void> {
    if (++count.entries > MAX_ENTRIES)
      throw new PathFault("EPERM", "rm", `/${path}`, `more than ${MAX_ENTRIES} entries`);
    if ((await existing("rm", path)).kind === "file" || (await isLink(path))) {
      await removeFile(path);
      return;
    }
    for (const child of await childrenOf("rm", path)) await removeAll(child.path, count);
    await removeFolder(path);
  }

  /**
   * Whether a path is a link, which this call then removes. A link to a folder looks like a folder, but removing it
   * must not reach its target: the workspace removes links themselves.
   */
  async function isLink(path: string): Promise<boolean> {
    if (emptyFolders.has(path) || path === ".") return false;
    try {
      return await workspace.remove(path);
    } catch (error) {
      if (AssistantError.is(error, "WORKSPACE_REFUSED")) return false;
      throw error;
    }
  }

  async function removeFile(path: string): Promise<void> {
    await workspace.remove(path);
    modes.delete(path);
    rememberFolder(parentOf(path));
  }

  async function copy(from: string, to: string, recursive: boolean, count: { entries: number }): Promise<void> {
    if (++count.entries > MAX_ENTRIES)
      throw new PathFault("EPERM", "cp", `/${from}`, `more than ${MAX_ENTRIES} entries`);
    if ((await existing("cp", from)).kind === "file") {
      const { bytes } = await bytesAt("cp", from);
      await refuseMissingParent("cp", to);
      await write(to, bytes);
      const mode = modes.get(from);
      if (mode !== undefined) modes.set(to, mode);
      return;
    }
    if (!recursive) throw new PathFault("EISDIR", "cp", `/${from}`);
    if (`${to}/`.startsWith(`${from}/`))
      throw new PathFault("EINVAL", "cp", `/${to}`, "a folder cannot go into itself");
    // Listed before the target is created, so that only entries that existed before are copied.
    const children = await childrenOf("cp", from);
    await makeFolder(to, true);
    for (const child of children)
      await copy(child.path, `${to}/${child.path.slice(child.path.lastIndexOf("/") + 1)}`, true, count);
  }

  return {
    readFile: (path: string, encoding?: EncodingOption) =>
      at("open", path, async (inside) => decode((await bytesAt("open", inside)).bytes, encoding)),
    readFileBuffer: (path: string) => at("open", path, async (inside) => (await bytesAt("open", inside)).bytes),
    writeFile: (path: string, content: string | Uint8Array, encoding?: EncodingOption) =>
      at("open", path, (inside) => write(inside, encode(content, encoding))),
    appendFile: (path: string, content: string | Uint8Array, encoding?: EncodingOption) =>
      at("open", path, (inside) => append(inside, encode(content, encoding))),
    exists: async (path: string) => {
      try {
        return await at("stat", path, async (inside) => (await entryAt(inside)) !== null);
      } catch (error) {
        if (error instanceof PathFault) return false;
        throw error;
      }
    },
    stat: (path: string) => at("stat", path, async (inside) => factsOf(await existing("stat", inside))),
    lstat: (path: string) => at("lstat", path, async (inside) => factsOf(await existing("lstat", inside))),
    mkdir: (path: string, { recursive = false }: { recursive?: boolean } = {}) =>
      at("mkdir", path, (inside) => makeFolder(inside, recursive)),
    readdir: (path: string) =>
      at("scandir", path, async (inside) =>
        (await childrenOf("scandir", inside)).map((entry) => entry.path.slice(entry.path.lastIndexOf("/") + 1)),
      ),
    rm: (path: string, { recursive = false, force = false }: { recursive?: boolean; force?: boolean } = {}) =>
      at("rm", path, async (inside) => {
        const found = await entryAt(inside);
        if (found === null) {
          if (force) return;
          throw new PathFault("ENOENT", "rm", path);
        }
        if (inside === ".") throw new PathFault("EPERM", "rm", path, "it is the workspace itself");
        if (recursive || found.kind === "file") await removeAll(inside, { entries: 0 });
        else if ((await childrenOf("rm", inside)).length > 0) throw new PathFault("ENOTEMPTY", "rm", path);
        else await removeFolder(inside);
      }),
    cp: (from: string, to: string, { recursive = false }: { recursive?: boolean } = {}) =>
      at("cp", from, (inside) => at("cp", to, (target) => copy(inside, target, recursive, { entries: 0 }))),
    mv: (from: string, to: string) =>
      at("mv", from, (inside) =>
        at("mv", to, async (target) => {
          if (inside === target) return;
          await copy(inside, target, true, { entries: 0 });
          await removeAll(inside, { entries: 0 });
        }),
      ),
    resolvePath,
    /** The library uses this to match patterns only if it cannot list; here it can. */
    getAllPaths: (): string[] => [],
    chmod: (path: string, mode: number) =>
      at("chmod", path, async (inside) => {
        await existing("chmod", inside);
        if (modes.size < MAX_REMEMBERED) modes.set(inside, mode & 0o777);
      }),
    symlink: (_target: string, path: string) => noLinks("symlink", path),
    link: (_existing: string, path: string) => noLinks("link", path),
    readlink: (path: string) =>
      at("readlink", path, async (inside): Promise<string> => {
        await existing("readlink", inside);
        throw new PathFault("EINVAL", "readlink", path);
      }),
    realpath: (path: string) =>
      at("realpath", path, async (inside) => {
        await existing("realpath", inside);
        return resolvePath("/", path);
      }),
    utimes: (path: string) => at("utimes", path, async (inside) => void (await existing("utimes", inside))),
  };
}

async function noLinks(operation: string, path: string): Promise<never> {
  throw new PathFault("ENOTSUP", operation, path, "there are no links in the workspace: copy the file");
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "." : path.slice(0, slash);
}

function resolvePath(base: string, path: string): string {
  const names: string[] = [];
  for (const name of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
    if (name === "" || name === ".") continue;
    if (name === "..") names.pop();
    else names.push(name);
  }
  return `/${names.join("/")}`;
}

function encodingOf(option: EncodingOption): Encoding {
  return (typeof option === "string" ? option : option?.encoding) ?? "utf8";
}

function decode(bytes: Uint8Array, option: EncodingOption): string {
  const encoding = encodingOf(option);
  if (encoding === "utf8" || encoding === "utf-8") return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (encoding === "hex") return hex(bytes);
  let text = "";
  for (let from = 0; from < bytes.byteLength; from += 32_768)
    text += String.fromCharCode(...bytes.subarray(from, from + 32_768));
  return encoding === "base64" ? btoa(text) : text;
}

function encode(content: string | Uint8Array, option: EncodingOption): Uint8Array {
  if (typeof content !== "string") return content;
  const encoding = encodingOf(option);
  if (encoding === "utf8" || encoding === "utf-8") return new TextEncoder().encode(content);
  if (encoding === "hex")
    return Uint8Array.from(content.match(/[0-9a-f]{2}/giu) ?? [], (pair) => Number.parseInt(pair, 16));
  const text = encoding === "base64" ? atob(content) : content;
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
