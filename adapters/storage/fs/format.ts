import { cp } from "node:fs/promises";
import { join } from "node:path";
import { AssistantError } from "../../../mod.ts";
import { diskError } from "./disk-error.ts";
import { errnoOf } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";
import type { Folders } from "./folders.ts";
import { FORMAT_VERSION, parseObject, refuseNewer } from "./log-line.ts";
import type { Reporter } from "./report.ts";

/** Converts a root from one format version to the next. Runs before anything else is read, after a backup. */
export interface Migration {
  readonly from: number;
  run(root: string): Promise<void>;
}

/** One for each format version before the current one. The first version needs none. */
export const MIGRATIONS: readonly Migration[] = [];

/** Name of the file that holds the root's format version, in lower case. */
export const FORMAT_FILE = "store.json";

/** Names that a backup leaves out: the owner's lock, temp files, older backups. */
const LEFT_OUT = new Set(["backup", "lock", "tmp"]);

/**
 * Brings the root to the current format. `store.json` holds its version. A newer version is refused; an older one is
 * copied to `backup/v<n>-<time>/` and then converted step by step.
 * @throws {AssistantError} `FORMAT_TOO_NEW`.
 */
export async function ensureFormat(parts: {
  fs: FileSystem;
  folders: Folders;
  report: Reporter;
  now: () => number;
  current?: number;
  migrations?: readonly Migration[];
}): Promise<void> {
  const { fs, folders, report, now, current = FORMAT_VERSION, migrations = MIGRATIONS } = parts;
  const { root } = folders;
  const file = join(root, FORMAT_FILE);
  const save = (v: number) => {
    const bytes = new TextEncoder().encode(`${JSON.stringify({ v, kind: "wakeful fs store" }, null, 2)}\n`);
    return folders.replaceOwn(file, bytes);
  };

  let text: string;
  try {
    text = new TextDecoder().decode(await fs.readFile(file));
  } catch (cause) {
    if (errnoOf(cause) === "ENOENT") return save(current);
    throw diskError("read", file, cause);
  }
  const v = parseObject(text)?.["v"];
  if (typeof v !== "number") {
    throw new AssistantError(
      "STORE_UNAVAILABLE",
      `Cannot read ${JSON.stringify(file)}: expected {"v": <number>}; restore it from a backup`,
    );
  }
  refuseNewer(v, file, current);
  if (v === current) return;

  const backup = join(root, "backup", `v${v}-${new Date(now()).toISOString().replaceAll(/[:.]/g, "-")}`);
  await backUp(fs, root, backup);
  for (let from = v; from < current; from++) {
    const migration = migrations.find((step) => step.from === from);
    if (migration === undefined) {
      throw new AssistantError(
        "STORE_UNAVAILABLE",
        `Cannot convert ${JSON.stringify(root)} from format version ${from}: this release does not know it`,
      );
    }
    await migration.run(root);
    await save(from + 1);
  }
  report({
    kind: "migrated",
    level: "info",
    file: backup,
    message: `Converted ${JSON.stringify(root)} from format version ${v} to ${current}; the previous data is in ${JSON.stringify(backup)}`,
  });
}

async function backUp(fs: FileSystem, root: string, backup: string): Promise<void> {
  try {
    for (const { name } of await fs.readDirectory(root)) {
      if (!LEFT_OUT.has(name)) await cp(join(root, name), join(backup, name), { recursive: true, errorOnExist: true });
    }
  } catch (cause) {
    throw diskError("back up to", backup, cause);
  }
}
