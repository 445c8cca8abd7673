import { AssistantError, ConflictError } from "../errors.ts";
import { guardPath } from "../guard/index.ts";
import type { SimulatedShell } from "../libraries.ts";
import type { Platform } from "../platform.ts";
import { keySegments, storeKey } from "../store/index.ts";
import type { Store, Value } from "../store/index.ts";
import type { SimulatedLimits } from "./exec-limits.ts";
import { simulatedRunner } from "./shell/simulated.ts";
import { MAX_WORKSPACE_FILE_BYTES } from "./workspace.ts";
import type { LeftOutReason, Workspace, WorkspaceEntry } from "./workspace.ts";

/** Options of `virtualWorkspace`. */
export interface VirtualWorkspaceOptions {
  /** Holds the files as documents, under `workspace/<name>/`. */
  readonly store: Store;
  /** Distinguishes several workspaces of one store. Default `main`. */
  readonly name?: string;
  /** Largest file in bytes. Default 5 MiB. */
  readonly maxFileBytes?: number;
  /** How commands run. Default `simulated`; a real shell needs a folder on a disk. */
  readonly exec?: {
    /** `off`: there are no commands. Default `simulated`. */
    readonly mode?: "simulated" | "off";
    /**
     * The interpreter of commands. Default: the package just-bash, if it is installed; a bundle for Workers must be
     * given it.
     */
    readonly shell?: SimulatedShell;
    /** Limits on what a command writes and how long it takes. Default 64 MiB and 600 seconds. */
    readonly limits?: Partial<SimulatedLimits>;
  };
}

/** The prefix that a model may write when it insists on an absolute path. */
const ROOT = "/workspace";

/**
 * Creates a workspace whose files are documents of a store, under `workspace/<name>/`. It cannot reach the host's
 * disk, and works where there is none. Text is stored as text, anything else as bytes. `expect` holds as far as the
 * store's compare-and-set does.
 *
 * Source: docs/workspaces.md, "The virtual workspace".
 *
 * @throws {AssistantError} `OPTION_INVALID` if `exec.mode` is not `simulated` or `off`, or a limit makes no sense.
 * @example
 * ```ts
 * const workspace = virtualWorkspace({ store: memoryStore() });
 * await workspace.write("notes/today.md", "water the plants");
 * ```
 */
