import { type Arguments, jsonArg, settingsArgs, settingsOf, textOf } from "./command.ts";
import { tellNotBegun } from "./data-place.ts";
import { type Source, withSource } from "./remote.ts";
import { readSettings } from "./settings.ts";
import type { Terminal } from "./terminal.ts";

/** Arguments of commands that read or change an assistant's data, in its store or through the server that has it open. */
export const sourceArgs = {
  ...settingsArgs,
  ...jsonArg,
  url: { type: "string", description: "Address of a running server to ask instead of the store", valueHint: "address" },
  token: { type: "string", description: "The owner's token for the running server", valueHint: "token" },
} as const;

export async function onSource<T>(
  args: Arguments,
  terminal: Terminal,
  use: (source: Source) => Promise<T>,
  /** `asks`: the command only reads, so it creates nothing. */
  options: { readonly asks?: boolean } = {},
): Promise<T> {
  const settings = readSettings(settingsOf(args), terminal);
  const given = { url: textOf(args, "url"), token: textOf(args, "token") };
  if (options.asks && given.url === undefined && args["json"] !== true) tellNotBegun(settings, terminal);
  return withSource(settings, terminal, given, use, options);
}

/** For a command that only reads: if there is no data yet, it says so and how to begin, and creates nothing. */
export function askSource<T>(args: Arguments, terminal: Terminal, use: (source: Source) => Promise<T>): Promise<T> {
  return onSource(args, terminal, use, { asks: true });
}
