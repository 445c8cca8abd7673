import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import { readBody as readBytes } from "../guard/index.ts";
import { withTimeout } from "../time-limit.ts";
import { findJsonError } from "./json-error.ts";
import { ProblemError } from "./problem.ts";

/** Longest body of an API request, in bytes. */
export const MAX_BODY_BYTES = 1_048_576;

/** Longest body of a call that may bring files: one of 5 MiB in base64, and text of up to `MAX_BODY_BYTES`. */
export const MAX_FILES_BODY_BYTES = 8 * 1_048_576;

/** How long a body may take to arrive, in milliseconds. */
export const BODY_TIMEOUT_MS = 10_000;

/** Refuses a body whose declared length is over the limit, before anything of it is read. @throws `BODY_TOO_LARGE` */
export function refuseLargeBody(request: Request, maxBytes: number): void {
  if (Number(request.headers.get("content-length") ?? 0) <= maxBytes) return;
  throw new AssistantError("BODY_TOO_LARGE", `The body is larger than ${maxBytes} bytes: send less in one request`);
}

/**
 * Reads a body whole, counting bytes as they arrive, whatever length was declared.
 *
 * @throws `BODY_TOO_LARGE` over `maxBytes`, `REQUEST_TIMEOUT` when it takes longer than `BODY_TIMEOUT_MS`, `ENCODING_UNSUPPORTED` when it is
 * compressed: nothing is inflated, so a small body cannot become a large one.
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
 * The same request with its body read, for a library that reads requests itself and has no limits of its own.
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

/** Refuses a compressed body before anything of it is read. @throws {ProblemError} `ENCODING_UNSUPPORTED`. */
function refuseEncoded(request: Request): void {
  const encoding = (request.headers.get("content-encoding") ?? "").trim();
  if (encoding === "" || /^identity$/i.test(encoding)) return;
  throw new ProblemError("ENCODING_UNSUPPORTED", "The body is compressed: send it as it is, without Content-Encoding", {
    headers: { "accept-encoding": "identity" },
  });
}

/** Waits for what reads a request, at most `timeoutMs`. @throws {ProblemError} `REQUEST_TIMEOUT`. */
export function withinTime<T>(work: Promise<T>, clock: Clock, timeoutMs: number): Promise<T> {
  return withTimeout(clock, timeoutMs, work, () => {
    throw new ProblemError(
      "REQUEST_TIMEOUT",
      `The body did not arrive within ${timeoutMs / 1000} seconds: send it again`,
    );
  });
}

/** Reads a JSON body. @throws {ProblemError} As `readBody`, and `OPTION_INVALID` with the line and column of what is not JSON. */
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
