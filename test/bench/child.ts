import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { type Runtime, commandFor } from "./runtimes.ts";

export interface ProgramOptions {
  readonly root: string;
  readonly runtime?: Runtime;
  readonly args?: readonly string[];
  readonly flags?: readonly string[];
  readonly cwd?: string;
  /** Longest it may take, in milliseconds. Default ten minutes. */
  readonly limitMs?: number;
}

/** A program that stays: its first line says where it is, its end is ours to ask for. */
export interface RunningProgram<Hello> {
  readonly hello: Hello;
  stop(): Promise<void>;
}

const LIMIT_MS = 10 * 60_000;

/** Runs a program in a process of its own and reads the one line of JSON that it prints last. */
export async function runProgram<Output>(program: string, options: ProgramOptions): Promise<Output> {
  const { child, lines, ended } = start(program, options);
  const timer = setTimeout(() => child.kill("SIGKILL"), options.limitMs ?? LIMIT_MS);
  try {
    await ended;
  } finally {
    clearTimeout(timer);
  }
  const last = lines.at(-1);
  if (last === undefined) throw new Error(`${program} printed nothing`);
  return JSON.parse(last) as Output;
}

/** Starts a program that serves, and waits for the line of JSON that it prints when it is ready. */
export async function startProgram<Hello>(program: string, options: ProgramOptions): Promise<RunningProgram<Hello>> {
  const { child, firstLine, ended } = start(program, options);
  ended.catch(() => undefined); // told by `firstLine`, or after `stop` of no interest
  const hello = JSON.parse(await firstLine) as Hello;
  return {
    hello,
    async stop() {
      const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
      child.stdin?.end();
      await ended.catch(() => undefined);
      clearTimeout(timer);
    },
  };
}

function start(program: string, { root, runtime = "node", args = [], flags = [], cwd }: ProgramOptions) {
  const [command, commandArgs] = commandFor(root, runtime, program, args, flags);
  const child: ChildProcess = spawn(command, commandArgs, {
    cwd,
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1", AI_SDK_LOG_WARNINGS: "false" },
  });
  const lines: string[] = [];
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-4000);
  });
  let tellFirst = (_line: string) => {};
  const firstLine = new Promise<string>((resolve, reject) => {
    tellFirst = resolve;
    child.once("close", () => reject(new Error(`${program} on ${runtime} ended before it was ready: ${errors}`)));
  });
  firstLine.catch(() => undefined); // only programs that serve are waited for in this way
  if (child.stdout) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line.trim() === "") return;
      lines.push(line);
      tellFirst(line);
    });
  }
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} on ${runtime} ended with ${code ?? signal}: ${errors}`));
    });
  });
  return { child, lines, firstLine, ended };
}
