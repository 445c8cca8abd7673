import type { Clock } from "../../clock.ts";
import { AssistantError, messageOf } from "../../errors.ts";
import { guardPath } from "../../guard/index.ts";
import type { ShellLibrary, SimulatedShell } from "../../libraries.ts";
import { checkCommandText, commandLimits } from "../commands.ts";
import type { CommandOptions, CommandResult, CommandRunner } from "../commands.ts";
import { type SimulatedLimits, describeBreach } from "../exec-limits.ts";
import { createOutputKeeper } from "../output.ts";
import { createLeftOut } from "../left-out.ts";
import type { ToolLeftOutReason } from "../left-out.ts";
import type { Workspace } from "../workspace.ts";
import { startDeadline } from "../../time-limit.ts";
import { PathFault } from "./path-faults.ts";
import { createWorkspaceFiles } from "./workspace-files.ts";
import type { WorkspaceFilesOptions } from "./workspace-files.ts";

/** Runs the commands of a simulated shell. */
export type Interpreter = Pick<CommandRunner, "run" | "runCode">;

export interface InterpreterParts {
  readonly clock: Clock;
  readonly limits: SimulatedLimits;
  /** @throws {AssistantError} `WORKSPACE_REFUSED` if there is no shell. */
  loadShell(): Promise<SimulatedShell>;
}

/** Path of the workspace as commands see it. */
const ROOT = "/workspace";
/** Most output of one command, in bytes. */
const MAX_PRODUCED_BYTES = 4 * 1024 * 1024;
/** A timer may fire this much early by the wall clock. */
const TIMER_SLACK_MS = 2;
/** Left out because its memory cannot be bounded: SQLite runs in WebAssembly with the limits of the host. */
const LEFT_OUT = new Set(["sqlite3"]);

/** The part of `simulatedRunner` that is loaded with the first command. */
export function createInterpreter(workspace: Workspace, { clock, limits, loadShell }: InterpreterParts): Interpreter {
  const memory = { emptyFolders: new Set<string>(), modes: new Map<string, number>() };

  async function run(
    command: string,
    runOptions: CommandOptions,
    how: { readonly javascript: boolean; readonly stdin?: string },
  ): Promise<CommandResult> {
    const { timeoutMs: askedMs, maxOutputBytes } = commandLimits(runOptions);
    const timeoutMs = Math.min(askedMs, limits.seconds * 1000);
    const late: CommandResult = {
      stdout: "",
      stderr: "",
      exitCode: 124,
      timedOut: true,
      truncated: false,
      ...(timeoutMs < askedMs && { limit: describeBreach("seconds", limits) }),
    };
    const { env = {}, signal } = runOptions;
    const cwd = folderOf(runOptions.cwd);
    const { library } = await loadShell();
    signal?.throwIfAborted();

    let isFull = false;
    const breachIn = (stderr: string) =>
      // The library's error for its own folder of temporary files.
      isFull || stderr.includes("ENOSPC: in-memory filesystem") ? { limit: describeBreach("diskBytes", limits) } : {};
    const leftOut = new Map<string, readonly ToolLeftOutReason[]>();
    const bash = await createShell(library, {
      workspace,
      memory,
      leftOut,
      timeoutMs,
      maxWrittenBytes: limits.diskBytes,
      onFull: () => (isFull = true),
      javascript: how.javascript,
    });
    const startedAtMs = clock.now();
    let isLate = false;
    const deadline = startDeadline(clock, timeoutMs, () => void (isLate = true), signal);
    try {
      const found = await bash.exec(command, {
        cwd,
        env: { HOME: ROOT, USER: "user", LANG: "C.UTF-8", ...env },
        rawScript: true,
        signal: deadline.signal,
        ...(how.stdin !== undefined && { stdin: how.stdin }),
      });
      signal?.throwIfAborted();
      // The library has its own deadline, which fires if its work blocks our timer.
      const timedOut = isLate || (found.exitCode === 124 && clock.now() - startedAtMs >= timeoutMs - TIMER_SLACK_MS);
      const output = kept(withLeftOut(found, leftOut), maxOutputBytes);
      if (timedOut) return { ...late, ...output };
      return { ...output, exitCode: found.exitCode, timedOut, ...breachIn(found.stderr) };
    } catch (error) {
      signal?.throwIfAborted();
      if (isLate) return late;
      // In this library a redirection that the workspace refuses, or that does not fit, ends the whole command.
      if (!(error instanceof PathFault) && !messageOf(error).startsWith("ENOSPC: in-memory")) throw error;
      const stderr = `bash: ${messageOf(error)}\n`;
      return { stdout: "", stderr, exitCode: 1, timedOut: false, truncated: false, ...breachIn(stderr) };
    } finally {
      deadline.end();
    }
  }

  return {
    run(command, runOptions = {}) {
      return checked(command, () => run(command, runOptions, { javascript: false }));
    },
    runCode(language, code, runOptions = {}) {
      return checked(code, async () => {
        if (language === "bash") return run(code, runOptions, { javascript: false });
        if (language === "javascript" && (await loadShell()).javascript === true)
          return run("js-exec -m", runOptions, { javascript: true, stdin: code });
        throw new AssistantError("WORKSPACE_REFUSED", `Cannot run ${JSON.stringify(language)} in the simulated shell`);
      });
    },
  };
}

