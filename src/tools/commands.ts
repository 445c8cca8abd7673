import { AssistantError } from "../errors.ts";
import type { JsonValue } from "../store/index.ts";

/**
 * How commands run. `simulated`: an interpreter in this process over the workspace's files; no program of the host is
 * started. `sandboxed`: a real shell inside the system's own sandbox. `host`: a real shell with the rights of this
 * process, inside a sandbox only if there is one.
 */
export type CommandMode = "simulated" | "sandboxed" | "host";

/** How one command runs. */
export interface CommandOptions {
  /** Folder of the workspace to start in. Default the workspace's own. */
  readonly cwd?: string;
  /** Environment variables besides the few that every command gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds after which the command is killed. Default 60_000, at most 600_000. */
  readonly timeoutMs?: number;
  /** Bytes of stdout, and bytes of stderr, that are kept: the beginning and the end. Default 65_536. */
  readonly maxOutputBytes?: number;
  /** Kills the command when it aborts. */
  readonly signal?: AbortSignal;
}

/** Result of a command. */
export interface CommandResult {
  /**
   * Decoded as text; bytes that are not UTF-8 are replaced. Where the middle was left out, a line says how many bytes
   * it had.
   */
  readonly stdout: string;
  /** As `stdout`. */
  readonly stderr: string;
  /** 0 is success. 124 after a timeout, 128 and the signal's number when a signal ended it. */
  readonly exitCode: number;
  /** Whether it was killed at the end of `timeoutMs`. */
  readonly timedOut: boolean;
  /** Whether output was left out, or the command was killed for writing far too much. */
  readonly truncated: boolean;
  /**
   * The limit of `exec.limits` that the command exceeded, with its value and who can raise it; absent if it exceeded
   * none.
   */
  readonly limit?: string;
}

/** Whether commands can run here. Determined once at start. */
export type CommandSupport =
  | {
      readonly ok: true;
      /** Languages that `runCode` takes, as `bash`, `javascript`, `python`; only those that run behind a boundary. */
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
 * Contract of `run` and `runCode`: a command writes nothing outside the workspace, and reads outside of it only what
 * the mode's boundary shows; the mode `host` without a sandbox promises neither. Standard input is empty. Both
 * resolve, with any exit code, when the command and all processes that it started have ended; after a timeout these
 * are ended first. When `signal` aborts, both end the processes in the same way and then reject with its reason.
 * A command that is refused before it runs throws `AssistantError` `WORKSPACE_REFUSED` with a sentence for the model.
 *
 * Source: docs/exec.md.
 */
export interface CommandRunner {
  /** `simulated`: an interpreter. `sandboxed`: the system's sandbox. `host`: programs of this machine. */
  readonly mode: CommandMode;
  /** Warnings for people before the first command runs; logged at start. */
  readonly warnings: readonly string[];
  /**
   * What decides the effect of a command besides its text: the folder, the sandbox, the network. Absent if none of it
   * can change.
   */
  readonly boundTo?: { readonly [name: string]: JsonValue };
  /**
   * Asks the guard about a command, without running it. Absent if there is no guard, since commands cannot leave the
   * workspace.
   * Contract: never throws; `commands` are the simple commands in it, their words resolved.
   */
  judge?(
    command: string,
  ): Promise<
    { readonly ok: true; readonly commands: readonly string[] } | { readonly ok: false; readonly reason: string }
  >;
  /**
   * Reports whether commands can run. Contract: never throws, is cheap after the first call, and starts nothing that
   * keeps running.
   */
  inspect(): Promise<CommandSupport>;
  /** Runs one or more lines of shell. */
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
/** Longest command or program, in characters. */
const MAX_COMMAND_CHARACTERS = 100_000;

/** Returns options with their defaults; `timeoutMs` is capped. */
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
