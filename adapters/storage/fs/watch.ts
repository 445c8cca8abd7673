import * as nodeFs from "node:fs";
import { join, sep } from "node:path";
import { AssistantError } from "../../../mod.ts";
import { messageOf } from "../../../kit.ts";
import { fileName, parseFileName } from "./file-name.ts";
import type { Folders } from "./folders.ts";
import type { Reporter } from "./report.ts";
import { watchFolders } from "../../platform/watch-folders.ts";

interface Listener {
  readonly prefix: string;
  changed(key: string): void;
}

export type Watching = ReturnType<typeof createWatching>;

/**
 * Reports keys that change: this store's own changes at once, changes by other programs as far as the system's file
 * watching sees them.
 */
export function createWatching(parts: { folders: Folders; report: Reporter }) {
  const { folders, report } = parts;
  const listeners = new Set<Listener>();

  function notify(key: string): void {
    if (listeners.size === 0) return;
    for (const listener of listeners) if (key.startsWith(listener.prefix)) listener.changed(key);
  }

  /** The key of a path relative to the root; `undefined` if the path has none. */
  async function keyOf(path: string): Promise<string | undefined> {
    const names = path.split(sep);
    const segments: string[] = [];
    let folder = folders.root;
    for (const [depth, name] of names.entries()) {
      const parsed = parseFileName(name, { directory: depth < names.length - 1, top: depth === 0 });
      const segment = parsed?.hashed === true ? await folders.wholeName(folder, name) : parsed?.segment;
      if (segment === undefined) return undefined;
      segments.push(segment);
      folder = join(folder, name);
    }
    return segments.join("/");
  }

  /**
   * The deepest folder that contains every key of the prefix. If that folder does not exist yet, the root with the
   * one name in it to look at: a folder created later is visible only from above.
   */
  function placeOf(prefix: string): { readonly folder: string; readonly only?: string | undefined } {
    const segments = prefix.split("/").slice(0, -1);
    if (segments.includes("")) return { folder: "" };
    const names = segments.map((segment, depth) => fileName(segment, "folder", depth === 0).name);
    const folder = join(...names, "");
    return nodeFs.existsSync(join(folders.root, folder)) ? { folder } : { folder: "", only: names[0] };
  }

  function watchFiles(
    prefix: string,
    { changed, lost }: { changed(key: string): void; lost(error?: AssistantError): void },
  ): { close(): void } | undefined {
    const { folder, only } = placeOf(prefix);
    let isLost = false;
    const failed = (cause: unknown) => {
      if (isLost) return;
      isLost = true;
      const message = `Changes by other programs under ${JSON.stringify(prefix)} are not noticed: ${messageOf(cause)}`;
      report({ kind: "watch-failed", level: "warning", cause, message });
      lost(new AssistantError("STORE_UNAVAILABLE", `${message}; watch again, or list instead`, { cause }));
    };
    try {
      const told = (name: string) =>
        void keyOf(join(folder, name)).then(
          (key) => key?.startsWith(prefix) === true && changed(key),
          () => undefined, // unreadable now; the next change reports it again
        );
      return watchFolders(join(folders.root, folder), told, { failed, gone: () => lost() }, only);
    } catch (cause) {
      failed(cause);
      return undefined;
    }
  }

  async function* watch(prefix: string, signal: AbortSignal): AsyncGenerator<{ key: string }> {
    const changed = new Set<string>();
    let wake = () => {};
    const add = (key: string) => {
      changed.add(key);
      wake();
    };
    const listener: Listener = { prefix, changed: add };
    listeners.add(listener);
    const onAbort = () => wake();
    signal.addEventListener("abort", onAbort);
    let failure: AssistantError | undefined;
    let isLost = false;
    const lost = (error?: AssistantError) => {
      isLost = true;
      failure ??= error;
      wake();
    };
    const watcher = watchFiles(prefix, { changed: add, lost });
    try {
      while (!signal.aborted) {
        // The caller relies on the watch and must list from now on.
        if (failure !== undefined) throw failure;
        if (isLost) return;
        for (const key of changed) {
          changed.delete(key);
          yield { key };
          if (signal.aborted) return;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (changed.size > 0 || signal.aborted || isLost) resolve();
        });
      }
    } finally {
      watcher?.close();
      signal.removeEventListener("abort", onAbort);
      listeners.delete(listener);
    }
  }

  return { notify, watch };
}
