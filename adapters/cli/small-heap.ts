import { accessSync, constants } from "node:fs";
import { basename } from "node:path";
import process from "node:process";
import { setFlagsFromString } from "node:v8";

/** Access to the process; replaced in tests. */
export interface HeapHost {
  readonly runtime: "node" | "bun" | "deno";
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Replaces this process by a new run of the program with these runtime arguments. Returns where that is impossible. */
  startAnew(runtimeArguments: readonly string[]): void;
  setV8(flag: string): void;
}

/**
 * Half of V8's limit for new objects, in megabytes. The default limit takes 110 MB of memory once a process has been
 * busy.
 */
const YOUNG_HALF = "--max-semi-space-size=4";
/** Old objects are collected after this growth. By default the old space grows to four times what is in use. */
const OLD_GROWTH = "--heap-growing-percent=40";
/** Bun's own option for a small heap. */
const SMALL_BUN = "--smol";

/**
 * Keeps a server's heap small: a collector gives garbage more room the longer a process lives, and an assistant mostly
 * waits. V8's old-space growth can be set at any time. The young-space limit and Bun's option are read at start only,
 * so on a system that can replace a process (same process id, same terminal), the program restarts once before it has
 * loaded anything.
 *
 * `WAKEFUL_HEAP=large`, or an option of Node for either space, leaves everything as it is.
 *
 * Source: docs/deploy.md, "Memory".
 */
export function keepHeapSmall({ runtime, execArgv, env, startAnew, setV8 }: HeapHost): void {
  if (env["WAKEFUL_HEAP"] === "large") return;
  const options = [...execArgv, ...(env["NODE_OPTIONS"] ?? "").split(/\s+/)].map((option) =>
    option.replaceAll("_", "-"),
  );
  const small = runtime === "bun" ? SMALL_BUN : YOUNG_HALF;
  if (!options.includes(small)) {
    if (options.some((option) => /semi-space|heap-growing|optimize-for-size/.test(option))) return;
    if (runtime !== "deno") startAnew([...execArgv, small]);
  }
  if (runtime !== "bun") setV8(OLD_GROWTH);
}

/** Whether the command line starts a server. A false positive costs a moment. */
export function isServer(argv: readonly string[]): boolean {
  return argv.some((word) => word === "serve" || word === "start") && !argv.includes("--help") && !argv.includes("-h");
}

/**
 * Set to the program's own process id in a restarted program, so that it never restarts again, whether or not the
 * options took effect.
 */
const BEGUN = "WAKEFUL_BEGUN";

type Host = Pick<typeof process, "argv" | "execArgv" | "execPath" | "pid" | "platform"> &
  Partial<Pick<typeof process, "execve" | "send">> & { readonly env: Readonly<Record<string, string | undefined>> };

/** @param host Replaced in tests. */
export function processHeap(host: Host = process): HeapHost {
  const { argv, execArgv, env, execPath, pid } = host;
  const runtime = "Bun" in globalThis ? "bun" : "Deno" in globalThis ? "deno" : "node";
  return {
    runtime,
    execArgv,
    env,
    startAnew(runtimeArguments) {
      // A parent that uses an IPC channel to this process would not reach its replacement.
      if (host.execve === undefined || host.platform === "win32" || host.send !== undefined) return;
      // A program that embeds its runtime, or a loader that was passed one, would read the options as its own arguments.
      if (env[BEGUN] === String(pid) || !/^(?:node|bun)/i.test(basename(execPath))) return;
      if (runtime === "node" && !process.allowedNodeEnvironmentFlags.has("--max-semi-space-size")) return;
      try {
        accessSync(execPath, constants.X_OK);
        host.execve(execPath, [execPath, ...runtimeArguments, ...argv.slice(1)], { ...env, [BEGUN]: String(pid) });
      } catch {
        // Not allowed here: the collector keeps its default limits.
      }
    },
    setV8: setFlagsFromString,
  };
}
