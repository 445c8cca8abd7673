import { spawn } from "node:child_process";
import { constants } from "node:os";
import { createOutputKeeper } from "../../../kit.ts";
import type { CommandResult, ExecLimitName } from "../../../kit.ts";
import { signalTo } from "./processes.ts";
import { watchLimits } from "./watch-limits.ts";
import type { LimitWatch } from "./watch-limits.ts";

export interface ProcessOptions {
  readonly cwd: string;
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** Standard input. Default: none. */
  readonly stdin?: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Limits to watch during the run. Default: none. */
  readonly watch?: LimitWatch;
}

export type ProcessResult = Omit<CommandResult, "limit"> & {
  /** The watched limit that the group exceeded and was killed for. */
  readonly breached?: ExecLimitName;
};

/** A process that writes more bytes than this, on both streams together, is killed. */
const MAX_PRODUCED_BYTES = 16 * 1024 * 1024;
const TIMEOUT_EXIT_CODE = 124;
/**
 * How long the output is still read after the program ended and its group was killed: a process that holds it open has
 * left the group.
 */
const LAST_OUTPUT_MS = 500;

/**
 * Runs a program by its argument list, in its own process group. The whole group is killed at the timeout, after too
 * much output, over a limit, when the signal aborts, and when the program ends before others of its group. Source:
 * docs/exec.md, "Host".
 *
 * Contract: the result comes soon after the program's end, even if a process that left the group stays alive and holds
 * the output open.
 *
 * @throws The signal's reason when it aborts; an Error when the program cannot be started.
 */
export async function runProcess(argv: readonly string[], options: ProcessOptions): Promise<ProcessResult> {
  const { cwd, env, stdin, timeoutMs, maxOutputBytes, signal, watch } = options;
  signal?.throwIfAborted();
  const [program = "", ...rest] = argv;
  const child = spawn(program, rest, {
    cwd,
    env: { ...env },
    // Its own group, so that one call kills all of it.
    detached: true,
    stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    windowsHide: true,
  });
  const stdout = createOutputKeeper(maxOutputBytes);
  const stderr = createOutputKeeper(maxOutputBytes);
  let timedOut = false;
  let overflowed = false;
  let breached: ExecLimitName | undefined;
  let open = true;
  let lastOutput: ReturnType<typeof setTimeout> | undefined;

  const killGroup = () => {
    if (child.pid === undefined || !open) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It ended in the meantime, or the system has no groups.
      child.kill("SIGKILL");
    }
  };
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup();
  }, timeoutMs);
  signal?.addEventListener("abort", killGroup, { once: true });
  const endWatch =
    watch === undefined || child.pid === undefined
      ? undefined
      : watchLimits(child.pid, watch, (limit, family) => {
          breached = limit;
          killGroup();
          // Processes that left the group while their parents stayed.
          for (const pid of family) signalTo(pid, "SIGKILL");
        });
  for (const [stream, keeper] of [
    [child.stdout, stdout],
    [child.stderr, stderr],
  ] as const) {
    stream?.on("data", (bytes: Uint8Array) => {
      if (overflowed) return;
      keeper.add(bytes);
      if (stdout.totalBytes + stderr.totalBytes <= MAX_PRODUCED_BYTES) return;
      overflowed = true;
      killGroup();
    });
    stream?.on("error", () => {});
  }
  // A program that does not read its input closes it early, which is no error.
  child.stdin?.on("error", () => {});
  if (stdin !== undefined) child.stdin?.end(stdin);

  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      let ended = 0;
      child.once("error", reject);
      child.once("exit", (code, signalName) => {
        ended = code ?? 128 + (signalName === null ? 0 : constants.signals[signalName]);
        killGroup();
        lastOutput = setTimeout(() => {
          // One more turn of the event loop, so that data in the pipes is read even if this process was busy.
          setImmediate(() => {
            child.stdout?.destroy();
            child.stderr?.destroy();
            resolve(ended);
          });
        }, LAST_OUTPUT_MS);
      });
      child.once("close", () => resolve(ended));
    });
    signal?.throwIfAborted();
    return {
      stdout: stdout.text(),
      stderr: stderr.text(),
      exitCode: timedOut ? TIMEOUT_EXIT_CODE : exitCode,
      timedOut,
      truncated: overflowed || stdout.truncated || stderr.truncated,
      ...(breached !== undefined && { breached }),
    };
  } finally {
    open = false;
    endWatch?.();
    clearTimeout(timer);
    clearTimeout(lastOutput);
    signal?.removeEventListener("abort", killGroup);
  }
}
