import { visible } from "../../../kit.ts";
import { type Arguments, type Command, settingsOf, textOf } from "../command.ts";
import { isBegun, tellNotBegun } from "../data-place.ts";
import { EXIT, UsageError } from "../exit-codes.ts";
import { tellMisnamed } from "../misnamed-files.ts";
import type { JobRow, JobsClient, RunRow } from "../jobs-client.ts";
import { withSource } from "../remote.ts";
import { readSettings } from "../settings.ts";
import { sourceArgs } from "../source-args.ts";
import { printJson, printLine, styled, type Terminal } from "../terminal.ts";

const MAX_RUNS = 100;
const DEFAULT_RUNS = 20;
/** Redraw interval of the live view, in milliseconds. */
const WATCH_MS = 1000;

const jobArg = {
  job: { type: "positional", description: "The job's id or name, as `wakeful jobs` lists it" },
} as const;

/** The id of the job. A name stands for it if only one job has that name. */
async function idOf(args: Arguments, client: JobsClient): Promise<string> {
  const given = textOf(args, "job") ?? "";
  const jobs = await client.list();
  if (jobs.some(({ id }) => id === given)) return given;
  const named = jobs.filter(({ name }) => name.toLowerCase() === given.toLowerCase());
  if (named.length > 1)
    throw new UsageError(
      `${named.length} jobs are named ${JSON.stringify(given)}: give the id of one: ${named.map(({ id }) => id).join(", ")}`,
    );
  return named[0]?.id ?? given;
}

function withJobs<T>(
  args: Arguments,
  terminal: Terminal,
  use: (jobs: JobsClient) => Promise<T>,
  options: { readonly asks?: boolean } = {},
): Promise<T> {
  const settings = readSettings(settingsOf(args), terminal);
  const given = { url: textOf(args, "url"), token: textOf(args, "token") };
  if (options.asks && given.url === undefined && args["json"] !== true) tellNotBegun(settings, terminal);
  return withSource(settings, terminal, given, ({ jobs }) => use(jobs), options);
}

const listCommand: Command = {
  meta: { name: "jobs list", description: "List jobs with their next times" },
  args: sourceArgs,
  async run(args, terminal) {
    const jobs = await withJobs(args, terminal, (client) => client.list(), { asks: true });
    if (textOf(args, "url") === undefined) tellMisnamed(readSettings(settingsOf(args), terminal), terminal, "jobs");
    if (args["json"]) printJson(terminal, { jobs });
    else if (jobs.length === 0)
      printLine(terminal.stdout, 'No jobs yet: wakeful jobs add "every weekday at 9" "Standup"');
    else for (const line of table(jobs, terminal)) printLine(terminal.stdout, line);
    return EXIT.ok;
  },
};

const watchCommand: Command = {
  meta: { name: "jobs watch", description: "Show jobs with a countdown to their next times, until Ctrl-C" },
  args: sourceArgs,
  async run(args, terminal) {
    let ended = () => {};
    const signalled = new Promise<void>((resolve) => (ended = resolve));
    const stopListening = terminal.onSignal(ended);
    try {
      const draw = async (client: JobsClient) => {
        const jobs = await client.list();
        if (args["json"]) return printJson(terminal, { jobs });
        const lines = table(jobs, terminal);
        if (terminal.interactive) terminal.stdout.write("\u001B[2J\u001B[H");
        for (const line of lines.length === 0 ? ["No jobs"] : lines) printLine(terminal.stdout, line);
      };
      const isLast = () =>
        Promise.race([
          signalled.then(() => true),
          new Promise<boolean>((resolve) => setTimeout(resolve, WATCH_MS, !terminal.interactive)),
        ]);
      const watch = async (client: JobsClient) => {
        do await draw(client);
        while (!(await isLast()));
      };
      // Without a server, due jobs run in this process, so with existing data this is not a mere query.
      const asks = !isBegun(readSettings(settingsOf(args), terminal), terminal.cwd);
      await withJobs(args, terminal, watch, { asks });
    } finally {
      stopListening();
    }
    return EXIT.ok;
  },
};

const addCommand: Command = {
  meta: { name: "jobs add", description: "Create a job" },
  args: {
    when: { type: "positional", description: 'When: "every weekday at 9", "in 20 minutes", "0 9 * * 1-5"' },
    task: { type: "positional", description: "What to do then, in words" },
    ...sourceArgs,
    name: { type: "string", description: "A short name", valueHint: "text" },
    timezone: { type: "string", description: "Time zone of the job", valueHint: "zone" },
    user: { type: "string", description: "User the job belongs to (default: cli)", valueHint: "channel:id" },
    isolated: { type: "boolean", description: "Give each run its own session" },
  },
  async run(args, terminal) {
    const schedule = textOf(args, "when") ?? "";
    const task = textOf(args, "task") ?? "";
    const job = await withJobs(args, terminal, (client) =>
      client.create({
        schedule,
        task,
        name: textOf(args, "name"),
        timezone: textOf(args, "timezone"),
        user: textOf(args, "user") ?? "cli",
        mode: args["isolated"] === true ? "isolated" : undefined,
      }),
    );
    return printJob(job, args, terminal);
  },
};

