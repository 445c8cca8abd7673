import { AssistantError } from "../errors.ts";
import type { JsonValue } from "../store/index.ts";

/**
 * How commands run. `simulated`: an interpreter in this process over the workspace's files, no program of the host is started. `sandboxed`: a real
 * shell inside the system's own sandbox. `host`: a real shell with the rights of this process, inside a sandbox only where there is one.
 */
export type CommandMode = "simulated" | "sandboxed" | "host";

/** How one command runs. */
export interface CommandOptions {
  /** A folder of the workspace to start in. Default the workspace's own. */
  readonly cwd?: string;
  /** Environment variables besides the few that every command gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** When the command is killed. Default 60_000, at most 600_000. */
  readonly timeoutMs?: number;
  /** How much of stdout, and how much of stderr, is kept: the beginning and the end. Default 65_536. */
  readonly maxOutputBytes?: number;
  /** Kills the command when it aborts. */
  readonly signal?: AbortSignal;
}

/** What became of a command that ran. */
export interface CommandResult {
  /** As text; bytes that are no UTF-8 are replaced. Where a middle was left out, a line says how many bytes it had. */
  readonly stdout: string;
  /** As `stdout`. */
  readonly stderr: string;
  /** 0 is success. 124 after a timeout, 128 and the signal's number when a signal ended it. */
  readonly exitCode: number;
  /** It was killed at the end of `timeoutMs`. */
  readonly timedOut: boolean;
  /** Some output was left out, or the command was killed for writing far too much. */
  readonly truncated: boolean;
  /** Which of `exec.limits` the command went over, with its value and who can raise it; absent when it kept to them. */
  readonly limit?: string;
}

/** Whether commands can run here, found out once at start. */
export type CommandSupport =
  | {
      readonly ok: true;
      /** What `runCode` takes, as `bash`, `javascript`, `python`; only what runs behind a boundary is in it. */
      readonly languages: readonly string[];
      /** One line for people: what keeps commands in. */
      readonly boundary: string;
      /** One line for people: how much a command may use. */
      readonly limits?: string;
    }
  | { readonly ok: false; readonly problem: string; readonly remedy: string };

/**
 * Runs commands on the files of a workspace.
 *
 * Contract of `run` and `runCode`: nothing outside the workspace is written, and what is read besides it is what the mode's boundary shows; the mode
 * `host` without a sandbox promises neither. Standard input is empty. They resolve when the command and all that it started have ended, whatever the
 * exit code; after a timeout everything it started is ended first. When `signal` aborts they reject with its reason, after the same.
 * A command that is refused before it runs throws `AssistantError` `WORKSPACE_REFUSED` with a sentence for the model.
 *
 * Source: docs/exec.md.
 */
export interface CommandRunner {
  /** `simulated`: an interpreter. `sandboxed`: the system's sandbox. `host`: programs of this machine. */
  readonly mode: CommandMode;
  /** What people should know before the first command runs; logged at start. */
  readonly warnings: readonly string[];
  /** What besides a command's text decides what it does: the folder, the sandbox, the network. Absent: nothing that could change. */
  readonly boundTo?: { readonly [name: string]: JsonValue };
  /**
   * What the guard says to a command, without running it. Absent: there is no guard, since nothing can leave.
   * Contract: never throws; `commands` are the simple commands in it, their words resolved.
   */
  judge?(
    command: string,
  ): Promise<
    { readonly ok: true; readonly commands: readonly string[] } | { readonly ok: false; readonly reason: string }
  >;
  /** Contract: never throws, cheap after the first call, starts nothing that stays. */
  inspect(): Promise<CommandSupport>;
  /** Runs a line (or several) of shell. */
  run(command: string, options?: CommandOptions): Promise<CommandResult>;
  /** Runs a program. Contract: a language that `inspect` does not name is refused with `WORKSPACE_REFUSED`. */
  runCode(language: string, code: string, options?: CommandOptions): Promise<CommandResult>;
}

/** Default of `timeoutMs`: a minute. */
export const COMMAND_TIMEOUT_MS = 60_000;
/** Longest `timeoutMs`: ten minutes. */
export const MAX_COMMAND_TIMEOUT_MS = 600_000;
/** Default of `maxOutputBytes`: 64 KiB of each stream. */
const COMMAND_OUTPUT_BYTES = 65_536;
/** The longest command or program that is taken, in characters. */
const MAX_COMMAND_CHARACTERS = 100_000;

/**
 * Options with their defaults, refused when they make no sense.
 *
 * @throws {RangeError} When a number is not whole and above 0.
 */
export function commandLimits(options: CommandOptions): {
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
} {
  const { timeoutMs = COMMAND_TIMEOUT_MS, maxOutputBytes = COMMAND_OUTPUT_BYTES } = options;
  for (const [name, value] of Object.entries({ timeoutMs, maxOutputBytes })) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`Cannot run a command as ${name} must be a whole number above 0: current value is ${value}`);
  }
  return { timeoutMs: Math.min(timeoutMs, MAX_COMMAND_TIMEOUT_MS), maxOutputBytes };
}

/** Checks the text of a command before a shell gets it. @throws {AssistantError} `WORKSPACE_REFUSED` for what no shell can take. */
export function checkCommandText(text: string): void {
  const problem =
    text.trim() === ""
      ? "it is empty"
      : text.includes("\0")
        ? "it holds a NUL character"
        : text.length > MAX_COMMAND_CHARACTERS
          ? `it is longer than ${MAX_COMMAND_CHARACTERS} characters: write it to a file and run that`
          : undefined;
  if (problem !== undefined) throw new AssistantError("WORKSPACE_REFUSED", `Cannot run this command: ${problem}`);
}
