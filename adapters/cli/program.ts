import { stripVTControlCharacters } from "node:util";
import { type ArgsDef, type CommandDef, parseArgs, renderUsage } from "citty";
import { ConfigError, VERSION } from "../../mod.ts";
import { messageOf, nearestName } from "../../kit.ts";
import type { Arguments, Command } from "./command.ts";
import { EXIT, UsageError, exitCodeOf } from "./exit-codes.ts";
import { plainJson, printLine, styled, type Terminal } from "./terminal.ts";
import { printable } from "./transcript-lines.ts";

/** The commands, each loaded on demand. */
const program: Command = {
  meta: { name: "wakeful", description: "An assistant that stays awake" },
  subCommands: {
    start: async () => (await import("./commands/serve.ts")).startCommand,
    init: async () => (await import("./commands/init.ts")).initCommand,
    chat: async () => (await import("./commands/chat.ts")).chatCommand,
    serve: async () => (await import("./commands/serve.ts")).serveCommand,
    status: async () => (await import("./commands/status.ts")).statusCommand,
    doctor: async () => (await import("./commands/doctor.ts")).doctorCommand,
    sessions: async () => (await import("./commands/sessions.ts")).sessionsCommand,
    approvals: async () => (await import("./commands/approvals.ts")).approvalsCommand,
    memory: async () => (await import("./commands/memory.ts")).memoryCommand,
    jobs: async () => (await import("./commands/jobs.ts")).jobsCommand,
    notifications: async () => (await import("./commands/notifications.ts")).notificationsCommand,
    workflows: async () => (await import("./commands/workflows.ts")).workflowsCommand,
    skills: async () => (await import("./commands/skills.ts")).skillsCommand,
    access: async () => (await import("./commands/access.ts")).accessCommand,
    audit: async () => (await import("./commands/audit.ts")).auditCommand,
    undelivered: async () => (await import("./commands/undelivered.ts")).undeliveredCommand,
    config: async () => (await import("./commands/config.ts")).configCommand,
  },
};

/**
 * Runs one command line. Never throws: a failure is one sentence on standard error.
 *
 * Source: docs/cli.md.
 *
 * @returns The exit code.
 */
export async function runProgram(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await dispatch(argv, terminal);
  } catch (error) {
    tell(error, argv.includes("--json"), terminal);
    return exitCodeOf(error);
  }
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-v")) {
    printLine(terminal.stdout, VERSION);
    return EXIT.ok;
  }
  const isHelp = argv.includes("--help") || argv.includes("-h");
  const { command, path, rest } = await findCommand(argv, isHelp);
  if (isHelp) {
    printLine(terminal.stdout, await usage(command, path, terminal));
    return EXIT.ok;
  }
  if (command.run === undefined) {
    if (!argv.includes("--json")) printLine(terminal.stderr, await usage(command, path, terminal));
    throw new UsageError(`A command is missing: expected one of ${Object.keys(command.subCommands ?? {}).join(", ")}`);
  }
  const { args, more } = readArguments(command, rest);
  return command.run(args, terminal, more);
}

/**
 * Follows the command names in the line; the rest are arguments. Help for a group covers all its commands, not its
 * standard one.
 */
async function findCommand(
  argv: readonly string[],
  isHelp: boolean,
): Promise<{ command: Command; path: readonly string[]; rest: readonly string[] }> {
  let command = program;
  const path: string[] = [];
  let rest = [...argv];
  for (;;) {
    const names = Object.keys(command.subCommands ?? {});
    if (names.length === 0) return { command, path, rest };
    const at = rest.findIndex((word, index) => !word.startsWith("-") && !takesValue(rest[index - 1]));
    const name = rest[at] ?? (isHelp ? undefined : command.standard);
    if (name === undefined) return { command, path, rest };
    const load = command.subCommands?.[name];
    if (load === undefined) {
      const nearest = nearestName(name, names);
      throw new UsageError(
        `Unknown command ${JSON.stringify([...path, name].join(" "))}: ${nearest === undefined ? `known: ${names.join(", ")}` : `did you mean ${JSON.stringify(nearest)}?`}`,
      );
    }
    command = await load();
    path.push(name);
    rest = rest.filter((_, index) => index !== at);
  }
}

/** The options without a value, of all commands. */
const WITHOUT_VALUE: readonly string[] = [
  ...["--json", "--yes", "--help", "--all", "--always", "--archived"],
  ...["--force", "--watch", "--isolated", "--everything"],
];

/** A word after an option is its value, unless the option takes none. */
function takesValue(word: string | undefined): boolean {
  return word !== undefined && /^--[^=]+$/.test(word) && !WITHOUT_VALUE.includes(word);
}