export function virtualWorkspace(
  options: VirtualWorkspaceOptions,
  platform: Pick<Platform, "load" | "probe" | "unref">,
): Workspace {
  const { store, name = "main", maxFileBytes = MAX_WORKSPACE_FILE_BYTES, exec = {} } = options;
  const { mode = "simulated", shell, limits } = exec;
  checkMode(mode);
  const base = storeKey("workspace", name);

  function pathOf(input: string): string {
    const guarded = guardPath(input, { root: ROOT, names: "posix" });
    if (!guarded.ok) throw new AssistantError("WORKSPACE_REFUSED", guarded.reason);
    return guarded.path;
  }

  const keyOf = (path: string) => (path === "." ? base : `${base}/${storeKey(...path.split("/"))}`);

  async function firstKey(prefix: string, after?: string): Promise<string | undefined> {
    for await (const { key } of store.list(prefix, { limit: 1, ...(after === undefined ? {} : { after }) })) return key;
    return undefined;
  }

  /** The shortest key with a prefix comes first, so one read tells whether a document with exactly that key exists. */
  const isFile = async (path: string) => path !== "." && (await firstKey(keyOf(path))) === keyOf(path);
  const isFolder = async (path: string) => path === "." || (await firstKey(`${keyOf(path)}/`)) !== undefined;

  function refused(path: string, problem: string): AssistantError {
    return new AssistantError("WORKSPACE_REFUSED", `Cannot use path ${JSON.stringify(path)}: ${problem}`);
  }

  async function refuseFileAbove(path: string): Promise<void> {
    const names = path.split("/");
    for (let depth = 1; depth < names.length; depth++) {
      const above = names.slice(0, depth).join("/");
      if (await isFile(above)) throw refused(path, `${JSON.stringify(above)} is a file, not a folder`);
    }
  }

  const files: Workspace = {
    maxFileBytes,

    async read(input) {
      const path = pathOf(input);
      const found = path === "." ? null : await store.get(keyOf(path));
      if (found === null) {
        if (await isFolder(path)) throw refused(path, "it is a folder, not a file");
        return null;
      }
      const bytes = bytesOf(found.value);
      if (bytes.byteLength > maxFileBytes) throw refused(path, tooLarge(bytes.byteLength, maxFileBytes));
      return { bytes, version: found.version };
    },

    async write(input, content, { expect } = {}) {
      const path = pathOf(input);
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      if (bytes.byteLength > maxFileBytes) throw refused(path, tooLarge(bytes.byteLength, maxFileBytes));
      if (await isFolder(path)) throw refused(path, "it is a folder, not a file");
      await refuseFileAbove(path);
      try {
        return { version: await store.put(keyOf(path), textOrBytes(bytes), expect === undefined ? {} : { expect }) };
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
        throw new ConflictError(
          `Cannot write ${JSON.stringify(path)} as it changed in the meantime: read it again`,
          error.actual,
        );
      }
    },

    async list(input, { limit = Infinity, onLeftOut } = {}) {
      const path = pathOf(input);
      const prefix = `${keyOf(path)}/`;
      const entries: WorkspaceEntry[] = [];
      let after: string | undefined = "";
      let lastFolder: string | undefined;
      while (after !== undefined && entries.length < limit) {
        const from: string = after;
        after = undefined;
        for await (const { key } of store.list(prefix, from === "" ? {} : { after: from })) {
          const [childName = "", ...below] = keySegments(key.slice(prefix.length));
          const kind = below.length > 0 ? "folder" : "file";
          const child = path === "." ? childName : `${path}/${childName}`;
          // After the listing has skipped a folder, only names in it that begin with U+FFFF can still appear.
          if (kind === "folder" && lastFolder === child) continue;
          // Another program may have put a document there.
          const reason = refusedChild(childName, child);
          if (reason === undefined) entries.push({ path: child, kind });
          else onLeftOut?.(reason);
          if (entries.length >= limit) break;
          if (kind === "folder") {
            // Continues after the folder's contents without reading them.
            lastFolder = child;
            after = `${prefix}${storeKey(childName)}/\uffff`;
            break;
          }
        }
      }
      if (entries.length === 0 && path !== "." && limit > 0) {
        if (await isFile(path)) throw refused(path, "it is a file, not a folder");
        return null;
      }
      return entries.sort((one, other) => (one.path < other.path ? -1 : 1));
    },

    async stat(input) {
      const path = pathOf(input);
      const found = path === "." ? null : await store.get(keyOf(path));
      if (found !== null) return { path, kind: "file", sizeBytes: bytesOf(found.value).byteLength };
      return (await isFolder(path)) ? { path, kind: "folder" } : null;
    },

    async remove(input) {
      const path = pathOf(input);
      if (await isFile(path)) {
        await store.remove(keyOf(path));
        return true;
      }
      if (await isFolder(path)) throw refused(path, "it is a folder: only files can be removed");
      return false;
    },
  };
  return mode === "off"
    ? files
    : { ...files, exec: simulatedRunner(files, { ...(shell && { shell }), ...(limits && { limits }) }, platform) };
}

function refusedChild(name: string, path: string): LeftOutReason | undefined {
  const guarded = guardPath(path, { names: "posix" });
  if (guarded.ok) return name.includes("/") || guarded.path !== path ? "refusedName" : undefined;
  return guardPath(name, { names: "posix" }).ok ? "longPath" : "encodedName";
}

function checkMode(mode: string): void {
  if (mode === "simulated" || mode === "off") return;
  const problem =
    mode === "sandboxed" || mode === "host"
      ? "needs a folder of the host's disk: use hostWorkspace({ root, exec }) from wakeful/workspaces/host"
      : 'must be "simulated" or "off"';
  throw new AssistantError(
    "OPTION_INVALID",
    `Cannot make the workspace as exec.mode ${problem}: current value is ${JSON.stringify(mode)}`,
  );
}

function tooLarge(sizeBytes: number, maxFileBytes: number): string {
  return `it has ${sizeBytes} bytes, but files here may have at most ${maxFileBytes}`;
}

/** Stores bytes as text if they are exactly a text's, so that a person can read the document. */
function textOrBytes(bytes: Uint8Array): string | Uint8Array {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? bytes : text;
  } catch {
    return bytes;
  }
}

function bytesOf(value: Value): Uint8Array {
  if (value instanceof Uint8Array) return value;
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value, null, 2));
}
