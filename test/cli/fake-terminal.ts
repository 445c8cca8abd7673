import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { runProgram } from "../../adapters/cli/program.ts";
import type { Terminal } from "../../adapters/cli/terminal.ts";

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface FakeTerminal extends Terminal {
  readonly stdin: PassThrough;
  output(): string;
  errors(): string;
  signal(name: "SIGINT" | "SIGTERM"): void;
  hangUp(): void;
  /** Resolves once standard output holds the text. @throws {Error} What it holds instead, when that takes long. */
  until(text: string): Promise<void>;
}

/** Less than a test may take, so that what hangs says where it stands. */
const MAX_WAIT_MS = 18_000;
const LOOK_MS = 100;

/** A terminal whose streams are kept in memory. */
export function fakeTerminal(
  options: Partial<Pick<Terminal, "env" | "cwd" | "interactive" | "screen" | "colours">> = {},
): FakeTerminal {
  const waiting = new Map<string, () => void>();
  const listeners = new Set<(signal: "SIGINT" | "SIGTERM") => void>();
  const hangups = new Set<() => void>();
  const texts = { stdout: "", stderr: "" };
  const collect = (name: keyof typeof texts) =>
    new Writable({
      write(chunk: Buffer, _, done) {
        texts[name] += chunk.toString();
        for (const [text, wake] of waiting) if (texts.stdout.includes(text)) wake();
        done();
      },
    });
  return {
    stdin: new PassThrough(),
    stdout: collect("stdout"),
    stderr: collect("stderr"),
    env: {},
    cwd: tmpdir(),
    interactive: false,
    screen: false,
    colours: false,
    ...options,
    onSignal(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onHangup(listener) {
      hangups.add(listener);
      return () => void hangups.delete(listener);
    },
    output: () => texts.stdout,
    errors: () => texts.stderr,
    signal: (name) => [...listeners].forEach((listener) => listener(name)),
    hangUp: () => [...hangups].forEach((listener) => listener()),
    until: (text) =>
      within(
        new Promise((resolve) => (texts.stdout.includes(text) ? resolve() : waiting.set(text, resolve))),
        () => `${JSON.stringify(text)} was not printed, but ${JSON.stringify(texts)}`,
      ),
  };
}

/** Runs one command line to its end. */
export async function run(
  argv: readonly string[],
  options: Parameters<typeof fakeTerminal>[0] & { readonly input?: string } = {},
): Promise<Run> {
  const { input = "", ...terminalOptions } = options;
  const terminal = fakeTerminal(terminalOptions);
  terminal.stdin.end(input);
  const code = await within(
    runProgram(argv, terminal),
    () =>
      `wakeful ${argv.join(" ")} did not end, but printed ${JSON.stringify([terminal.output(), terminal.errors()])}`,
  );
  return { code, stdout: terminal.output(), stderr: terminal.errors() };
}

async function within<T>(work: Promise<T>, complaint: () => string): Promise<T> {
  let timer: ReturnType<typeof setInterval> | undefined;
  const late = new Promise<never>((_, reject) => {
    // In looks: on a machine that keeps this process waiting, each takes longer.
    let waitedMs = 0;
    timer = setInterval(() => {
      waitedMs += LOOK_MS;
      if (waitedMs >= MAX_WAIT_MS) reject(new Error(`After ${MAX_WAIT_MS / 1000} s ${complaint()}`));
    }, LOOK_MS);
  });
  return Promise.race([work, late]).finally(() => clearInterval(timer));
}

/** A folder of its own, removed by the returned function. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "wakeful-cli-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
