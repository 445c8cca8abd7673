import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder under the system's temporary one, by its real path, and how to remove it. */
export async function temporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "wakeful-workspace-")));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
