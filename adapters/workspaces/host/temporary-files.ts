import type { FileCalls, OpenFolder } from "./open-folder.ts";

/** Age after which a temporary file belongs to no running write. */
const LEFT_BEHIND_MS = 60_000;
const TEMPORARY_NAME = /^\.wakeful-[0-9a-f-]{36}\.tmp$/u;

export function temporaryName(): string {
  return `.wakeful-${crypto.randomUUID()}.tmp`;
}

export function isTemporaryName(name: string): boolean {
  return TEMPORARY_NAME.test(name);
}

/** Removes temporary files that interrupted writes left in a folder. Best effort: a failure must not fail the next write. */
export async function sweepTemporaryFiles(calls: FileCalls, folder: OpenFolder): Promise<void> {
  try {
    for (const name of await calls.readdir(folder.entry())) {
      if (!isTemporaryName(name)) continue;
      const found = await calls.lstat(folder.entry(name));
      await folder.confirm();
      if (found.isFile() && Date.now() - found.mtimeMs > LEFT_BEHIND_MS) await calls.unlink(folder.entry(name));
    }
  } catch {
    // Another process swept it, or the folder is gone, which the following write reports.
  }
}
