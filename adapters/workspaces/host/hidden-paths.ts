import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { AssistantError } from "../../../mod.ts";
import type { FileCalls } from "./open-folder.ts";

/**
 * Paths of the host that are not part of the workspace, even inside its folder: the assistant's own data and
 * configuration.
 */
export interface HiddenPaths {
  /**
   * Whether a path is one of them or inside one. `real` is a real path, `missing` the names below it that do not exist
   * yet.
   */
  covers(real: string, missing?: readonly string[]): Promise<boolean>;
}

/**
 * Hides paths that do not exist yet too, so that the workspace cannot create them.
 *
 * @throws {AssistantError} `OPTION_INVALID` when the workspace is inside one of them, or when the way to one leads
 *   through a symbolic link in the workspace, which a command could replace.
 */
export function hiddenPaths(
  calls: Pick<FileCalls, "realpath">,
  root: string,
  paths: readonly string[] = [],
): HiddenPaths {
  const spelled = paths.map((path) => resolve(path));
  const realRoot = realNow(root);
  for (const path of spelled) {
    const real = realNow(path);
    if (isWithin(realRoot, real))
      throw new AssistantError(
        "OPTION_INVALID",
        `Cannot make the workspace as its folder ${JSON.stringify(root)} is hidden or lies in the hidden ${JSON.stringify(path)}, which belongs to the assistant: choose a separate folder`,
      );
    const link = linkOnTheWay(realRoot, isWithin(path, root) ? join(realRoot, relative(root, path)) : path);
    if (link !== undefined)
      throw new AssistantError(
        "OPTION_INVALID",
        `Cannot hide ${JSON.stringify(path)} as ${JSON.stringify(link)} on the way to it is a symbolic link in the workspace, which could be replaced: name the real path, or move it out of the workspace`,
      );
  }

  return {
    async covers(real, missing = []) {
      if (spelled.length === 0) return false;
      const target = join(real, ...missing);
      for (const path of spelled) {
        if (isWithin(target, path) || isWithin(target, await realWhereItIs(calls, path))) return true;
      }
      return false;
    },
  };
}

/**
 * Ignores case, accent composition, invisible characters, and dots and blanks at a name's end. Some disks (those of
 * Macs and Windows, also mounted on Linux) do not distinguish them, and on others the stricter rule does no harm.
 */
function isWithin(path: string, folder: string): boolean {
  const [inner, outer] = [folded(path), folded(folder)];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

function folded(path: string): string {
  return path
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFC")
    .toUpperCase()
    .toLowerCase()
    .replaceAll(/(?<=[^/\\. ])[. ]+(?=[/\\]|$)/gu, "");
}

/** The real path of the existing part of a path, and the rest as written. */
async function realWhereItIs(calls: Pick<FileCalls, "realpath">, path: string): Promise<string> {
  const names: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(await calls.realpath(at), ...names);
    } catch {
      if (dirname(at) === at) return path;
      names.unshift(at.slice(dirname(at).length).replace(sep, ""));
    }
  }
}

function realNow(path: string): string {
  const names: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realpathSync(at), ...names);
    } catch {
      if (dirname(at) === at) return path;
      names.unshift(at.slice(dirname(at).length).replace(sep, ""));
    }
  }
}

/** The first symbolic link below the root on the way to a path. */
function linkOnTheWay(root: string, path: string): string | undefined {
  if (!isWithin(path, root)) return undefined;
  let at = root;
  for (const name of relative(root, path).split(sep)) {
    at = join(at, name);
    try {
      if (lstatSync(at).isSymbolicLink()) return at;
    } catch {
      return undefined;
    }
  }
  return undefined;
}
