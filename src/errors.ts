/** The kinds of errors, for code to branch on. docs/errors.md lists each code with its meaning and remedy. */
export type ErrorCode =
  | "ABORTED"
  | "BODY_TOO_LARGE"
  | "BUDGET_EXCEEDED"
  | "CHANNEL_REJECTED"
  | "CHANNEL_UNAVAILABLE"
  | "CONFIG_INVALID"
  | "CONFLICT"
  | "CONTENT_FILTERED"
  | "CONTEXT_OVERFLOW"
  | "FETCH_FAILED"
  | "FORBIDDEN"
  | "FORMAT_TOO_NEW"
  | "GONE"
  | "MODEL_UNAVAILABLE"
  | "NOT_FOUND"
  | "OPTION_INVALID"
  | "QUEUE_FULL"
  | "SKILL_REFUSED"
  | "STOPPED"
  | "STORE_FULL"
  | "STORE_LOCKED"
  | "STORE_UNAVAILABLE"
  | "STORE_UNSUITABLE"
  | "TURN_TIMEOUT"
  | "UNAUTHORIZED"
  | "URL_REFUSED"
  | "WORKSPACE_REFUSED";

const MARKER: unique symbol = Symbol.for("wakeful.error") as never;

/** A condition that a caller should handle. Branch on `code`; the message is for people and says what to do. */
export class AssistantError extends Error {
  override readonly name: string = "AssistantError";
  /** The kind of error, to branch on. docs/errors.md lists every code. */
  readonly code: ErrorCode;
  /** Identifies the error where two copies of the package are loaded and `instanceof` fails. */
  readonly [MARKER] = true;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /** True for an `AssistantError` of any copy of this package, which `instanceof` would miss. */
  static is(error: unknown, code?: ErrorCode): error is AssistantError {
    return error instanceof Error && MARKER in error && (code === undefined || (error as AssistantError).code === code);
  }
}

/** A compare-and-set found another version or sequence number than expected: another write came first. */
export class ConflictError extends AssistantError {
  override readonly name = "ConflictError";
  /** The current state: a document's version (`null` when there is none) or a log's last sequence number. */
  readonly actual: string | number | null;

  constructor(message: string, actual: string | number | null) {
    super("CONFLICT", message);
    this.actual = actual;
  }

  static override is(error: unknown): error is ConflictError {
    return AssistantError.is(error, "CONFLICT");
  }
}

/** The store did not take or give something: the same may do a moment later. */
export function isOfStore(error: unknown): boolean {
  return AssistantError.is(error, "STORE_UNAVAILABLE") || AssistantError.is(error, "STORE_FULL");
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Says what a function takes. @param expected With its article. */
export function wrongCall(what: string, call: string, expected: string, got: unknown): AssistantError {
  return new AssistantError(
    "OPTION_INVALID",
    `Invalid ${what} for ${call}(): expected ${expected}, got ${JSON.stringify(got)}`,
  );
}
