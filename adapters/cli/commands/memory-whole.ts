import { open, readFile, readdir, rename, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { messageOf } from "../../../kit.ts";
import { type Command, textOf } from "../command.ts";
import { counted } from "../counted.ts";
import { EXIT, ExitError, UsageError } from "../exit-codes.ts";
import { sourceArgs } from "../source-args.ts";
import { isTaken, plainJson, printJson, printLine, type Terminal } from "../terminal.ts";
import { printable } from "../transcript-lines.ts";
import { askMemory, onMemory, userArg } from "./memory.ts";

/** Lines per request. */
const LINES_AT_ONCE = 200;
/** Characters per request. The server accepts 8 MiB. */
const CHARS_AT_ONCE = 1_000_000;

/** A progress line that is overwritten on a screen; prints nothing elsewhere. */
function progress(terminal: Terminal) {
  return {
    show(text: string): void {
      if (terminal.screen) terminal.stderr.write(`\r${text}\u001B[K`);
    },
    end(): void {
      if (terminal.screen) terminal.stderr.write("\r\u001B[K");
    },
  };
}

export const tidyCommand: Command = {
  meta: { name: "memory tidy", description: "Archive old entries and merge duplicates, for one user or for everyone" },
  args: {
    ...userArg,
    user: { ...userArg.user, description: "User whose memory it is (default: everyone)" },
    ...sourceArgs,
  },
  run: (args, terminal) =>
    onMemory(args, terminal, async (memory, user) => {
      const line = progress(terminal);
      line.show("Tidying up …");
      const users = await memory.tidy(user, (done, of) => line.show(`Tidying up … ${done} of ${of}`)).finally(line.end);
      if (args["json"]) return printJson(terminal, { users });
      if (users.length === 0) printLine(terminal.stdout, "Nothing is remembered yet");
      for (const { user: whose, archived, merged, kept } of users)
        printLine(terminal.stdout, `${printable(whose)}: ${archived} archived, ${merged} merged, ${kept} kept`);
    }),
};

export const exportCommand: Command = {
  meta: { name: "memory export", description: "Export a memory as JSON lines to standard output or to a file" },
  args: {
    user: { ...userArg.user, description: "User whose memory it is (default: everyone)" },
    ...sourceArgs,
    everything: {
      type: "boolean",
      description: "Also export all other data of the user: goals, jobs, notes, conversations; needs --user",
    },
    output: { type: "string", description: "New file to write instead of standard output", valueHint: "file" },
  },
  run: (args, terminal) =>
    askMemory(args, terminal, async (memory, user) => {
      const output = textOf(args, "output");
      const everything = args["everything"] === true;
      if (everything && user === undefined) throw new UsageError("--everything needs a user: add --user telegram:42");
      const pieces = await memory.export(user, everything);
      if (output === undefined) {
        const plain = terminal.screen ? plainJson : String;
        for await (const piece of pieces) if (!(await isTaken(terminal.stdout, plain(piece)))) break;
        return;
      }
      const path = resolve(terminal.cwd, output);
      const line = progress(terminal);
      let lines = 0;
      // Readable by this user only.
      const taken = await open(path, "wx", 0o600).catch((cause: unknown) => {
        throw new UsageError(`${path} cannot be created (${messageOf(cause)}): name a file that does not exist yet`, {
          cause,
        });
      });
      await taken.close();
      // Written to a temporary file first: half a memory would look like a whole one, also after the process was killed.
      const part = `${path}.part`;
      const file = await open(part, "w", 0o600);
      try {
        for await (const piece of pieces) {
          await file.write(piece);
          lines += piece.split("\n").length - 1;
          line.show(`${lines} lines …`);
        }
        await file.close();
        await rename(part, path);
      } catch (error) {
        await file.close();
        for (const one of [part, path]) await rm(one, { force: true });
        throw error;
      } finally {
        line.end();
      }
      if (args["json"]) printJson(terminal, { exported: user ?? null, lines, file: path });
      else printLine(terminal.stdout, `Exported ${lines} lines to ${path}`);
    }),
};

export const importCommand: Command = {
  meta: {
    name: "memory import",
    description: "Import an export (a .jsonl file), or the workspace of another assistant (a folder)",
  },
  args: {
    from: {
      type: "positional",
      description: "A file written by `wakeful memory export`, or a folder with MEMORY.md and memory/",
    },
    user: {
      ...userArg.user,
      description: "User who gets the memory (default: the users in the export, or the owner for a folder)",
    },
    ...sourceArgs,
  },
  run: (args, terminal) =>
    onMemory(args, terminal, async (memory, user) => {
      const path = resolve(terminal.cwd, textOf(args, "from") ?? "");
      const found = await stat(path).catch((cause: unknown) => {
        throw new UsageError(`${path} cannot be read (${messageOf(cause)})`, { cause });
      });
      const line = progress(terminal);
      if (found.isDirectory()) {
        const files = await workspaceFiles(path);
        if (files.length === 0)
          throw new ExitError(
            EXIT.failed,
            `${path} holds no MEMORY.md and no memory/2026-02-01.md: name the workspace's folder`,
          );
        const total = { facts: 0, entries: 0, known: 0, left_out: [] as { path: string; reason: string }[] };
        for (const [index, file] of files.entries()) {
          line.show(`${index} of ${files.length} files …`);
          const done = await memory.importFiles(user, [file]);
          total.facts += done.facts;
          total.entries += done.entries;
          total.known += done.known;
          total.left_out.push(...done.left_out);
        }
        line.end();
        if (args["json"]) return printJson(terminal, total);
        const { facts, entries, known } = total;
        printLine(
          terminal.stdout,
          `${counted(facts, "line")} of MEMORY.md and ${counted(entries, "entry", "entries")}; already known: ${known}`,
        );
        for (const one of total.left_out) printLine(terminal.stdout, printable(`skipped: ${one.path}: ${one.reason}`));
        return;
      }
      const lines = (await readFile(path, "utf8")).split("\n").filter((one) => one.trim() !== "");
      const users = new Set<string>();
      const kept: string[] = [];
      let [entries, files, unchanged, others] = [0, 0, 0, 0];
      for (let at = 0; at < lines.length;) {
        const batch: string[] = [];
        for (let chars = 0; at < lines.length && batch.length < LINES_AT_ONCE; at += 1) {
          chars += lines[at]?.length ?? 0;
          if (batch.length > 0 && chars > CHARS_AT_ONCE) break;
          batch.push(lines[at] ?? "");
        }
        line.show(`${at} of ${lines.length} lines …`);
        const done = await memory.importLines(user, batch);
        entries += done.entries;
        files += done.files;
        unchanged += done.unchanged;
        others += done.others ?? 0;
        kept.push(...done.kept);
        for (const whose of done.users) users.add(whose);
      }
      line.end();
      if (args["json"])
        return printJson(terminal, {
          entries,
          files,
          unchanged,
          kept,
          ...(others > 0 && { others }),
          users: [...users],
        });
      printLine(
        terminal.stdout,
        `${counted(entries, "entry", "entries")} and ${counted(files, "file")} of ${[...users].map(printable).join(", ") || "no one"}; ${unchanged} already there`,
      );
      if (others > 0)
        printLine(
          terminal.stdout,
          `skipped: ${counted(others, "line that is not a memory", "lines that are not memories")}`,
        );
      for (const name of kept)
        printLine(terminal.stdout, printable(`not changed: ${name} is newer here or has another text`));
    }),
};

/** MEMORY.md and the files in memory/, with paths relative to the folder. */
async function workspaceFiles(folder: string): Promise<{ path: string; text: string }[]> {
  const names = ["MEMORY.md", "memory.md"];
  const inFolder = await readdir(join(folder, "memory")).catch(() => []);
  const paths = [
    ...names,
    ...inFolder
      .filter((name) => name.endsWith(".md"))
      .sort()
      .map((name) => `memory/${name}`),
  ];
  const files: { path: string; text: string }[] = [];
  for (const path of paths) {
    const text = await readFile(join(folder, path), "utf8").catch(() => undefined);
    // On a file system that ignores case, both names are one file.
    if (text !== undefined && !files.some((other) => other.path.toLowerCase() === path.toLowerCase()))
      files.push({ path, text });
  }
  return files;
}

export const forgetCommand: Command = {
  meta: {
    name: "memory forget",
    description: "Delete all data of a person: memory, conversations, files, mentions in logs. This cannot be undone",
  },
  args: {
    user: { ...userArg.user, description: "User to forget: @name, channel:id or group:channel:id" },
    yes: { type: "boolean", description: "Do not ask for confirmation" },
    ...sourceArgs,
  },
  run: (args, terminal) =>
    onMemory(args, terminal, async (memory, user) => {
      if (user === undefined) throw new UsageError("memory forget needs a user: add --user telegram:42");
      if (args["yes"] !== true) await confirm(user, terminal);
      const line = progress(terminal);
      line.show("Forgetting …");
      const done = await memory.forget(user).finally(line.end);
      if (args["json"]) printJson(terminal, done);
      else
        printLine(
          terminal.stdout,
          `Forgotten: ${printable(done.user)}, with ${counted(done.entries, "entry", "entries")} and ${counted(done.sessions, "conversation")}`,
        );
    }),
};

/** The name has to be typed, so that no person is removed by habit. */
async function confirm(user: string, terminal: Terminal): Promise<void> {
  if (!terminal.interactive)
    throw new UsageError("Cannot ask for confirmation without a terminal: add --yes to forget without it");
  const lines = createInterface({ input: terminal.stdin, output: terminal.stdout, terminal: true });
  let code: number = EXIT.failed;
  const left = new Promise<never>((_, reject) => lines.once("close", reject));
  lines.once("SIGINT", () => {
    code = EXIT.interrupted;
    lines.close();
  });
  const question = `This deletes all data of ${printable(user)} for good. Type the user again to continue: `;
  try {
    const typed = await Promise.race([lines.question(question), left]).catch(() => {
      printLine(terminal.stdout);
      throw new ExitError(code, "Nothing was deleted");
    });
    if (typed.trim() !== user) throw new ExitError(EXIT.failed, "That is a different user: nothing was deleted");
  } finally {
    lines.close();
  }
}
