import { AssistantError, messageOf } from "../errors.ts";
import type { Redactor } from "./redact.ts";

/** Fields of a log line besides its message; names as in the code (`turn`, `session`, `error`). */
export type LogFields = { readonly [name: string]: unknown };

/**
 * Receives the program's log lines. Any structured logger can be adapted in a few lines.
 * Contract: never throws, and returns at once.
 */
export interface Logger {
  /** Details of single turns, which most programs do not log. */
  debug(message: string, fields?: LogFields): void;
  /** Information for the person who runs the program. */
  info(message: string, fields?: LogFields): void;
  /** Something failed, and the program continues without it. */
  warn(message: string, fields?: LogFields): void;
  /** Something is broken or lost, and a person must act. */
  error(message: string, fields?: LogFields): void;
}

const ignore = () => {};

/** A logger that writes nothing. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** The default logger in a host program: errors on the console, one line each, and nothing else. */
export const errorLogger: Logger = {
  ...silentLogger,
  error(message, { error, ...rest } = {}) {
    const details = Object.entries(rest).map(([name, value]) => `${name} ${textOf(value)}`);
    const reason = error === undefined ? "" : `: ${textOf(error)}`;
    const line = `wakeful: ${message}${reason}${details.length === 0 ? "" : ` (${details.join(", ")})`}`;
    // The line may contain text of strangers. Control characters are removed, so it stays one line and sends no
    // commands to the terminal.
    // oxlint-disable-next-line no-console -- a host program without a logger has no other place
    console.error(line.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " "));
  },
};

/**
 * Returns a handler for errors of reading a document. A document that cannot be read is logged and treated as
 * missing; it stays in the store and blocks no other document.
 * Contract: rethrows all other errors.
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

/** Wraps a logger so that every secret in message and fields is replaced. Errors of the logger are ignored. */
export function redactingLogger(logger: Logger, redact: Redactor): Logger {
  if (logger === silentLogger) return logger;
  const redacting: Partial<Record<(typeof LEVELS)[number], Logger["info"]>> = {};
  for (const level of LEVELS) {
    redacting[level] = (message, fields) => {
      try {
        if (fields === undefined) logger[level](redact(message));
        else logger[level](redact(message), redact(fields));
      } catch {
        // Logging must not interrupt the caller.
      }
    };
  }
  return { ...silentLogger, ...redacting };
}
