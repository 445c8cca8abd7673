import { join, relative, sep } from "node:path";
import { FolderMoved } from "./open-folder.ts";
import type { FileCalls } from "./open-folder.ts";

/**
 * Where a guarded path leads on the disk: the real path of the deepest part that exists, and the names that do not
 * exist yet.
 */
export type Location =
  | { readonly ok: true; readonly real: string; readonly missing: readonly string[] }
  | { readonly ok: false; readonly problem: string; readonly why: "outside" | "broken link" | "spelling" | "no root" };

/**
 * Follows the links of a guarded path and refuses a target outside the root. The result holds for that moment only:
 * `openFolder` verifies it again at its use.
 *
 * @param root The workspace's real path.
 * @throws {FolderMoved} When something appeared between two looks: try again.
 */
export async function locate(
  calls: Pick<FileCalls, "lstat" | "realpath">,
  root: string,
  path: string,
): Promise<Location> {
  const names = path === "." ? [] : path.split("/");
  for (let depth = names.length; depth >= 0; depth--) {
    const wanted = names.slice(0, depth);
    const target = join(root, ...wanted);
    const followed = await follow(calls, target);
    // Under a file: that file is the deepest part that exists, and a caller that needs a folder there reports it.
    if (followed.fault === "under a file") continue;
    if (followed.fault === "loop")
      return refuse("broken link", `${quote(wanted)} is a symbolic link that leads back to itself`);
    if (followed.fault === "missing") {
      const present = await kindOf(calls, target);
      if (present === "link")
        return refuse("broken link", `${quote(wanted)} is a symbolic link to something that does not exist`);
      if (present === "other") throw new FolderMoved();
      continue;
    }
    const { real } = followed;
    if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep))
      return refuse("outside", `${quote(wanted)} is a symbolic link that leads out of the workspace`);
    const spelled = relative(root, real).split(sep).join("/");
    if (differsInCaseOnly(spelled, wanted.join("/")) && !(await isByLink(calls, root, wanted)))
      return refuse("spelling", `it is spelled ${JSON.stringify(spelled)} here`);
    return { ok: true, real, missing: names.slice(depth) };
  }
  return refuse("no root", "the workspace's folder does not exist");
}

/** A link `readme.md` to `README.md` exists under its own name: both can exist only where case is distinguished. */
async function isByLink(calls: Pick<FileCalls, "lstat">, root: string, names: readonly string[]): Promise<boolean> {
  for (let depth = 1; depth <= names.length; depth++) {
    if ((await kindOf(calls, join(root, ...names.slice(0, depth)))) === "link") return true;
  }
  return false;
}

/**
 * Whether two spellings differ in case alone. Where both are one file, a rule about one must not be bypassed by the
 * other.
 */
export function differsInCaseOnly(spelled: string, wanted: string): boolean {
  const [one, other] = [spelled.normalize("NFC"), wanted.normalize("NFC")];
  return one !== other && one.toLowerCase() === other.toLowerCase();
}

type Followed =
  | { readonly fault: "none"; readonly real: string }
  | { readonly fault: "missing" }
  | { readonly fault: "under a file" }
  | { readonly fault: "loop" };

async function follow(calls: Pick<FileCalls, "realpath">, path: string): Promise<Followed> {
  try {
    return { fault: "none", real: await calls.realpath(path) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return { fault: "missing" };
    if (code === "ENOTDIR") return { fault: "under a file" };
    if (code === "ELOOP") return { fault: "loop" };
    throw error;
  }
}

async function kindOf(calls: Pick<FileCalls, "lstat">, path: string): Promise<"nothing" | "link" | "other"> {
  try {
    return (await calls.lstat(path)).isSymbolicLink() ? "link" : "other";
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return "nothing";
    throw error;
  }
}

function refuse(why: Extract<Location, { ok: false }>["why"], problem: string): Location {
  return { ok: false, why, problem };
}

function quote(names: readonly string[]): string {
  return JSON.stringify(names.join("/"));
}
