import { readdirSync } from "node:fs";
import { join } from "node:path";
import { betterName } from "../storage/fs/index.ts";
import { storePath } from "./data-place.ts";
import type { Settings } from "./settings.ts";
import { printable } from "./transcript-lines.ts";

/** Where people write YAML files, by the command that lists what is in them. */
const FOLDERS = { jobs: "jobs", workflows: "workflows/defs" } as const;

/** A file that a person wrote and nothing reads because of its name. */
export interface MisnamedFile {
  readonly what: string;
  readonly remedy: string;
}

/** The misnamed files of a store of files; none where the store is another one. */
export function misnamedFiles(settings: Settings, cwd: string, room: keyof typeof FOLDERS): readonly MisnamedFile[] {
  const path = storePath(settings, cwd);
  if (path === undefined || (settings.config.store?.driver ?? "fs") !== "fs") return [];
  const folder = join(path, FOLDERS[room]);
  return yamlFiles(folder).flatMap((name) => {
    const better = betterName(name) ?? (name.endsWith(".yml") ? name.replace(/yml$/, "yaml") : undefined);
    if (better === undefined) return [];
    const what = printable(
      `${join(folder, name)} is not read: its name must be small letters, digits, . _ - and end in .yaml`,
    );
    return [{ what, remedy: printable(`rename it, for example to ${better}`) }];
  });
}

function yamlFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && /^[^.].*\.ya?ml$/i.test(entry.name))
      .map(({ name }) => name)
      .toSorted();
  } catch {
    return []; // not there, or the row of the storage says what is wrong with it
  }
}