function readArguments(
  command: Command,
  words: readonly string[],
): { readonly args: Arguments; readonly more: readonly string[] } {
  const known: ArgsDef = command.args ?? {};
  const flags = Object.entries(known).filter(([, arg]) => arg.type !== "positional");
  const positionals = Object.entries(known).filter(([, arg]) => arg.type === "positional");
  const end = words.indexOf("--");
  const flagWords = words
    .slice(0, end === -1 ? words.length : end)
    .filter((word, index) => /^-./.test(word) && !isValueOf(words[index - 1], flags));

  for (const word of flagWords) {
    const name = word.replace(/^--?(no-)?/, "").replace(/=.*$/s, "");
    const arg = flags.find(([key]) => key === name)?.[1];
    if (arg === undefined) {
      const nearest = nearestName(
        name,
        flags.map(([key]) => key),
      );
      throw new UsageError(
        `Unknown option ${word.replace(/=.*$/s, "")}: ${nearest === undefined ? "see --help" : `did you mean --${nearest}?`}`,
      );
    }
    const next = words[words.indexOf(word) + 1];
    const bare = !word.includes("=");
    if (arg.type === "string" && bare && (next === undefined || next === "" || next.startsWith("--")))
      throw new UsageError(`The option --${name} needs a value`);
    if (arg.type === "string" && word.endsWith("=")) throw new UsageError(`The option --${name} needs a value`);
  }

  const parsed = readWith(words, known);
  // A script's `wakeful jobs remove "$ID"` passes this when ID was never set. A path without the id would mean
  // something else.
  for (const [name, { description = "" }] of positionals)
    if (parsed[name] === "") throw new UsageError(`The argument ${name.toUpperCase()} is empty (${description})`);
  const more = parsed._.slice(positionals.length);
  if (more.length > 0 && command.takesMore !== true)
    throw new UsageError(`Unexpected argument ${JSON.stringify(more[0])}: see wakeful ${command.meta.name} --help`);
  const args = Object.fromEntries(
    Object.keys(known).map((name) => [name, parsed[name] as string | boolean | undefined]),
  );
  return { args, more: [...valuesOf(command.many, words.slice(0, end === -1 ? words.length : end)), ...more] };
}

/** All values of an option, in order: the parser keeps only the last one. */
function valuesOf(name: string | undefined, words: readonly string[]): readonly string[] {
  if (name === undefined) return [];
  return words.flatMap((word, index) => {
    if (word.startsWith(`--${name}=`)) return [word.slice(name.length + 3)];
    return word === `--${name}` ? [words[index + 1] ?? ""] : [];
  });
}

function readWith(words: readonly string[], known: ArgsDef) {
  try {
    return parseArgs([...words], known);
  } catch (error) {
    const message = stripVTControlCharacters(messageOf(error));
    const missing = /^Missing required positional argument: (.+)$/.exec(message)?.[1];
    const about = Object.entries(known).find(([name]) => name.toUpperCase() === missing)?.[1].description;
    throw new UsageError(about === undefined ? message : `${message} (${about})`, { cause: error });
  }
}

function isValueOf(word: string | undefined, flags: readonly [string, { type?: string | undefined }][]): boolean {
  return word !== undefined && flags.some(([name, arg]) => arg.type === "string" && word === `--${name}`);
}

async function usage(command: Command, path: readonly string[], terminal: Terminal): Promise<string> {
  const named = [program.meta.name, ...path].join(" ");
  const subCommands = await Promise.all(
    Object.entries(command.subCommands ?? {}).map(async ([name, load]) => [name, await load()] as const),
  );
  const definition: CommandDef = {
    meta: { name: named, description: command.meta.description, version: VERSION },
    ...(command.args && { args: command.args }),
    ...(subCommands.length > 0 && {
      subCommands: Object.fromEntries(subCommands.map(([name, { meta }]) => [name, { meta }])),
    }),
  };
  const text = await renderUsage(definition);
  return terminal.colours ? text : stripVTControlCharacters(text);
}

/** The command that lists what a message reports as missing. Added here, since rooms do not know commands. */
const LISTS: readonly (readonly [says: RegExp, command: string])[] = [
  [/^There is no job "[^]*"$/, "jobs"],
  [/^There is no run "[^]*" of a workflow$/, "workflows"],
  [/^There is no skill "[^]*"$/, "skills"],
  [/^There is no suggestion "[^]*"$/, "skills suggestions"],
  [/^There is no entry "[^]*" in this memory$/, "memory"],
  [/^(?:There is no session "[^]*"|Not a session key: [^]*)$/, "sessions"],
];

function withList(message: string): string {
  const list = LISTS.find(([says]) => says.test(message))?.[1];
  return list === undefined ? message : `${message}: wakeful ${list} lists them`;
}

function tell(error: unknown, json: boolean, terminal: Terminal): void {
  const message = withList(messageOf(error));
  if (message === "") return;
  if (json) {
    const issues = error instanceof ConfigError ? { issues: error.issues } : {};
    printLine(terminal.stderr, plainJson(JSON.stringify({ error: { message, ...issues } })));
    return;
  }
  const label = styled(terminal, "red", "error:");
  // It may hold a server's answer.
  const shown = printable(message);
  printLine(
    terminal.stderr,
    error instanceof ConfigError && error.issues.length > 1
      ? `${label} the configuration has ${error.issues.length} mistakes\n${shown}`
      : `${label} ${shown}`,
  );
  if (terminal.env["WAKEFUL_DEBUG"] && error instanceof Error) printLine(terminal.stderr, error.stack);
}
