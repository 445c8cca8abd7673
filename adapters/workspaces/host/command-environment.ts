import { delimiter } from "node:path";
import { isUnder } from "./bubblewrap.ts";

/**
 * The variables, besides PATH, that a command inherits from this process. No others, since keys and tokens are among
 * them.
 */
const PASSED_ON = ["LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LC_TIME", "TZ"];
const SYSTEM_PATH = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

export interface CommandEnvironmentOptions {
  readonly parent: Readonly<Record<string, string | undefined>>;
  readonly root: string;
  readonly temporaryFolder: string;
  /** Inside a sandbox PATH names only folders that exist there: the system's and these. */
  readonly readable?: readonly string[];
  /** Variables from the workspace's options or the caller. */
  readonly added: Readonly<Record<string, string>>;
}

/** The whole environment of a command. */
export function commandEnvironment(options: CommandEnvironmentOptions): Readonly<Record<string, string>> {
  const { parent, root, temporaryFolder, readable, added } = options;
  const passed = PASSED_ON.flatMap((name) => (parent[name] === undefined ? [] : [[name, parent[name]] as const]));
  return {
    LANG: "C.UTF-8",
    ...Object.fromEntries(passed),
    PATH: pathOf(parent["PATH"] ?? "", readable),
    HOME: root,
    TMPDIR: temporaryFolder,
    TERM: "dumb",
    USER: "user",
    LOGNAME: "user",
    SHELL: "/bin/sh",
    ...added,
  };
}

function pathOf(parentPath: string, readable: readonly string[] | undefined): string {
  const folders = parentPath.split(delimiter).filter((folder) => folder.startsWith("/"));
  if (readable === undefined) return [...new Set([...folders, ...SYSTEM_PATH])].join(delimiter);
  const shown = [
    "/usr",
    "/bin",
    "/sbin",
    "/opt/homebrew",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
    ...readable,
  ];
  const there = folders.filter((folder) => shown.some((one) => isUnder(folder, one)));
  return [...new Set([...there, ...SYSTEM_PATH])].join(delimiter);
}
