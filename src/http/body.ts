import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import { readBody as readBytes } from "../guard/index.ts";
import { withTimeout } from "../time-limit.ts";
import { findJsonError } from "./json-error.ts";
import { ProblemError } from "./problem.ts";

/** Maximum body of an API request, in bytes. */
export const MAX_BODY_BYTES = 1_048_576;

/** Maximum body of a call with files: 5 MiB in base64, and text of up to `MAX_BODY_BYTES`. */
export const MAX_FILES_BODY_BYTES = 8 * 1_048_576;

/** Time limit for a body to arrive, in milliseconds. */
export const BODY_TIMEOUT_MS = 10_000;

/**
 * Refuses a body whose declared length is over the limit, before reading it.
 * @throws {AssistantError} `BODY_TOO_LARGE`.
 */
export function refuseLargeBody(request: Request, maxBytes: number): void {
  if (Number(request.headers.get("content-length") ?? 0) <= maxBytes) return;
  throw new AssistantError("BODY_TOO_LARGE", `The body is larger than ${maxBytes} bytes: send less in one request`);
}

/**
 * Reads a whole body. Counts the bytes as they arrive, regardless of the declared length.
 *
 * @throws `BODY_TOO_LARGE` over `maxBytes`; `REQUEST_TIMEOUT` after `BODY_TIMEOUT_MS`; `ENCODING_UNSUPPORTED` for a
 * compressed body. Nothing is inflated, so a small body cannot become a large one.
 */
export async function readBody(
  request: Request,
  clock: Clock,
  maxBytes: number = MAX_BODY_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  refuseEncoded(request);
  return withinTime(readBytes(request, { maxBytes }), clock, BODY_TIMEOUT_MS);
}

/**
 * Returns the same request with its body read, for a library that reads requests itself without limits.
 *
 * @throws As `readBody`.
 */
export async function bufferedRequest(
  request: Request,
  clock: Clock,
  maxBytes: number = MAX_BODY_BYTES,
): Promise<Request> {
  const { url, method, headers, signal } = request;
  if (method === "GET" || method === "HEAD") return request;
  const body = await readBody(request, clock, maxBytes);
  return new Request(url, { method, headers, signal, body });
}

/** Refuses a compressed body before reading it. @throws {ProblemError} `ENCODING_UNSUPPORTED`. */
function refuseEncoded(request: Request): void {
  const encoding = (request.headers.get("content-encoding") ?? "").trim();
  if (encoding === "" || /^identity$/i.test(encoding)) return;
  throw new ProblemError("ENCODING_UNSUPPORTED", "The body is compressed: send it as it is, without Content-Encoding", {
    headers: { "accept-encoding": "identity" },
  });
}

/** Waits for the reader of a request, at most `timeoutMs` milliseconds. @throws {ProblemError} `REQUEST_TIMEOUT`. */
export function withinTime<T>(work: Promise<T>, clock: Clock, timeoutMs: number): Promise<T> {
  return withTimeout(clock, timeoutMs, work, () => {
    throw new ProblemError(
      "REQUEST_TIMEOUT",
      `The body did not arrive within ${timeoutMs / 1000} seconds: send it again`,
    );
  });
}

/**
 * Reads a JSON body.
 * @throws {ProblemError} As `readBody`, and `OPTION_INVALID` with line and column of a syntax error.
 */
export async function readJson(request: Request, clock: Clock, maxBytes: number = MAX_BODY_BYTES): Promise<unknown> {
  const bytes = await readBody(request, clock, maxBytes);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ProblemError("OPTION_INVALID", "The body is not UTF-8: send JSON in UTF-8");
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (text.trim() === "") throw new ProblemError("OPTION_INVALID", "The body is empty: send a JSON object");
    const position = findJsonError(text) ?? { offset: 0, line: 1, column: 1 };
    const found =
      position.offset >= text.length ? "it ends too early" : `unexpected ${JSON.stringify(text[position.offset])}`;
    throw new ProblemError(
      "OPTION_INVALID",
      `The body is not JSON at line ${position.line}, column ${position.column}: ${found}`,
      { members: { position } },
    );
  }
}