const showCommand: Command = {
  meta: { name: "jobs show", description: "Show one job and its newest runs" },
  args: {
    ...jobArg,
    ...sourceArgs,
    limit: {
      type: "string",
      description: `Number of newest runs to show (default: ${DEFAULT_RUNS})`,
      valueHint: "number",
    },
  },
  async run(args, terminal) {
    const limit = limitOf(textOf(args, "limit"));
    const read = async (client: JobsClient) => {
      const id = await idOf(args, client);
      return { job: await client.get(id), runs: await client.runs(id, limit) };
    };
    const found = await withJobs(args, terminal, read, { asks: true });
    if (args["json"]) printJson(terminal, found);
    else {
      printJob(found.job, args, terminal);
      for (const run of found.runs) printRun(run, terminal);
    }
    return EXIT.ok;
  },
};

const changing = (name: string, description: string, status: "active" | "paused"): Command => ({
  meta: { name: `jobs ${name}`, description },
  args: { ...jobArg, ...sourceArgs },
  run: async (args, terminal) =>
    printJob(
      await withJobs(args, terminal, async (client) => client.setStatus(await idOf(args, client), status)),
      args,
      terminal,
    ),
});

const removeCommand: Command = {
  meta: { name: "jobs remove", description: "Remove a job and its runs" },
  args: { ...jobArg, ...sourceArgs },
  async run(args, terminal) {
    const id = await withJobs(args, terminal, async (client) => {
      const found = await idOf(args, client);
      await client.remove(found);
      return found;
    });
    if (args["json"]) printJson(terminal, { removed: id });
    else printLine(terminal.stdout, `Removed: ${visible(id)}`);
    return EXIT.ok;
  },
};

const runCommand: Command = {
  meta: { name: "jobs run", description: "Run a job now, in addition to its schedule" },
  args: { ...jobArg, ...sourceArgs },
  async run(args, terminal) {
    const run = await withJobs(args, terminal, async (client) => client.run(await idOf(args, client)));
    if (args["json"]) printJson(terminal, { run_id: run });
    else printLine(terminal.stdout, `It runs now, or at the next start: ${visible(run)}`);
    return EXIT.ok;
  },
};

export const jobsCommand: Command = {
  meta: { name: "jobs", description: "Scheduled work: list, add, pause, run" },
  subCommands: {
    list: async () => listCommand,
    add: async () => addCommand,
    show: async () => showCommand,
    pause: async () => changing("pause", "Pause a job", "paused"),
    resume: async () => changing("resume", "Resume a job", "active"),
    run: async () => runCommand,
    remove: async () => removeCommand,
    watch: async () => watchCommand,
  },
  standard: "list",
};

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_RUNS;
  if (!/^[1-9]\d*$/.test(text) || Number(text) > MAX_RUNS)
    throw new UsageError(`--limit must be a whole number from 1 to ${MAX_RUNS}, not ${JSON.stringify(text)}`);
  return Number(text);
}

function printJob(job: JobRow, args: Arguments, terminal: Terminal): number {
  if (args["json"]) {
    printJson(terminal, job);
    return EXIT.ok;
  }
  for (const line of table([job], terminal)) printLine(terminal.stdout, line);
  const [, ...later] = job.next_runs;
  if (later.length > 0) printLine(terminal.stdout, styled(terminal, "dim", `  then ${later.join(", ")}`));
  return EXIT.ok;
}

function table(jobs: readonly JobRow[], terminal: Terminal): readonly string[] {
  return jobs.map((job) => {
    const { id, name, status, user, next_run_at: next, last_run_status: last, consec_failures: failures } = job;
    const state = status === "active" ? "" : ` ${styled(terminal, status === "error" ? "red" : "yellow", status)}`;
    const when = next === null ? "" : ` ${next} (${left(next)})`;
    const before = last === undefined ? "" : `, last ${last}${failures > 0 ? ` (${failures} failed)` : ""}`;
    return `${styled(terminal, "bold", visible(name))}${state}${when}  ${styled(terminal, "dim", `${scheduleText(job)}, ${visible(user)}${before}  ${visible(id)}`)}`;
  });
}

function scheduleText({ schedule: { kind, cron, tz, every_ms: everyMs } }: JobRow): string {
  if (kind === "cron") return `${cron ?? ""} ${tz ?? ""}`.trim();
  return kind === "every" ? `every ${Math.round((everyMs ?? 0) / 60_000)} min` : "once";
}

/** `in 2 h 5 min`. */
function left(time: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(time) - Date.now()) / 1000));
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  const parts = [days > 0 && `${days} d`, hours > 0 && `${hours} h`, minutes > 0 && `${minutes} min`].filter(Boolean);
  return parts.length === 0 ? `in ${seconds} s` : `in ${parts.slice(0, 2).join(" ")}`;
}

function printRun({ planned, status, error, reason, output, tokens }: RunRow, terminal: Terminal): void {
  const why = error ?? reason ?? output ?? "";
  const cost = tokens === undefined ? "" : styled(terminal, "dim", ` ${tokens} tokens`);
  const look = status === "success" ? "green" : status === "failed" ? "red" : "yellow";
  printLine(
    terminal.stdout,
    `  ${planned} ${styled(terminal, look, status)}${cost} ${visible(why.replace(/\s+/g, " ").slice(0, 120))}`,
  );
}
