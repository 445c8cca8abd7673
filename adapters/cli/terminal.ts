import { once } from "node:events";
import { fstatSync, writeFileSync } from "node:fs";
import process from "node:process";
import { type Readable, Writable } from "node:stream";

/** The outside world of a command; replaced in tests. */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Whether a person can type answers. */
  readonly interactive: boolean;
  /** Whether standard output is a screen. */
  readonly screen: boolean;
  readonly colours: boolean;
  /** Calls `listener` at each Ctrl-C or SIGTERM. @returns A function that stops listening. */
  onSignal(listener: (signal: "SIGINT" | "SIGTERM") => void): () => void;
  /** Calls `listener` at each SIGHUP that requests a reload of files. @returns A function that stops listening. */
  onHangup(listener: () => void): () => void;
}

/** The terminal of this process. Colours only on a screen, and not with `NO_COLOR` (https://no-color.org). */
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
      // A process on a terminal gets SIGHUP when the terminal closes, and should then end.
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

/**
 * A stream that continues after a failed write, without that write's data. Node's own file stream ends then: a log
 * would stay silent even when the disk has room again.
 */
export function lastingStream(write: (chunk: Uint8Array) => void): Writable {
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      try {
        write(chunk);
      } catch {
        // there is nowhere to report it
      }
      done();
    },
  });
}

/** The types say that `isTTY` is always set; on a pipe it is not. */
function isTerminal(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY ?? false;
}

export function printLine(stream: Writable, text = ""): void {
  stream.write(`${text}\n`);
}

export function printJson(terminal: Terminal, value: unknown): void {
  printLine(terminal.stdout, plainJson(JSON.stringify(value)));
}

/**
 * The same JSON with escaped control characters that JSON allows and terminals obey: U+009B starts a command as ESC [
 * does.
 */
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

/** The text in a style, if the terminal shows colours. */
export function styled(terminal: Pick<Terminal, "colours">, style: Style, text: string): string {
  const [on, off] = codes[style];
  return terminal.colours ? `\u001B[${on}m${text}\u001B[${off}m` : text;
}

/** Writes a piece at the speed of the reader of a pipe. @returns False when the reader has left (`| head`). */
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

/** Resolves when everything written so far has left the process: `exit` would cut data that a pipe has not taken yet. */
export async function flushed(terminal: Terminal): Promise<void> {
  const flush = (stream: Writable) => new Promise<void>((resolve) => stream.write("", () => resolve()));
  await Promise.all([flush(terminal.stdout), flush(terminal.stderr)]);
}
