import { join, relative } from "node:path";
import type { FileSystem } from "../../adapters/storage/fs/file-system.ts";

/** Who is removed. */
export const PERSON = "42424242";

/** Every name of theirs under a folder, but those of the write-ahead log. */
export async function namesIn(fs: Pick<FileSystem, "readDirectory">, root: string, folder = root): Promise<string[]> {
  const found: string[] = [];
  for (const { name, directory } of await fs.readDirectory(folder)) {
    const path = join(folder, name);
    found.push(relative(root, path));
    if (directory) found.push(...(await namesIn(fs, root, path)));
  }
  return found.filter((name) => name.includes(PERSON));
}
