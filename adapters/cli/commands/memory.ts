import { text } from "node:stream/consumers";
import { type Arguments, type Command, textOf } from "../command.ts";
import { counted } from "../counted.ts";
import { EXIT, ExitError, UsageError } from "../exit-codes.ts";
import type { EntryRow, MemoryClient } from "../memory-client.ts";
import { editText } from "../edit-text.ts";
import { askSource, onSource, sourceArgs } from "../source-args.ts";
import { printJson, printLine, styled, type Terminal } from "../terminal.ts";
import { printable, shown } from "../transcript-lines.ts";

/** Longest line of a list, in characters. */
const LINE_CHARS = 120;

export const userArg = {
  user: {
    type: "string",
    description: "User whose memory it is: @name, channel:id or group:channel:id (default: the owner)",
    valueHint: "user",
  },
} as const;
const idArg = { id: { type: "positional", description: "The entry's id, as `wakeful memory list` shows it" } } as const;
const common = { ...userArg, ...sourceArgs } as const;

/** Runs on the store, or on the server that has it open. */
export function onMemory(
  args: Arguments,
  terminal: Terminal,
  use: (memory: MemoryClient, user: string | undefined) => Promise<void>,
  on = onSource<number>,
): Promise<number> {
  return on(args, terminal, async ({ memory }) => {
    await use(memory, textOf(args, "user"));
    return EXIT.ok;
  });
}

/** `onMemory` for commands that change nothing. */
export function askMemory(...[args, terminal, use]: Parameters<typeof onMemory>): Promise<number> {
  return onMemory(args, terminal, use, askSource);
}

function limitOf(args: Arguments, most: number): number | undefined {
  const given = textOf(args, "limit");
  if (given === undefined) return undefined;
  if (!/^[1-9]\d*$/.test(given) || Number(given) > most)
    throw new UsageError(`--limit must be a whole number from 1 to ${most}, not ${JSON.stringify(given)}`);
  return Number(given);
}

const listCommand: Command = {
  meta: { name: "memory list", description: "List what is remembered about a user, newest first" },
  args: {
    ...common,
    limit: { type: "string", description: "Maximum number of entries (default: 50)", valueHint: "number" },
    type: { type: "string", description: "Only entries of this type, such as statement", valueHint: "type" },
    archived: { type: "boolean", description: "List archived entries instead" },
  },
  run: (args, terminal) => {
    const limit = limitOf(args, 1000);
    return askMemory(args, terminal, async (memory, user) => {
      const archived = args["archived"] === true;
      const type = textOf(args, "type");
      const found = await memory.list(user, { ...(limit && { limit }), archived, type });
      if (args["json"]) printJson(terminal, found);
      else if (found.entries.length === 0) {
        const state = archived ? "archived entries" : "entries";
        const kind = type === undefined ? "" : ` of the type ${type}`;
        printLine(terminal.stdout, printable(`No ${state}${kind} for ${found.user}`));
      } else for (const entry of found.entries) printLine(terminal.stdout, entryLine(entry, terminal));
    });
  },
};

const searchCommand: Command = {
  meta: { name: "memory search", description: "Search what is remembered, and show why each entry was found" },
  args: {
    query: { type: "positional", description: "Words to search for" },
    ...common,
    limit: { type: "string", description: "Maximum number of results (default: 5)", valueHint: "number" },
  },
  run: (args, terminal) => {
    const limit = limitOf(args, 100);
    return askMemory(args, terminal, async (memory, user) => {
      const found = await memory.search(user, textOf(args, "query") ?? "", limit);
      if (args["json"]) return printJson(terminal, found);
      if (found.hits.length === 0) printLine(terminal.stdout, "No matching entries");
      for (const { entry, score, layer, signals } of found.hits) {
        const why = Object.entries(signals).map(([name, value]) => `${name} ${value.toFixed(2)}`);
        printLine(terminal.stdout, entryLine(entry, terminal));
        printLine(
          terminal.stdout,
          styled(terminal, "dim", `  ${[layer, `score ${score.toFixed(2)}`, ...why].join(", ")}`),
        );
      }
    });
  },
};

