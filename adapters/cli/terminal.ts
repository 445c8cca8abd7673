import { once } from "node:events";
import { fstatSync, writeFileSync } from "node:fs";
import process from "node:process";
import { type Readable, Writable } from "node:stream";

/** What a command sees of the world: replaced in tests. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Can somebody type answers? */
  readonly interactive: boolean;
  /** Is standard output a screen? */
  readonly screen: boolean;
  readonly colours: boolean;
  /** Calls back at each Ctrl-C or SIGTERM. @returns A function that stops listening. */
  onSignal(listener: (signal: "SIGINT" | "SIGTERM") => void): () => void;
  /** Calls back at each SIGHUP that asks for files to be read again. @returns A function that stops listening. */
  onHangup(listener: () => void): () => void;
}

/** The process's own. Colours only on a screen, and not with `NO_COLOR` (https://no-color.org). */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const screen = isTerminal(stdout);
  return {
    stdin,
    stdout,
    stderr: isFile(stderr.fd) ? lastingStream((chunk) => writeFileSync(stderr.fd, chunk)) : stderr,
    env,
    cwd: process.cwd(),
    interactive: isTerminal(stdin) && screen,
    screen,
    colours: screen && !env["NO_COLOR"] && env["TERM"] !== "dumb",
    onSignal(listener) {
      const interrupt = () => listener("SIGINT");
      const terminate = () => listener("SIGTERM");
      process.on("SIGINT", interrupt);
      process.on("SIGTERM", terminate);
      return () => {
        process.off("SIGINT", interrupt);
        process.off("SIGTERM", terminate);
      };
    },
    onHangup(listener) {
      // A process on a terminal gets it when the terminal is closed, and should end then.
      if (isTerminal(stdin)) return () => {};
      process.on("SIGHUP", listener);
      return () => void process.off("SIGHUP", listener);
    },
  };
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false; // it was closed
  }
}

/** A stream that goes on after a write that failed, without what that one held. Node's own to a file is over then: a log stays silent when the disk has room again. */
export function lastingStream(write: (chunk: Uint8Array) => void): Writable {
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      try {
        write(chunk);
      } catch {
        // there is nowhere to say so
      }
      done();
    },
  });
}

/** The types say that `isTTY` is always there; on a pipe it is not. */
function isTerminal(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY ?? false;
}

export function printLine(stream: Writable, text = ""): void {
  stream.write(`${text}\n`);
}

export function printJson(terminal: Terminal, value: unknown): void {
  printLine(terminal.stdout, plainJson(JSON.stringify(value)));
}

/** The same JSON without what JSON allows in texts and terminals obey: U+009B begins a command as ESC [ does. */
export function plainJson(text: string): string {
  return text.replace(/[\u007F-\u009F]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  purple: [35, 39],
  cyan: [36, 39],
} as const;
export type Style = keyof typeof codes;

/** The text in a style, where the terminal shows colours. */
export function styled(terminal: Pick<Terminal, "colours">, style: Style, text: string): string {
  const [on, off] = codes[style];
  return terminal.colours ? `\u001B[${on}m${text}\u001B[${off}m` : text;
}

/** Writes a piece as fast as the reader at the other end of a pipe takes it. @returns False when it has left (`| head`). */
export async function isTaken(stream: Writable, piece: string): Promise<boolean> {
  if (stream.destroyed) return false;
  if (stream.write(piece)) return true;
  try {
    await once(stream, "drain");
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EPIPE") return false;
    throw error;
  }
}

/** Resolves when everything written so far has left the process: `exit` would cut what a pipe has not taken yet. */
export async function flushed(terminal: Terminal): Promise<void> {
  const flush = (stream: Writable) => new Promise<void>((resolve) => stream.write("", () => resolve()));
  await Promise.all([flush(terminal.stdout), flush(terminal.stderr)]);
}
