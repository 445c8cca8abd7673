import { basename, join } from "node:path";
import { writeAllSync } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";

export type SetAside = (file: string, bytes: Uint8Array) => string;

/**
 * Copies damaged bytes to `torn/`, durably, before they are cut off elsewhere.
 * @returns A function that returns the path of the copy, and throws the disk's error.
 */
export function createSetAside(fs: FileSystem, root: string, now: () => number): SetAside {
  let count = 0;
  return (file, bytes) => {
    const time = new Date(now()).toISOString().replaceAll(/[:.]/g, "-");
    for (;;) {
      const path = join(root, "torn", `${time}-${++count}-${basename(file)}`);
      if (fs.existsSync(path)) continue;
      const descriptor = fs.openSync(path, "wx");
      try {
        writeAllSync(fs, descriptor, bytes);
        fs.syncSync(descriptor);
      } finally {
        fs.closeSync(descriptor);
      }
      return path;
    }
  };
}