const showCommand: Command = {
  meta: { name: "memory show", description: "Show an entry, MEMORY.md, or a day such as 2026-02-01" },
  args: { what: { type: "positional", description: "An id, MEMORY.md, or a day" }, ...common },
  run: (args, terminal) =>
    askMemory(args, terminal, async (memory, user) => {
      const what = textOf(args, "what") ?? "";
      if (isFile(what)) {
        const found = await memory.file(user, what);
        if (!found) throw new ExitError(EXIT.failed, `There is no ${what} in this memory`);
        if (args["json"]) printJson(terminal, found);
        else terminal.stdout.write(shown(found.text, terminal));
        return;
      }
      const entry = await memory.get(user, what);
      if (args["json"]) return printJson(terminal, entry);
      const { content, ...rest } = entry;
      for (const [name, value] of Object.entries(rest))
        printLine(terminal.stdout, styled(terminal, "dim", printable(`${name}: ${plain(value)}`)));
      printLine(terminal.stdout, `\n${shown(content, terminal)}`);
    }),
};

const saveCommand: Command = {
  meta: { name: "memory save", description: "Remember a text" },
  args: {
    content: { type: "positional", description: "What to remember" },
    ...common,
    keywords: { type: "string", description: "Words to find it by, separated by commas", valueHint: "words" },
  },
  run: (args, terminal) =>
    onMemory(args, terminal, async (memory, user) => {
      const keywords = (textOf(args, "keywords") ?? "").split(",").flatMap((word) => word.trim() || []);
      const entry = await memory.save({
        user,
        content: textOf(args, "content") ?? "",
        ...(keywords.length > 0 && { keywords }),
      });
      if (args["json"]) printJson(terminal, entry);
      else {
        const did = entry.already_there ? "Already remembered:" : "Remembered";
        printLine(terminal.stdout, `${did} ${printable(entry.id)} of ${printable(entry.user_id)}`);
      }
    }),
};

const editCommand: Command = {
  meta: {
    name: "memory edit",
    description: "Change an entry, MEMORY.md or a day, in $EDITOR or from the command line",
  },
  args: {
    what: { type: "positional", description: "An id, MEMORY.md, or a day" },
    ...common,
    content: {
      type: "string",
      description: "The new text; - is standard input (default: open $EDITOR)",
      valueHint: "text",
    },
  },
  run: (args, terminal) =>
    onMemory(args, terminal, async (memory, user) => {
      const what = textOf(args, "what") ?? "";
      const file = isFile(what) ? await memory.file(user, what) : undefined;
      const entry = file === undefined ? await memory.get(user, what) : undefined;
      const before = entry?.content ?? file?.text ?? "";
      const after = await newText(args, terminal, before);
      if (after === before) {
        if (args["json"]) printJson(terminal, entry ?? file ?? null);
        else printLine(terminal.stdout, "Nothing was changed");
        return;
      }
      // Replaces only the version that was read, so that another change in the meantime stays.
      const now = entry
        ? await memory.edit(user, entry.id, after, entry.updated_at)
        : await memory.writeFile(user, what, after, file?.version ?? null);
      if (args["json"]) printJson(terminal, now);
      else printLine(terminal.stdout, `Changed ${printable(what)}`);
    }),
};

async function newText(args: Arguments, terminal: Terminal, before: string): Promise<string> {
  const given = textOf(args, "content");
  if (given === "-") return text(terminal.stdin);
  return given ?? editText(before, terminal);
}

function moveCommand(act: "archive" | "restore", description: string): Command {
  return {
    meta: { name: `memory ${act}`, description },
    args: { ...idArg, ...common },
    run: (args, terminal) =>
      onMemory(args, terminal, async (memory, user) => {
        const entry = await memory.move(act, user, textOf(args, "id") ?? "");
        if (args["json"]) printJson(terminal, entry);
        else printLine(terminal.stdout, `${act === "archive" ? "Archived" : "Restored"} ${printable(entry.id)}`);
      }),
  };
}

