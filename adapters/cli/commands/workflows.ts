import type { JsonValue } from "../../../mod.ts";
import { type Arguments, type Command, settingsOf, textOf } from "../command.ts";
import { isBegun } from "../data-place.ts";
import { EXIT, ExitError, UsageError } from "../exit-codes.ts";
import type { Source } from "../remote.ts";
import { readSettings } from "../settings.ts";
import { askSource, onSource, sourceArgs } from "../source-args.ts";
import { printJson, printLine, type Terminal } from "../terminal.ts";
import { printable, shown } from "../transcript-lines.ts";
import { printEnd, watchWorkflow } from "../watch-workflow.ts";
import { definitionLines, isOver, runLine, runLines } from "../workflow-lines.ts";
import type { BudgetRow, WorkflowRunDetailRow, WorkflowsClient } from "../workflows-client.ts";

const MAX_LISTED = 100;
/** Interval between two looks at a run, in milliseconds. */
const WATCH_MS = 500;

const runArg = { run: { type: "positional", description: "The run's id, as `wakeful workflows` lists it" } } as const;
const newestArg = {
  run: { ...runArg.run, required: false, description: `${runArg.run.description}; the newest by default` },
} as const;
const watchArg = { watch: { type: "boolean", description: "Show its progress until it ends" } } as const;
const budgetArgs = {
  "max-tokens": { type: "string", description: "Maximum number of tokens it may use", valueHint: "number" },
  "max-seconds": { type: "string", description: "Maximum number of seconds it may work", valueHint: "number" },
  "max-tool-calls": { type: "string", description: "Maximum number of tool calls it may make", valueHint: "number" },
} as const;

const listCommand: Command = {
  meta: { name: "workflows list", description: "List workflows and their newest runs" },
  args: {
    ...sourceArgs,
    name: { type: "string", description: "Only runs of this workflow", valueHint: "name" },
    user: { type: "string", description: "Only runs for this person", valueHint: "channel:id" },
    limit: { type: "string", description: `Number of newest runs to show (default: 20)`, valueHint: "number" },
  },
  run: (args, terminal) =>
    askSource(args, terminal, async ({ workflows }) => {
      const limit = wholeOf(args, "limit", MAX_LISTED);
      const found = await workflows.list({ name: textOf(args, "name"), user: textOf(args, "user"), limit });
      if (args["json"]) printJson(terminal, found);
      else {
        const { definitions, problems = [], runs } = found;
        const lines = definitions.flatMap((one) => definitionLines(one, terminal));
        for (const { file, line, message } of problems) lines.push(printable(`not read: ${file}:${line} ${message}`));
        if (lines.length === 0) lines.push("No workflows yet: wakeful workflows save <file> adds one");
        if (runs.length > 0) lines.push("", ...runs.map((run) => runLine(run, terminal, Date.now())));
        for (const line of lines) printLine(terminal.stdout, line);
      }
      return EXIT.ok;
    }),
};

const showCommand: Command = {
  meta: { name: "workflows show", description: "Print the YAML of a workflow" },
  args: { name: { type: "positional", description: "The workflow's name" }, ...sourceArgs },
  run: (args, terminal) =>
    askSource(args, terminal, async ({ workflows }) => {
      const found = await workflows.show(textOf(args, "name") ?? "");
      if (args["json"]) printJson(terminal, found);
      else terminal.stdout.write(shown(found.yaml, terminal));
      return EXIT.ok;
    }),
};

const runCommand: Command = {
  meta: { name: "workflows run", description: "Start a run of a workflow" },
  args: {
    name: { type: "positional", description: "The workflow's name" },
    ...sourceArgs,
    input: { type: "string", description: "Input of the workflow; may be repeated", valueHint: "key=value" },
    ...watchArg,
    user: { type: "string", description: "User it works for (default: cli)", valueHint: "channel:id" },
    session: { type: "string", description: "Conversation that gets its progress", valueHint: "name" },
    ...budgetArgs,
  },
  takesMore: true,
  many: "input",
  async run(args, terminal, more = []) {
    const start = {
      name: textOf(args, "name") ?? "",
      inputs: inputsOf(more),
      user: textOf(args, "user") ?? "cli",
      session: textOf(args, "session"),
      budget: budgetOf(args),
    };
    return onSource(args, terminal, async (source) => {
      const run = await source.workflows.run(start);
      if (args["watch"] === true) return watch(run, source, args, terminal);
      if (args["json"]) printJson(terminal, { run_id: run });
      else printStarted(run, source, terminal);
      return EXIT.ok;
    });
  },
};

