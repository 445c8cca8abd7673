import type { TranscriptEntry } from "../../../mod.ts";
import { type Arguments, type Command, jsonArg, settingsArgs, settingsOf, textOf } from "../command.ts";
import { EXIT, ExitError, UsageError } from "../exit-codes.ts";
import { type Source, withSource } from "../remote.ts";
import { readSettings } from "../settings.ts";
import { printJson, printLine, styled, type Terminal } from "../terminal.ts";

const sourceArgs = {
  ...settingsArgs,
  ...jsonArg,
  url: { type: "string", description: "A running server to ask, instead of the store", valueHint: "address" },
  token: { type: "string", description: "The owner's token, when a running server is asked", valueHint: "token" },
} as const;

function limitOf(args: Arguments, standard: number): number {
  const text = textOf(args, "limit");
  if (text === undefined) return standard;
  if (!/^[1-9]\d*$/.test(text) || Number(text) > 1000)
    throw new UsageError(`--limit must be a whole number from 1 to 1000, not ${JSON.stringify(text)}`);
  return Number(text);
}

function onSessions<T>(args: Arguments, terminal: Terminal, use: (source: Source) => Promise<T>): Promise<T> {
  const settings = readSettings(settingsOf(args), terminal);
  return withSource(settings, terminal, { url: textOf(args, "url"), token: textOf(args, "token") }, use);
}

const listCommand: Command = {
  meta: { name: "sessions list", description: "List the conversations in the order of their keys" },
  args: {
    ...sourceArgs,
    after: { type: "string", description: "Only keys after this one", valueHint: "key" },
    limit: { type: "string", description: "At most so many; 100 when left out", valueHint: "number" },
  },
  async run(args, terminal) {
    const [after, limit] = [textOf(args, "after"), limitOf(args, 100)];
    return onSessions(args, terminal, async ({ sessions }) => {
      const found = await sessions.list({ limit, ...(after !== undefined && { after }) });
      if (args["json"]) printJson(terminal, { sessions: found });
      else if (found.length === 0) printLine(terminal.stdout, "No conversations yet");
      else
        for (const { key, records, lastAtMs } of found)
          printLine(
            terminal.stdout,
            `${key}  ${styled(terminal, "dim", `${records} records${lastAtMs === undefined ? "" : `, last ${new Date(lastAtMs).toISOString()}`}`)}`,
          );
      return EXIT.ok;
    });
  },
};

const keyArg = {
  key: { type: "positional", description: "The conversation's key, as `wakeful sessions` lists it" },
} as const;

const showCommand: Command = {
  meta: { name: "sessions show", description: "Show what was said in a conversation" },
  args: {
    ...keyArg,
    ...sourceArgs,
    limit: { type: "string", description: "The newest so many entries; 200 when left out", valueHint: "number" },
  },
  async run(args, terminal) {
    const [key, limit] = [textOf(args, "key") ?? "", limitOf(args, 200)];
    return onSessions(args, terminal, async ({ sessions }) => {
      const found = await sessions.show(key, { limit });
      if (found === null) throw missing(key);
      if (args["json"]) printJson(terminal, found);
      else for (const entry of found.entries) printLine(terminal.stdout, entryLine(entry, terminal));
      return EXIT.ok;
    });
  },
};

const deleteCommand: Command = {
  meta: { name: "sessions delete", description: "Remove a conversation with everything in it" },
  args: { ...keyArg, ...sourceArgs },
  run: (args, terminal) =>
    onSessions(args, terminal, async ({ sessions }) => {
      const key = textOf(args, "key") ?? "";
      if (!(await sessions.remove(key))) throw missing(key);
      if (args["json"]) printJson(terminal, { deleted: key });
      else printLine(terminal.stdout, `Deleted ${key}`);
      return EXIT.ok;
    }),
};

export const sessionsCommand: Command = {
  meta: { name: "sessions", description: "List, show or delete conversations" },
  subCommands: { list: async () => listCommand, show: async () => showCommand, delete: async () => deleteCommand },
  standard: "list",
};

function missing(key: string): ExitError {
  return new ExitError(EXIT.failed, `There is no conversation ${JSON.stringify(key)}: wakeful sessions lists them`);
}

function entryLine(entry: TranscriptEntry, terminal: Terminal): string {
  const time = styled(terminal, "dim", new Date(entry.atMs).toISOString().slice(0, 19).replace("T", " "));
  if (entry.type === "user") return `${time} ${styled(terminal, "cyan", entry.user)}: ${entry.text}`;
  if (entry.type === "note") return `${time} ${styled(terminal, "dim", `(${entry.source}) ${entry.text}`)}`;
  if (entry.type === "tool")
    return `${time} ${styled(terminal, "dim", `· ${entry.name} ${entry.error?.message ?? JSON.stringify(entry.output ?? null)}`)}`;
  const text =
    entry.error === undefined ? entry.text : `${entry.text} ${styled(terminal, "red", `(${entry.error.message})`)}`;
  return `${time} ${styled(terminal, "green", "assistant")}: ${text}`;
}
