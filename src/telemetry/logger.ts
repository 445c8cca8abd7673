import type { Redactor } from "./redact.ts";

/** What a line carries besides its message; names as in the code (`turn`, `session`, `error`). */
export type LogFields = { readonly [name: string]: unknown };

/**
 * Where the program tells people what it does. Any structured logger fits with a few lines.
 * Contract: never throws, and returns at once.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

const ignore = () => {};

/** Tells nobody anything: the default in a host program. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

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
