import { accessSync, constants } from "node:fs";
import { basename } from "node:path";
import process from "node:process";
import { setFlagsFromString } from "node:v8";

/** What is asked of the process; replaced in tests. */
export interface HeapHost {
  readonly runtime: "node" | "bun" | "deno";
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Begins this program anew in its place, with these arguments of the runtime; returns where that cannot be. */
  startAnew(runtimeArguments: readonly string[]): void;
  setV8(flag: string): void;
}

/** Half of what V8 may use for what was just made, in megabytes. Its own limit takes 110 MB of memory once a process has been busy. */
const YOUNG_HALF = "--max-semi-space-size=4";
/** What lives longer is collected when it has grown by so much. By V8's own measure it grows to four times what is in use. */
const OLD_GROWTH = "--heap-growing-percent=40";
/** Bun's own option for a small heap. */
const SMALL_BUN = "--smol";

/**
 * Keeps the heap of a server small: a collector gives garbage more room the longer a process lives, and an assistant mostly waits.
 * How far V8's old space grows can be said at any time. The limit of the young one, and Bun's option, are taken at start only: where the system can
 * put a program in the place of itself (same process id, same terminal), it begins once more before it has loaded anything.
 *
 * `WAKEFUL_HEAP=large`, or an option of Node about either space, leaves everything as it is.
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

/** Does the command line ask for a server? A word that only looks so costs a moment. */
export function isServer(argv: readonly string[]): boolean {
  return argv.some((word) => word === "serve" || word === "start") && !argv.includes("--help") && !argv.includes("-h");
}

/** Set to its own process id in a program that was begun anew, so that it never is again, whatever became of the options. */
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
      // Whoever talks to this process over a channel of its own would not reach the one in its place.
      if (host.execve === undefined || host.platform === "win32" || host.send !== undefined) return;
      // A program that holds its runtime, or a loader that was told of one, takes the options for words of its own.
      if (env[BEGUN] === String(pid) || !/^(?:node|bun)/i.test(basename(execPath))) return;
      if (runtime === "node" && !process.allowedNodeEnvironmentFlags.has("--max-semi-space-size")) return;
      try {
        accessSync(execPath, constants.X_OK);
        host.execve(execPath, [execPath, ...runtimeArguments, ...argv.slice(1)], { ...env, [BEGUN]: String(pid) });
      } catch {
        // Not allowed here: the collector keeps its own limits.
      }
    },
    setV8: setFlagsFromString,
  };
}
