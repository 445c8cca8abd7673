import { bubblewrap } from "./bubblewrap.ts";
import { sandboxExec } from "./sandbox-exec.ts";

/** Where a command runs and what it may reach besides the system's own programs. All paths are absolute and real. */
export interface SandboxPlace {
  /** The workspace: writable. */
  readonly root: string;
  /** The folder to start in. */
  readonly cwd: string;
  /** What may be read besides the system. */
  readonly readable: readonly string[];
  /** What must not be seen, also where it lies in the workspace or in `readable`. */
  readonly hidden: readonly string[];
  /** Whether commands may open connections, to this machine's own ports too. */
  readonly network: boolean;
  /** How much the folder for temporary files may hold where it is in memory. Default 256 MiB, which is also the most. */
  readonly temporaryBytes?: number;
}

/** The means of an operating system to keep a program in. */
export interface Sandbox {
  /** For people, as `bubblewrap 0.8.0`. */
  readonly name: string;
  /** Commands have a temporary folder of their own at this path; absent where they use the workspace. */
  readonly temporaryFolder?: string;
  /** The argument list that runs `argv` inside. */
  wrap(argv: readonly string[], place: SandboxPlace): readonly string[];
}

/** The sandbox that this machine has, or why there is none and what to do about it. */
export type FoundSandbox =
  | { readonly ok: true; readonly sandbox: Sandbox }
  | { readonly ok: false; readonly problem: string; readonly remedy: string };

/** Trying holds the whole process up, so what worked once is not tried again. */
const working = new Map<string, FoundSandbox>();

/** Looks for the sandbox of this system and tries it, until it has worked once. */
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
