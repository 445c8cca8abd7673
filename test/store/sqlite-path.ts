import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Gives `body` the path of a file that is not there yet, in a folder that is removed afterwards. */
export async function withPath(body: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "wakeful-sqlite-"));
  try {
    await body(join(folder, "store.db"));
  } finally {
    await rm(folder, { recursive: true });
  }
}
