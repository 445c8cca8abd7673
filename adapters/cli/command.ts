import type { ArgsDef } from "citty";
import type { Terminal } from "./terminal.ts";

/** Parsed arguments by name: text, yes or no, or not given. */
export type Arguments = Readonly<Record<string, string | boolean | undefined>>;

/** One command of the program. */
export interface Command {
  readonly meta: { readonly name: string; readonly description: string };
  readonly args?: ArgsDef;
  /** By name; loaded when asked for, so that a command starts without the others. */
  readonly subCommands?: Readonly<Record<string, () => Promise<Command>>>;
  /** Which of them runs when none is named. */
  readonly standard?: string;
  /** Words beyond its positional arguments are no mistake: they are handed to `run`. */
  readonly takesMore?: boolean;
  /** The option that may be given again and again: each of its values is one of the words that are handed to `run`. */
  readonly many?: string;
  /**
   * @param more Words beyond the positional arguments.
   * @returns The exit code.
   */
  run?(args: Arguments, terminal: Terminal, more?: readonly string[]): Promise<number>;
}

/** What every command that reads the configuration takes. */
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
