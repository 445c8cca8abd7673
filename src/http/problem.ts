import { AssistantError, messageOf, type ErrorCode } from "../errors.ts";
import type { Logger, Redactor } from "../telemetry/index.ts";

/** Error codes: those of `AssistantError`, and those that only a server uses. */
export type ProblemCode =
  | ErrorCode
  | "ENCODING_UNSUPPORTED"
  | "INTERNAL"
  | "METHOD_NOT_ALLOWED"
  | "MISDIRECTED"
  | "NOT_INSTALLED"
  | "RATE_LIMITED"
  | "REQUEST_TIMEOUT"
  | "TOO_MANY_ATTEMPTS";

/**
 * The only table of status and title by code; docs/http.md shows it. `retryAfter`: seconds for the `Retry-After`
 * header.
 */
export const PROBLEMS: Readonly<
  Record<ProblemCode, { readonly status: number; readonly title: string; readonly retryAfter?: number }>
> = {
  ABORTED: { status: 409, title: "The turn was stopped" },
  BODY_TOO_LARGE: { status: 413, title: "The request body is too large" },
  BUDGET_EXCEEDED: { status: 429, title: "The budget for language models is used up" },
  CHANNEL_REJECTED: { status: 401, title: "The webhook is not genuine" },
  CHANNEL_UNAVAILABLE: { status: 502, title: "The messaging platform cannot be reached" },
  CONFIG_INVALID: { status: 500, title: "The configuration is not valid" },
  CONFLICT: { status: 409, title: "It was changed in the meantime" },
  CONTENT_FILTERED: { status: 502, title: "The model's provider refused the content" },
  CONTEXT_OVERFLOW: { status: 502, title: "The prompt is longer than the model accepts" },
  ENCODING_UNSUPPORTED: { status: 415, title: "The request body is compressed" },
  FETCH_FAILED: { status: 502, title: "An address could not be fetched" },
  FORBIDDEN: { status: 403, title: "The caller is not allowed to do this" },
  FORMAT_TOO_NEW: { status: 500, title: "The stored data comes from a newer version" },
  GONE: { status: 410, title: "It no longer exists" },
  INTERNAL: { status: 500, title: "An internal error occurred" },
  METHOD_NOT_ALLOWED: { status: 405, title: "The route does not support this method" },
  MISDIRECTED: { status: 421, title: "This server does not answer to that host name" },
  MODEL_UNAVAILABLE: { status: 502, title: "No model answered" },
  NOT_FOUND: { status: 404, title: "Not found" },
  NOT_INSTALLED: { status: 501, title: "A library is missing" },
  OPTION_INVALID: { status: 400, title: "The request is not valid" },
  QUEUE_FULL: { status: 429, title: "Too many messages are waiting", retryAfter: 10 },
  RATE_LIMITED: { status: 429, title: "Too many requests", retryAfter: 60 },
  REQUEST_TIMEOUT: { status: 408, title: "The request body took too long to arrive" },
  SKILL_REFUSED: { status: 422, title: "The skill cannot be installed" },
  STOPPED: { status: 503, title: "The assistant is stopping", retryAfter: 5 },
  STORE_FULL: { status: 503, title: "The store is full", retryAfter: 30 },
  STORE_LOCKED: { status: 503, title: "Another process owns the store", retryAfter: 30 },
  STORE_UNAVAILABLE: { status: 503, title: "The store cannot be reached", retryAfter: 5 },
  STORE_UNSUITABLE: { status: 500, title: "The store cannot write or read this" },
  TOO_MANY_ATTEMPTS: { status: 429, title: "Too many failed sign-ins" },
  TURN_TIMEOUT: { status: 504, title: "The answer is not ready yet" },
  UNAUTHORIZED: { status: 401, title: "A token is needed" },
  URL_REFUSED: { status: 403, title: "The address may not be fetched" },
  WORKSPACE_REFUSED: { status: 403, title: "The path is outside the workspace" },
};

/** An invalid field of the request. `field` is a path as `messages.0.parts`. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export interface ProblemOptions {
  /** Seconds for `Retry-After`. Default: the table's value. */
  readonly retryAfter?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: readonly FieldError[];
  /** Further members of the document, in snake_case. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** An error with the data of a problem response. Thrown while a request is handled and converted in one place. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly code: ProblemCode;
  readonly options: ProblemOptions;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.code = code;
    this.options = options;
  }
}

/** The stable `type` of a problem. */
function problemType(code: ProblemCode): string {
  return `urn:wakeful:error:${code}`;
}

/** Creates an RFC 9457 problem document. A condition always has the same `type` and `code`. */
export function problem(code: ProblemCode, detail: string, options: ProblemOptions = {}): Response {
  const { status, title, retryAfter } = PROBLEMS[code];
  const seconds = options.retryAfter ?? retryAfter;
  const document = {
    type: problemType(code),
    title,
    status,
    detail,
    code,
    ...(options.errors ? { errors: options.errors } : {}),
    ...options.members,
  };
  return new Response(JSON.stringify(document), {
    status,
    headers: {
      "content-type": "application/problem+json",
      ...(seconds === undefined ? {} : { "retry-after": String(seconds) }),
      ...options.headers,
    },
  });
}

/** Converts any error into a response. Unknown errors are logged, and the caller gets no details. */
export function problemOf(
  error: unknown,
  logger: Pick<Logger, "error">,
  redact: Redactor = (value) => value,
): Response {
  if (error instanceof ProblemError) return problem(error.code, error.message, error.options);
  const code = AssistantError.is(error) && Object.hasOwn(PROBLEMS, error.code) ? error.code : "INTERNAL";
  // Store errors are not shown, since they name folders and hosts.
  if (code !== "INTERNAL" && !code.startsWith("STORE_")) return problem(code, redact(messageOf(error)));
  logger.error("A request failed", {
    error: messageOf(error),
    stack: error instanceof Error ? error.stack : undefined,
  });
  return problem(code, "See the server's log for details; the request can be tried again");
}
