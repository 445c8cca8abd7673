import { type CommandDanger, type Finding, shorten } from "./finding.ts";
import type { Platform } from "../platform.ts";
import { guardPath } from "../guard/index.ts";
import { walkCommand } from "./walk.ts";

/** Options of `guardCommand`. */
export interface GuardCommandOptions {
  /** Absolute root of the workspace. */
  readonly workspace: string;
  /**
   * `restricted` refuses the deny list, paths outside the workspace, network access, and everything that cannot be
   * judged. `open` refuses only the deny list. Default `restricted`.
   */
  readonly mode?: "restricted" | "open";
  /**
   * Working directory of the command: absolute under the workspace, or relative to it. Default: the workspace itself.
   */
  readonly cwd?: string;
  /**
   * Absolute paths of the assistant's own files and folders, such as its data folder and configuration. No command
   * may touch them, in any mode.
   */
  readonly protectedPaths?: readonly string[];
}

/** Whether a command may run, and the reason if not. */
export type GuardedCommand =
  | { readonly ok: true; readonly commands: readonly string[] }
  | {
      readonly ok: false;
      /** One sentence: the refused part, the reason, and what is allowed instead. */
      readonly reason: string;
      /** The refused part of the text. */
      readonly offending: string;
      readonly danger: CommandDanger;
      readonly commands: readonly string[];
    };

/** Longest command, in characters. */
const MAX_LENGTH = 64 * 1024;
/** Bound on the parser's work, which reads on from every open substitution: number of openings times length. */
const MAX_WORK = 1_500_000;
const OPENINGS = /[$<>]\(|\$\{|\$\[|<<|[?*+@!]\(|[^\s\w]\(|\bcoproc\b|\bfunction\b/gu;
/** Control characters, and characters that change the direction in which people read a text. */
const DECEIVING = /(?![\t\n\r])\p{Cc}|[\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/**
 * Judges a shell command before it runs. It reads the command as bash would and judges every simple command in it: in
 * branches, substitutions, functions, and texts for another shell. The result is advice, not a boundary: it does not
 * see what a program does once it runs, nor does it see links. Run commands inside the operating system's sandbox if
 * there is one.
 *
 * Source: docs/guards-commands.md.
 *
 * @param shellParser Returns the grammar; called only if there is something to read.
 * @returns Whether the command may run, and each simple command in it, with its words resolved. Never throws, for any
 * `command`.
 * @example
 * ```ts
 * guardCommand("ls -la | head", { workspace: "/srv/workspace" }); // { ok: true, commands: ["ls -la", "head"] }
 * guardCommand("cat notes.md; rm -rf ~", { workspace: "/srv/workspace" });
 * // { ok: false, reason: 'Cannot run "rm -rf ~": it deletes everything under "~"; …', offending: "rm -rf ~", danger: "disk", commands: […] }
 * ```
 */
export function guardCommand(
  command: string,
  options: GuardCommandOptions,
  shellParser: Platform["shellParser"],
): GuardedCommand {
  const { workspace, mode = "restricted", cwd = ".", protectedPaths = [] } = options;
  const refuse = (finding: Finding, commands: readonly string[] = []): GuardedCommand => {
    const offending = shorten(finding.offending);
    return {
      ok: false,
      reason: `Cannot run ${JSON.stringify(offending)}: ${finding.why}; ${finding.instead}`,
      offending,
      danger: finding.danger,
      commands,
    };
  };
  const limit = (why: string, instead: string) =>
    refuse({ danger: "limit", offending: typeof command === "string" ? command.slice(0, 300) : "", why, instead });

  if (typeof command !== "string")
    return limit(`a command is a text, not ${typeof command}`, "write the command as one text");
  if (command.trim() === "") return limit("it is empty", "write a command");
  if (command.length > MAX_LENGTH)
    return limit(`it is longer than ${MAX_LENGTH} characters`, "put long texts into a file of the workspace");
  if (DECEIVING.test(command))
    return limit(
      "it holds control characters or invisible ones",
      "write visible characters, and \\n or \\t in quotes where a program needs them",
    );
  if ((command.match(OPENINGS)?.length ?? 0) * command.length > MAX_WORK)
    return limit("it has too many substitutions for its length", "run it in parts");
  const folder = guardPath(cwd, { root: workspace });
  if (!folder.ok && mode === "restricted")
    return refuse({
      danger: "outside the workspace",
      offending: cwd,
      why: "the folder to run in is not in the workspace",
      instead: "start in a folder of the workspace",
    });

  try {
    const { finding, commands } = walkCommand(command.replaceAll("\r\n", "\n"), {
      parser: shellParser(),
      mode,
      root: workspace,
      folder: folder.ok ? folder.path : cwd,
      protectedPaths,
    });
    return finding === undefined ? { ok: true, commands } : refuse(finding, commands);
  } catch {
    // The parser overflows the stack on extremely nested texts.
    return limit("it is nested too deeply to be read", "write it more simply");
  }
}