const statusCommand: Command = {
  meta: { name: "workflows status", description: "Show the progress and the outcome of a run" },
  args: { ...newestArg, ...sourceArgs },
  run: (args, terminal) =>
    askSource(args, terminal, async ({ workflows }) => {
      const run = await workflows.get(await idOf(args, workflows));
      if (args["json"]) printJson(terminal, run);
      else printRun(run, terminal);
      return EXIT.ok;
    }),
};

const watchCommand: Command = {
  meta: { name: "workflows watch", description: "Show the progress of a run until it ends; fails if the run failed" },
  args: { ...newestArg, ...sourceArgs },
  run: (args, terminal) =>
    onSource(args, terminal, async (source) => watch(await idOf(args, source.workflows), source, args, terminal), {
      // The watched run may run in this process, so with existing data this is not a mere query.
      asks: !isBegun(readSettings(settingsOf(args), terminal), terminal.cwd),
    }),
};

/** A command that changes a run and shows it. */
function changing(
  name: string,
  description: string,
  more: NonNullable<Command["args"]>,
  change: (workflows: WorkflowsClient, run: string, args: Arguments) => Promise<WorkflowRunDetailRow>,
  print: (run: WorkflowRunDetailRow, terminal: Terminal, source: Source) => void = printRun,
): Command {
  return {
    meta: { name: `workflows ${name}`, description },
    args: { ...runArg, ...more, ...sourceArgs },
    run: (args, terminal) =>
      onSource(args, terminal, async (source) => {
        const run = await change(source.workflows, textOf(args, "run") ?? "", args);
        if (args["watch"] === true) return watch(run.run_id, source, args, terminal);
        if (args["json"]) printJson(terminal, run);
        else print(run, terminal, source);
        return EXIT.ok;
      }),
  };
}

const cancelCommand = changing(
  "cancel",
  "Cancel a run and what it started",
  {},
  (workflows, run) => workflows.cancel(run),
  printCancelled,
);
const resumeCommand = changing(
  "resume",
  "Continue a run that failed or was cancelled; finished steps are not repeated",
  { ...watchArg, ...budgetArgs },
  (workflows, run, args) => workflows.resume(run, budgetOf(args)),
);
const retryCommand = changing(
  "retry",
  "Repeat a step and the steps that need it",
  { step: { type: "positional", description: "The step's id" }, ...watchArg, ...budgetArgs },
  (workflows, run, args) => workflows.retry(run, textOf(args, "step") ?? "", budgetOf(args)),
);

const signalCommand: Command = {
  meta: { name: "workflows signal", description: "Send a run an event that it waits for, now or later" },
  args: {
    ...runArg,
    event: { type: "positional", description: "The event's name" },
    ...sourceArgs,
    with: { type: "string", description: "Data of the event, as JSON", valueHint: "json" },
  },
  async run(args, terminal) {
    const [run, event] = [textOf(args, "run") ?? "", textOf(args, "event") ?? ""];
    const data = dataOf(textOf(args, "with"));
    await onSource(args, terminal, ({ workflows }) => workflows.signal(run, event, data));
    if (args["json"]) printJson(terminal, { run_id: run, event });
    else printLine(terminal.stdout, printable(`Sent to ${run}: ${event}`));
    return EXIT.ok;
  },
};

export const workflowsCommand: Command = {
  meta: { name: "workflows", description: "Long work in steps: list, run, watch, resume, check" },
  subCommands: {
    list: async () => listCommand,
    show: async () => showCommand,
    run: async () => runCommand,
    status: async () => statusCommand,
    watch: async () => watchCommand,
    cancel: async () => cancelCommand,
    resume: async () => resumeCommand,
    retry: async () => retryCommand,
    signal: async () => signalCommand,
    check: async () => (await import("./workflows-files.ts")).checkCommand,
    save: async () => (await import("./workflows-files.ts")).saveCommand,
    remove: async () => (await import("./workflows-files.ts")).removeCommand,
    schema: async () => (await import("./workflows-files.ts")).schemaCommand,
  },
  standard: "list",
};