const removeCommand: Command = {
  meta: { name: "memory remove", description: "Remove an entry for good" },
  args: { ...idArg, ...common },
  run: (args, terminal) =>
    onMemory(args, terminal, async (memory, user) => {
      const id = textOf(args, "id") ?? "";
      await memory.remove(user, id);
      if (args["json"]) printJson(terminal, { removed: id });
      else printLine(terminal.stdout, `Removed ${printable(id)}`);
    }),
};

const usersCommand: Command = {
  meta: { name: "memory users", description: "List the users who have a memory" },
  args: sourceArgs,
  run: (args, terminal) =>
    askMemory(args, terminal, async (memory) => {
      const users = await memory.users();
      if (args["json"]) return printJson(terminal, { users });
      if (users.length === 0) printLine(terminal.stdout, "No memories yet");
      for (const { user, entries, archived, days, facts } of users) {
        const held = `${counted(entries, "entry", "entries")}, ${archived} archived, ${counted(days, "day")}, ${counted(facts, "line")} in MEMORY.md`;
        printLine(terminal.stdout, `${printable(user)}  ${styled(terminal, "dim", held)}`);
      }
    }),
};

const digestCommand: Command = {
  meta: { name: "memory digest", description: "Rebuild a day's digest, and add recurring facts to MEMORY.md" },
  args: {
    ...common,
    day: { type: "string", description: "Day such as 2026-02-01 (default: today)", valueHint: "day" },
  },
  run: (args, terminal) =>
    onMemory(args, terminal, async (memory, user) => {
      const done = await memory.digest(user, textOf(args, "day"));
      if (args["json"]) return printJson(terminal, done);
      printLine(
        terminal.stdout,
        `${done.day}: ${counted(done.entry_count, "entry", "entries")}, ${counted(done.added.length, "line")} added to MEMORY.md`,
      );
      if (done.text !== undefined) terminal.stdout.write(shown(done.text, terminal));
    }),
};

const problemsCommand: Command = {
  meta: { name: "memory problems", description: "List files of memories that cannot be read" },
  args: sourceArgs,
  run: (args, terminal) =>
    askMemory(args, terminal, async (memory) => {
      const problems = await memory.problems();
      if (args["json"]) return printJson(terminal, { problems });
      if (problems.length === 0) printLine(terminal.stdout, "Every file can be read");
      for (const { file, line, problem } of problems)
        printLine(terminal.stdout, printable(`${file}${line === undefined ? "" : `:${line}`}: ${problem}`));
    }),
};

export const memoryCommand: Command = {
  meta: { name: "memory", description: "Show, search, edit, export or forget what is remembered" },
  subCommands: {
    list: async () => listCommand,
    show: async () => showCommand,
    search: async () => searchCommand,
    save: async () => saveCommand,
    edit: async () => editCommand,
    archive: async () => moveCommand("archive", "Archive an entry: it is kept but no longer recalled"),
    restore: async () => moveCommand("restore", "Restore an entry from the archive"),
    remove: async () => removeCommand,
    users: async () => usersCommand,
    digest: async () => digestCommand,
    problems: async () => problemsCommand,
    tidy: async () => (await import("./memory-whole.ts")).tidyCommand,
    export: async () => (await import("./memory-whole.ts")).exportCommand,
    import: async () => (await import("./memory-whole.ts")).importCommand,
    forget: async () => (await import("./memory-whole.ts")).forgetCommand,
  },
  standard: "list",
};

function isFile(what: string): boolean {
  return what === "MEMORY.md" || /^\d{4}-\d{2}-\d{2}$/.test(what);
}

function entryLine({ id, content, created_at: at }: EntryRow, terminal: Terminal): string {
  const line = Array.from(content.replace(/\s+/gu, " ").trim());
  const cut = line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS).join("")}…` : line.join("");
  return `${styled(terminal, "dim", `${printable(id)}  ${at.slice(0, 10)}`)}  ${printable(cut)}`;
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
