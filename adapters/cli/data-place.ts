import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { type AssistantOptions, memoryStore } from "../../mod.ts";
import { messageOf, type Store } from "../../kit.ts";
import type { StoreReport } from "../storage/fs/index.ts";
import { ExitError, EXIT } from "./exit-codes.ts";
import { makeFolder } from "./make-folder.ts";
import type { Settings } from "./settings.ts";
import { printLine, type Terminal } from "./terminal.ts";
import { printable } from "./transcript-lines.ts";

type Logger = NonNullable<AssistantOptions["logger"]>;

/** One sentence about where the data is. */
export function storeLine(settings: Settings, cwd: string): string {
  const { driver = "fs", url } = settings.config.store ?? {};
  if (driver === "memory") return "in memory, lost when the process ends";
  if (driver === "redis") return `redis ${withoutPassword(url ?? "")}`;
  return `${driver === "fs" ? "" : `${driver} `}${storePath(settings, cwd) ?? ""}`;
}

/** The folder or file of the store; `undefined` for a store that has none. */
export function storePath({ config, dataFolder }: Settings, cwd: string): string | undefined {
  const { driver = "fs", root, path } = config.store ?? {};
  if (driver === "memory" || driver === "redis") return undefined;
  if (driver === "fs") return root === undefined ? dataFolder : resolve(cwd, root);
  return path === undefined ? join(dataFolder, defaultFile(driver)) : resolve(cwd, path);
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, "//");
}

function defaultFile(driver: string): string {
  return driver === "sqlite" ? "wakeful.db" : "wakeful.kv";
}

/** A store with a lock that other processes can read takes the address of this process. */
export type OpenedStore = Store & { announce?(url: string): void };

/** The address of the process on this machine that has the store open, if it announced one. */
export async function announcedUrl(settings: Settings, cwd: string): Promise<string | undefined> {
  const path = storePath(settings, cwd);
  if (path === undefined || (settings.config.store?.driver ?? "fs") !== "fs") return undefined;
  const holder = (await import("../storage/fs/index.ts")).storeHolder(path);
  return holder?.host === hostname() ? holder.url : undefined;
}

/**
 * The owner's token of the server that has the store open. The server keeps it in a file for commands of users who can
 * read its data.
 */
export function keptToken(settings: Settings, cwd: string): string | undefined {
  try {
    return readFileSync(tokenPath(settings, cwd) ?? "", "utf8").trim() || undefined;
  } catch {
    return undefined; // an earlier version wrote no token, or the store has no folder; the person is then asked for it
  }
}

/** Keeps a server's own token with its data while it runs, readable by its user only. @returns A function that removes it. */
export function keepToken(settings: Settings, cwd: string, token: string): () => void {
  const path = tokenPath(settings, cwd);
  if (path === undefined) return () => {};
  // A killed server's file may be readable by others, and only a new file gets the mode.
  rmSync(path, { force: true });
  writeFileSync(path, `${token}\n`, { mode: 0o600, flag: "wx" });
  return () => rmSync(path, { force: true });
}

function tokenPath(settings: Settings, cwd: string): string | undefined {
  const path = storePath(settings, cwd);
  return path === undefined || (settings.config.store?.driver ?? "fs") !== "fs" ? undefined : join(path, "token");
}

/** @param options.asks The command only reads: if no data exists, it gets an empty store, and nothing is created. */
export async function openStore(
  settings: Settings,
  cwd: string,
  { logger, asks = false }: { readonly logger?: Logger; readonly asks?: boolean } = {},
): Promise<OpenedStore> {
  if (asks && !isBegun(settings, cwd)) return memoryStore();
  const { driver = "fs", url = "", prefix } = settings.config.store ?? {};
  const found = storePath(settings, cwd) ?? "";
  const file = () => {
    makeFolder(dirname(found), { named: "store.path or the data folder" });
    return found;
  };
  switch (driver) {
    case "fs": {
      const { fsStore } = await import("../storage/fs/index.ts");
      return fsStore({
        root: found,
        onReport: logger
          ? (report) => logger[report.level === "warning" ? "warn" : "info"](report.message, { store: "fs" })
          : warnOf,
      });
    }
    case "sqlite":
      return (await import("../storage/sqlite/index.ts")).sqliteStore({ path: file() });
    case "redis":
      return (await import("../storage/redis/index.ts")).redisStore({ url, ...(prefix !== undefined && { prefix }) });
    case "deno-kv":
      return (await import("../storage/deno-kv/index.ts")).denoKvStore({ path: file() });
    case "memory":
      return memoryStore();
    default:
      throw new ExitError(EXIT.usage, `Unknown store ${messageOf(driver satisfies never)}`);
  }
}

/** Without a logger, the runtime prints the warning. Commands report misnamed files themselves. */
function warnOf({ kind, level, message }: StoreReport): void {
  if (level === "warning" && kind !== "misnamed") process.emitWarning(message, "WakefulStoreWarning");
}

/** Whether the configured store exists. True for a store with an address, which is unknown before it is used. */
export function isBegun(settings: Settings, cwd: string): boolean {
  const path = storePath(settings, cwd);
  if (path === undefined) return true;
  if ((settings.config.store?.driver ?? "fs") !== "fs") return existsSync(path);
  try {
    // A configuration, a policy or a persona may be in the folder before any data.
    return readdirSync(path, { withFileTypes: true }).some(
      (one) => (one.isDirectory() && one.name !== "persona") || one.name === "store.json",
    );
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOENT"); // otherwise, opening it reports the problem
  }
}

/** Prints one line for people on standard error, so that standard output stays unchanged. */
export function tellNotBegun(settings: Settings, terminal: Terminal): void {
  if (isBegun(settings, terminal.cwd)) return;
  const where = storeLine(settings, terminal.cwd);
  printLine(terminal.stderr, printable(`Nothing is stored in ${where} yet: wakeful start creates it`));
}
