import type { LeftOutReason } from "./workspace.ts";

/** Why a tool leaves something out, besides what the workspace itself leaves out of its lists. */
export type ToolLeftOutReason =
  | LeftOutReason
  | "hiddenFolder"
  | "dependencies"
  | "notText"
  | "tooLarge"
  | "deepFolder"
  | "unlookedFolder"
  | "cutFolder"
  | "limit";

/** Singular and plural text for each reason, in the order in which the note lists them. */
const WORDS: Readonly<Record<ToolLeftOutReason, readonly [one: string, more: string]>> = {
  limit: ["is over the limit", "are over the limit"],
  linkOutside: ["symlink leaves the workspace", "symlinks leave the workspace"],
  brokenLink: ["symlink leads nowhere", "symlinks lead nowhere"],
  special: ["device, pipe or socket", "devices, pipes or sockets"],
  notUtf8Name: ["name is not UTF-8", "names are not UTF-8"],
  encodedName: ["name hides a separator behind percent signs", "names hide a separator behind percent signs"],
  refusedName: ["name is not accepted here", "names are not accepted here"],
  longPath: ["path is too long", "paths are too long"],
  protected: ["belongs to the assistant itself", "belong to the assistant itself"],
  unreadable: ["cannot be read", "cannot be read"],
  temporary: ["unfinished write", "unfinished writes"],
  hiddenFolder: ["hidden folder", "hidden folders"],
  dependencies: ["folder of dependencies or version control", "folders of dependencies or version control"],
  notText: ["is not text", "are not text"],
  tooLarge: ["file is too large", "files are too large"],
  deepFolder: ["folder is too deep", "folders are too deep"],
  cutFolder: ["folder has more entries than commands see", "folders have more entries than commands see"],
  unlookedFolder: ["folder was not looked into", "folders were not looked into"],
};

export type LeftOut = ReturnType<typeof createLeftOut>;

/** Counts what is left out of an answer, by reason. */
export function createLeftOut() {
  const counts = new Map<ToolLeftOutReason, number>();
  return {
    add(reason: ToolLeftOutReason, count = 1): void {
      counts.set(reason, (counts.get(reason) ?? 0) + count);
    },
    /**
     * One line for the model, as `2 left out: 1 symlink leaves the workspace, 1 name is not UTF-8`; `undefined` if
     * nothing was left out.
     */
    note(): string | undefined {
      let total = 0;
      const parts: string[] = [];
      for (const [reason, [one, more]] of Object.entries(WORDS)) {
        const count = counts.get(reason as ToolLeftOutReason) ?? 0;
        if (count === 0) continue;
        total += count;
        parts.push(`${count} ${count === 1 ? one : more}`);
      }
      return total === 0 ? undefined : `${total} left out: ${parts.join(", ")}`;
    },
  };
}
