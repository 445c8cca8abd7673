import { AssistantError } from "../../mod.ts";

/** Exit codes of commands; docs/cli.md lists them. */
export const EXIT = {
  ok: 0,
  /** Something failed: a check of `doctor`, a model, the store. */
  failed: 1,
  /** Wrong usage of the command, or a wrong configuration. */
  usage: 2,
  /** Another process uses the data. */
  locked: 3,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** Wrong usage of a command. The message is one sentence that says how to correct it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A failure that has already been explained, or that needs its own code. */
export class ExitError extends Error {
  override readonly name = "ExitError";
  readonly code: number;

  constructor(code: number, message = "") {
    super(message);
    this.code = code;
  }
}

/** A server refuses the token. */
export class NotSignedIn extends ExitError {}

export function exitCodeOf(error: unknown): number {
  if (error instanceof ExitError) return error.code;
  if (
    error instanceof UsageError ||
    AssistantError.is(error, "CONFIG_INVALID") ||
    AssistantError.is(error, "OPTION_INVALID")
  )
    return EXIT.usage;
  return AssistantError.is(error, "STORE_LOCKED") ? EXIT.locked : EXIT.failed;
}
