import { type Arguments, jsonArg, settingsArgs, settingsOf, textOf } from "./command.ts";
import { type Source, withSource } from "./remote.ts";
import { readSettings } from "./settings.ts";
import type { Terminal } from "./terminal.ts";

/** Of commands that read or change what an assistant keeps: in its store, or through a server that has it open. */
export const sourceArgs = {
  ...settingsArgs,
  ...jsonArg,
  url: { type: "string", description: "A running server to ask, instead of the store", valueHint: "address" },
  token: { type: "string", description: "The owner's token, when a running server is asked", valueHint: "token" },
} as const;

export function onSource<T>(args: Arguments, terminal: Terminal, use: (source: Source) => Promise<T>): Promise<T> {
  const settings = readSettings(settingsOf(args), terminal);
  return withSource(settings, terminal, { url: textOf(args, "url"), token: textOf(args, "token") }, use);
}