/** Shows a run until it ends. If no server has the store, this process does the work. */
async function watch(
  run: string,
  { workflows, assistant }: Source,
  args: Arguments,
  terminal: Terminal,
): Promise<number> {
  let ended = () => {};
  const signalled = new Promise<void>((resolve) => (ended = resolve));
  const stopListening = terminal.onSignal(ended);
  try {
    await assistant?.start();
    const isQuiet = args["json"] === true;
    const pause = () =>
      Promise.race([
        signalled.then(() => false),
        new Promise<boolean>((resolve) => setTimeout(resolve, WATCH_MS, true)),
      ]);
    const hasData = assistant !== undefined;
    const found = await watchWorkflow({ get: () => workflows.get(run), pause, isQuiet, hasData }, terminal);
    if (isQuiet) printJson(terminal, found);
    else if (isOver(found)) printEnd(found, terminal);
    if (found.status === "done") return EXIT.ok;
    if (isOver(found)) return EXIT.failed;
    const where = hasData ? "It continues at the next start" : "It continues";
    throw new ExitError(EXIT.interrupted, `${where}: wakeful workflows watch ${run}`);
  } finally {
    stopListening();
  }
}

async function idOf(args: Arguments, workflows: WorkflowsClient): Promise<string> {
  const given = textOf(args, "run");
  if (given !== undefined) return given;
  const [newest] = (await workflows.list({ limit: 1 })).runs;
  if (newest === undefined) throw new ExitError(EXIT.failed, "No workflow has run yet: wakeful workflows run <name>");
  return newest.run_id;
}

function printStarted(run: string, { server }: Source, terminal: Terminal): void {
  const when = server === undefined ? "It continues at the next start, or while it is watched" : "It runs";
  printLine(terminal.stdout, printable(`${when}: wakeful workflows watch ${run}`));
}

/** The run was read before its current step ended. */
function printCancelled(run: WorkflowRunDetailRow, terminal: Terminal, { server }: Source): void {
  if (isOver(run)) return printRun(run, terminal);
  const when = server === undefined ? "It ends at the next start, or as soon as it is watched" : "It ends now";
  printLine(terminal.stdout, printable(`${when}: wakeful workflows watch ${run.run_id}`));
}

function printRun(run: WorkflowRunDetailRow, terminal: Terminal): void {
  for (const line of runLines(run, terminal, { nowMs: Date.now() })) printLine(terminal.stdout, line);
  printEnd(run, terminal);
}

/** Parses `key=value` words. Lists and objects are written as JSON. */
export function inputsOf(words: readonly string[]): Readonly<Record<string, JsonValue>> {
  const given = words.map((word) => {
    const [, key, value = ""] = /^([^=]+)=([\s\S]*)$/.exec(word) ?? [];
    if (key === undefined) throw new UsageError(`An input must be key=value, not ${JSON.stringify(word)}`);
    return [key, /^\s*[[{]/.test(value) ? jsonOf(value, `The input ${key}`) : value] as const;
  });
  return Object.fromEntries(given);
}

function dataOf(text: string | undefined): JsonValue | undefined {
  return text === undefined ? undefined : jsonOf(text, "--with");
}

function jsonOf(text: string, what: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw new UsageError(`${what} must be JSON, not ${JSON.stringify(text.slice(0, 60))}`, { cause });
  }
}

function budgetOf(args: Arguments): BudgetRow | undefined {
  const given = (["max-tokens", "max-seconds", "max-tool-calls"] as const).map((name) => {
    const count = wholeOf(args, name, Number.MAX_SAFE_INTEGER);
    return [name.replaceAll("-", "_"), count] as const;
  });
  const budget = given.filter(([, count]) => count !== undefined);
  return budget.length === 0 ? undefined : Object.fromEntries(budget);
}

function wholeOf(args: Arguments, name: string, most: number): number | undefined {
  const text = textOf(args, name);
  if (text === undefined) return undefined;
  const range = most === Number.MAX_SAFE_INTEGER ? "1 or more" : `from 1 to ${most}`;
  if (!/^[1-9]\d*$/.test(text) || Number(text) > most)
    throw new UsageError(`--${name} must be a whole number ${range}, not ${JSON.stringify(text)}`);
  return Number(text);
}
