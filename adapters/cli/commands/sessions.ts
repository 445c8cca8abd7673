import { open, readFile, unlink } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { type SessionSettings, type SessionSummaryText, messageOf } from "../../../kit.ts";
import { type Arguments, type Command, textOf } from "../command.ts";
import { EXIT, ExitError, UsageError } from "../exit-codes.ts";
import { askSource, onSource, sourceArgs } from "../source-args.ts";
import { isTaken, plainJson, printJson, printLine, styled, type Terminal } from "../terminal.ts";
import { entryLine, printable } from "../transcript-lines.ts";

function limitOf(args: Arguments, standard: number): number {
  const text = textOf(args, "limit");
  if (text === undefined) return standard;
  if (!/^[1-9]\d*$/.test(text) || Number(text) > 1000)
    throw new UsageError(`--limit must be a whole number from 1 to 1000, not ${JSON.stringify(text)}`);
  return Number(text);
}

const listCommand: Command = {
  meta: { name: "sessions list", description: "List conversations, sorted by key" },
  args: {
    ...sourceArgs,
    after: { type: "string", description: "Only keys after this one", valueHint: "key" },
    limit: { type: "string", description: "Maximum number of conversations (default: 100)", valueHint: "number" },
  },
  async run(args, terminal) {
    const [after, limit] = [textOf(args, "after"), limitOf(args, 100)];
    return askSource(args, terminal, async ({ sessions }) => {
      const found = await sessions.list({ limit, ...(after !== undefined && { after }) });
      if (args["json"]) printJson(terminal, { sessions: found });
      else if (found.length === 0) printLine(terminal.stdout, "No conversations yet");
      else
        for (const { key, records, lastAtMs, title = "" } of found) {
          const last = lastAtMs === undefined ? "" : `, last ${new Date(lastAtMs).toISOString()}`;
          const about = styled(terminal, "dim", `${records} records${last}`);
          printLine(terminal.stdout, `${printable(key)}  ${about}${title === "" ? "" : `  ${printable(title)}`}`);
        }
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
    limit: { type: "string", description: "Number of newest entries to show (default: 200)", valueHint: "number" },
  },
  async run(args, terminal) {
    const [key, limit] = [textOf(args, "key") ?? "", limitOf(args, 200)];
    return askSource(args, terminal, async ({ sessions }) => {
      const found = await sessions.show(key, { limit });
      if (found === null) throw missing(key);
      if (args["json"]) printJson(terminal, found);
      else for (const entry of found.entries) printLine(terminal.stdout, entryLine(entry, terminal));
      return EXIT.ok;
    });
  },
};

const deleteCommand: Command = {
  meta: { name: "sessions delete", description: "Delete a conversation and everything in it" },
  args: { ...keyArg, ...sourceArgs },
  run: (args, terminal) =>
    onSource(args, terminal, async ({ sessions }) => {
      const key = textOf(args, "key") ?? "";
      if (!(await sessions.remove(key))) throw missing(key);
      if (args["json"]) printJson(terminal, { deleted: key });
      else printLine(terminal.stdout, `Deleted ${key}`);
      return EXIT.ok;
    }),
};

const exportCommand: Command = {
  meta: { name: "sessions export", description: "Export a conversation to standard output or to a file" },
  args: {
    ...keyArg,
    ...sourceArgs,
    format: {
      type: "string",
      description: "markdown, for reading, or jsonl, its records (default: markdown)",
      valueHint: "format",
    },
    output: { type: "string", description: "New file to write instead of standard output", valueHint: "file" },
  },
  async run(args, terminal) {
    const key = textOf(args, "key") ?? "";
    const format = textOf(args, "format") ?? (args["json"] ? "jsonl" : "markdown");
    if (format !== "markdown" && format !== "jsonl")
      throw new UsageError(`--format must be markdown or jsonl, not ${JSON.stringify(format)}`);
    const output = textOf(args, "output");
    return askSource(args, terminal, async ({ sessions }) => {
      const pieces = await sessions.export(key, { format });
      if (pieces === null) throw missing(key);
      if (output === undefined) {
        // A file or another program gets the text unchanged.
        const plain = !terminal.screen ? String : format === "jsonl" ? plainJson : printable;
        for await (const piece of pieces) if (!(await isTaken(terminal.stdout, plain(piece)))) break;
        return EXIT.ok;
      }
      const file = resolve(terminal.cwd, output);
      await writeNewFile(file, pieces);
      if (args["json"]) printJson(terminal, { exported: key, format, file });
      else printLine(terminal.stdout, `Exported ${key} to ${file}`);
      return EXIT.ok;
    });
  },
};

const summaryCommand: Command = {
  meta: { name: "sessions summary", description: "Show the summaries of a conversation, or replace the newest" },
  args: {
    ...keyArg,
    ...sourceArgs,
    edit: {
      type: "string",
      description: "File with the text that replaces the newest summary; - is standard input",
      valueHint: "file",
    },
  },
  async run(args, terminal) {
    const [key, edit] = [textOf(args, "key") ?? "", textOf(args, "edit")];
    const text = edit === undefined ? undefined : await textFrom(edit, terminal);
    const on = text === undefined ? askSource : onSource;
    return on(args, terminal, async ({ sessions }) => {
      if (text !== undefined) await sessions.editSummary(key, text, { by: "cli" });
      const summaries = await sessions.summaries(key);
      if (args["json"]) printJson(terminal, { summaries });
      else if (summaries.length === 0) printLine(terminal.stdout, "No summaries yet");
      else for (const summary of summaries) printLine(terminal.stdout, summaryEntry(summary, terminal));
      return EXIT.ok;
    });
  },
};

const setCommand: Command = {
  meta: { name: "sessions set", description: "Show or change the settings of a conversation" },
  args: {
    ...keyArg,
    ...sourceArgs,
    "queue-mode": {
      type: "string",
      description: "collect, followup, steer or interrupt; default uses the configured mode",
      valueHint: "mode",
    },
    model: {
      type: "string",
      description: "provider/model to ask first; default uses the configured model",
      valueHint: "name",
    },
  },
  async run(args, terminal) {
    const key = textOf(args, "key") ?? "";
    const [queueMode, model] = [ownOf(args, "queue-mode"), ownOf(args, "model")];
    // The server or the assistant checks modes and models, since it knows them.
    const change = { ...(queueMode !== undefined && { queueMode }), ...(model !== undefined && { model }) };
    const on = Object.keys(change).length === 0 ? askSource : onSource;
    return on(args, terminal, async ({ sessions }) => {
      const own =
        Object.keys(change).length === 0
          ? await sessions.settings(key)
          : await sessions.configure(key, change as SessionSettings, { by: "cli" });
      if (args["json"]) printJson(terminal, own);
      else {
        printLine(terminal.stdout, `queue mode: ${own.queueMode ?? "as configured"}`);
        printLine(terminal.stdout, `model: ${own.model ?? "as configured"}`);
      }
      return EXIT.ok;
    });
  },
};

export const sessionsCommand: Command = {
  meta: { name: "sessions", description: "List, show, export, change or delete conversations" },
  subCommands: {
    list: async () => listCommand,
    show: async () => showCommand,
    export: async () => exportCommand,
    delete: async () => deleteCommand,
    summary: async () => summaryCommand,
    set: async () => setCommand,
  },
  standard: "list",
};

/** `default` removes a setting. */
function ownOf(args: Arguments, name: string): string | null | undefined {
  const value = textOf(args, name);
  return value === "default" ? null : value;
}

function summaryEntry(summary: SessionSummaryText, terminal: Terminal): string {
  const { atMs, summary: text, turns, reason, by, problem } = summary;
  const entry = { type: "summary", seq: summary.seq, atMs, text, turns, edited: reason === "edit" } as const;
  return entryLine({ ...entry, ...(by !== undefined && { by }), ...(problem !== undefined && { problem }) }, terminal);
}

async function textFrom(name: string, terminal: Terminal): Promise<string> {
  if (name === "-") return text(terminal.stdin);
  const path = resolve(terminal.cwd, name);
  return readFile(path, "utf8").catch((cause: unknown) => {
    throw new UsageError(`--edit: ${path} cannot be read (${messageOf(cause)})`, { cause });
  });
}

/** Writes a file that only this user can read, since conversations are private. An incomplete file is removed. */
async function writeNewFile(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const file = await open(path, "wx", 0o600).catch((cause: unknown) => {
    if (isCode(cause, "EEXIST"))
      throw new UsageError(`${path} already exists and was not changed: name a file that does not exist yet`, {
        cause,
      });
    throw new ExitError(EXIT.failed, `${path} cannot be written (${messageOf(cause)})`);
  });
  try {
    for await (const piece of pieces) await file.write(piece);
  } catch (error) {
    await file.close();
    await unlink(path).catch(() => undefined);
    throw error;
  }
  await file.close();
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function missing(key: string): ExitError {
  return new ExitError(EXIT.failed, `There is no conversation ${JSON.stringify(key)}: wakeful sessions lists them`);
}
