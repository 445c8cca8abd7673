import { bubblewrap } from "./bubblewrap.ts";
import { sandboxExec } from "./sandbox-exec.ts";

/** Where a command runs and what it may reach besides the system's own programs. All paths are absolute and real. */
export interface SandboxPlace {
  /** The workspace: writable. */
  readonly root: string;
  /** The folder to start in. */
  readonly cwd: string;
  /** Paths that may be read besides the system. */
  readonly readable: readonly string[];
  /** Paths that must not be visible, even inside the workspace or `readable`. */
  readonly hidden: readonly string[];
  /** Whether commands may open connections, including to this machine's own ports. */
  readonly network: boolean;
  /** Most bytes in the folder for temporary files, if it is in memory. Default 256 MiB, which is also the maximum. */
  readonly temporaryBytes?: number;
}

/** An operating system's means to isolate a program. */
export interface Sandbox {
  /** Name to show, such as `bubblewrap 0.8.0`. */
  readonly name: string;
  /** Path of the commands' own temporary folder; absent if they use the workspace. */
  readonly temporaryFolder?: string;
  /** The argument list that runs `argv` inside. */
  wrap(argv: readonly string[], place: SandboxPlace): readonly string[];
}

/** The sandbox of this machine, or why there is none and what to do about it. */
export type FoundSandbox =
  | { readonly ok: true; readonly sandbox: Sandbox }
  | { readonly ok: false; readonly problem: string; readonly remedy: string };

/** Cached successes, since a try blocks the whole process. */
const working = new Map<string, FoundSandbox>();

/** Finds and tries the sandbox of this system. Tries again until it has worked once. */
export function findSandbox(platform: string = process.platform): FoundSandbox {
  const known = working.get(platform);
  if (known !== undefined) return known;
  const found = tried(platform);
  if (found.ok) working.set(platform, found);
  return found;
}

function tried(platform: string): FoundSandbox {
  if (platform === "linux") return bubblewrap();
  if (platform === "darwin") return sandboxExec();
  return {
    ok: false,
    problem: `there is no sandbox for ${platform}`,
    remedy: 'use exec.mode "simulated", or run the assistant on Linux or macOS',
  };
}
