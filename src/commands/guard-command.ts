import { type CommandDanger, type Finding, shorten } from "./finding.ts";
import type { Platform } from "../platform.ts";
import { guardPath } from "../guard/index.ts";
import { walkCommand } from "./walk.ts";

/** Options of `guardCommand`. */
export interface GuardCommandOptions {
  /** The workspace's absolute root. */
  readonly workspace: string;
  /**
   * `restricted`: nothing of the deny list, no path outside the workspace, no network, nothing that cannot be judged. `open`: only the deny
   * list. Default `restricted`.
   */
  readonly mode?: "restricted" | "open";
  /** The folder the command starts in: absolute under the workspace, or relative to it. Default: the workspace itself. */
  readonly cwd?: string;
  /** Absolute paths of files and folders of the assistant itself, as its data folder and configuration: no command touches them, in any mode. */
  readonly protectedPaths?: readonly string[];
}

/** Whether a command may run, or why not. */
export type GuardedCommand =
  | { readonly ok: true; readonly commands: readonly string[] }
  | {
      readonly ok: false;
      /** One sentence: the part that is meant, what is wrong with it, what would be allowed. */
      readonly reason: string;
      /** The part of the text that is meant. */
      readonly offending: string;
      readonly danger: CommandDanger;
      readonly commands: readonly string[];
    };

/** Longest command in characters. */
const MAX_LENGTH = 64 * 1024;
/** The parser reads on from every substitution that is open: openings times length bounds its work. */
const MAX_WORK = 1_500_000;
const OPENINGS = /[$<>]\(|\$\{|\$\[|<<|[?*+@!]\(|[^\s\w]\(|\bcoproc\b|\bfunction\b/gu;
/** Control characters, and those that change the direction in which people read a text. */
const DECEIVING = /(?![\t\n\r])\p{Cc}|[\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/**
 * Judges a shell command before it runs. It reads the command as bash would and judges every simple command in it: in branches,
 * substitutions, functions, and in texts for another shell. It is advice and no boundary: what a program does once it runs is not seen, nor
 * are links. Run commands inside the operating system's sandbox where there is one.
 *
 * Source: docs/guards-commands.md.
 *
 * @param shellParser Asked for the grammar only when there is something to read.
 * @returns Whether it may run, and each simple command found, its words resolved. Never throws, whatever `command` is.
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
    // The parser runs out of stack on texts that are nested without end.
    return limit("it is nested too deeply to be read", "write it more simply");
  }
}