async function checked<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
  checkCommandText(text);
  return work();
}

function folderOf(cwd: string | undefined): string {
  const guarded = guardPath(cwd ?? ".", { root: ROOT, names: "posix" });
  if (!guarded.ok) throw new AssistantError("WORKSPACE_REFUSED", guarded.reason);
  return guarded.path === "." ? ROOT : `${ROOT}/${guarded.path}`;
}

/** Creates a shell for one command. Only the workspace's files outlive it. */
async function createShell(
  library: ShellLibrary,
  options: {
    readonly workspace: Workspace;
    readonly memory: WorkspaceFilesOptions["memory"];
    readonly leftOut: WorkspaceFilesOptions["leftOut"];
    readonly timeoutMs: number;
    readonly maxWrittenBytes: number;
    readonly onFull: () => void;
    readonly javascript: boolean;
  },
) {
  const { workspace, memory, leftOut, timeoutMs, maxWrittenBytes, onFull, javascript } = options;
  const base = new library.InMemoryFs({}, { maxTotalBytes: maxWrittenBytes });
  await base.mkdir("/tmp");
  const filesystem = createWorkspaceFiles(workspace, { memory, leftOut, maxWrittenBytes, onFull });
  const fs = new library.MountableFs({ base, mounts: [{ mountPoint: ROOT, filesystem }] } as never);
  return new library.Bash({
    fs,
    cwd: ROOT,
    javascript,
    commands: library.getCommandNames().filter((name) => !LEFT_OUT.has(name)),
    // Disabled because it changes globals of this process while a command runs, and other conversations run in the
    // same process; Bun refuses it.
    defenseInDepth: false,
    executionLimitProfile: "hardened",
    executionLimits: {
      maxExecutionTimeMs: timeoutMs,
      maxJsTimeoutMs: timeoutMs,
      maxOutputSize: MAX_PRODUCED_BYTES,
      maxFileSystemBytes: maxWrittenBytes,
    },
  } as never);
}

/** Commands cannot be told what their lists lack, so a note at the end of stderr tells the reader. */
function withLeftOut(
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
  folders: ReadonlyMap<string, readonly ToolLeftOutReason[]>,
): { readonly stdout: string; readonly stderr: string } {
  const leftOut = createLeftOut();
  for (const reason of [...folders.values()].flat()) leftOut.add(reason);
  const note = leftOut.note();
  if (note === undefined) return { stdout, stderr };
  const gap = stderr === "" || stderr.endsWith("\n") ? "" : "\n";
  return { stdout, stderr: `${stderr}${gap}bash: of the folders that were listed, ${note}\n` };
}

function kept(
  found: { readonly stdout: string; readonly stderr: string },
  maxOutputBytes: number,
): Pick<CommandResult, "stdout" | "stderr" | "truncated"> {
  const [stdout, stderr] = [found.stdout, found.stderr].map((text) => {
    const keeper = createOutputKeeper(maxOutputBytes);
    keeper.add(new TextEncoder().encode(text));
    return keeper;
  }) as [ReturnType<typeof createOutputKeeper>, ReturnType<typeof createOutputKeeper>];
  return { stdout: stdout.text(), stderr: stderr.text(), truncated: stdout.truncated || stderr.truncated };
}
