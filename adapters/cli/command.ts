import type { ArgsDef } from "citty";
import type { Terminal } from "./terminal.ts";

/** Parsed arguments by name: a text, a boolean, or `undefined` when not given. */
export type Arguments = Readonly<Record<string, string | boolean | undefined>>;

/** One command of the program. */
export interface Command {
  readonly meta: { readonly name: string; readonly description: string };
  readonly args?: ArgsDef;
  /** By name. Loaded on demand, so that a command starts without the others. */
  readonly subCommands?: Readonly<Record<string, () => Promise<Command>>>;
  /** The subcommand that runs when none is named. */
  readonly standard?: string;
  /** Accepts words beyond the positional arguments and passes them to `run`. */
  readonly takesMore?: boolean;
  /** The repeatable option. Each of its values is passed to `run` as a word. */
  readonly many?: string;
  /**
   * @param more Words beyond the positional arguments.
   * @returns The exit code.
   */
  run?(args: Arguments, terminal: Terminal, more?: readonly string[]): Promise<number>;
}

/** Options of every command that reads the configuration. */
export const settingsArgs = {
  config: { type: "string", description: "The configuration file", valueHint: "file" },
  data: { type: "string", description: "The data folder", valueHint: "folder" },
} as const satisfies ArgsDef;

export const jsonArg = {
  json: { type: "boolean", description: "Print JSON, for programs" },
} as const satisfies ArgsDef;

export function textOf(args: Arguments, name: string): string | undefined {
  const value = args[name];
  return typeof value === "string" ? value : undefined;
}

export function settingsOf(args: Arguments): {
  readonly config: string | undefined;
  readonly data: string | undefined;
} {
  return { config: textOf(args, "config"), data: textOf(args, "data") };
}
