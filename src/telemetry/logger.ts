import { AssistantError, messageOf } from "../errors.ts";
import type { Redactor } from "./redact.ts";

/** What a line carries besides its message; names as in the code (`turn`, `session`, `error`). */
export type LogFields = { readonly [name: string]: unknown };

/**
 * Where the program tells people what it does. Any structured logger fits with a few lines.
 * Contract: never throws, and returns at once.
 */
export interface Logger {
  /** Details of single turns, which most programs leave out. */
  debug(message: string, fields?: LogFields): void;
  /** What a person who runs the program may want to know. */
  info(message: string, fields?: LogFields): void;
  /** Something went wrong and the program goes on without it. */
  warn(message: string, fields?: LogFields): void;
  /** Something is broken or lost, and a person has to look. */
  error(message: string, fields?: LogFields): void;
}

const ignore = () => {};

/** Writes nothing. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** The default in a host program: errors on the console, a line each, and nothing else. */
export const errorLogger: Logger = {
  ...silentLogger,
  error(message, { error, ...rest } = {}) {
    const details = Object.entries(rest).map(([name, value]) => `${name} ${textOf(value)}`);
    const reason = error === undefined ? "" : `: ${textOf(error)}`;
    const line = `wakeful: ${message}${reason}${details.length === 0 ? "" : ` (${details.join(", ")})`}`;
    // What others wrote may stand in it: it stays one line, and no terminal obeys it.
    // oxlint-disable-next-line no-console -- a host program without a logger has no other place
    console.error(line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " "));
  },
};

/**
 * @returns What takes a document for none that cannot be read, and names it in the log: it stays as it is, and stands in the way of no other.
 * Contract: it throws what else went wrong.
 */
export function leftOut(logger: Pick<Logger, "error"> = silentLogger): (error: unknown) => null {
  return (error) => {
    if (!AssistantError.is(error, "STORE_UNSUITABLE") && !AssistantError.is(error, "FORMAT_TOO_NEW")) throw error;
    logger.error("A document cannot be read and is left out", { error: messageOf(error) });
    return null;
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

const LEVELS = ["debug", "info", "warn", "error"] as const;

/** Hands lines on with every secret in message and fields replaced. A logger that throws does not disturb the caller. */
export function redactingLogger(logger: Logger, redact: Redactor): Logger {
  if (logger === silentLogger) return logger;
  const redacting: Partial<Record<(typeof LEVELS)[number], Logger["info"]>> = {};
  for (const level of LEVELS) {
    redacting[level] = (message, fields) => {
      try {
        if (fields === undefined) logger[level](redact(message));
        else logger[level](redact(message), redact(fields));
      } catch {
        // Whoever logs is in the middle of something that matters more.
      }
    };
  }
  return { ...silentLogger, ...redacting };
}
