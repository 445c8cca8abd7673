import { AssistantError } from "../errors.ts";

/**
 * Reads the body of a request, at most `maxBytes` bytes. Bytes are counted as they arrive, regardless of the headers.
 *
 * @throws {AssistantError} `BODY_TOO_LARGE` as soon as there are more; the rest is not read.
 */
export async function readBody(request: Request, options: { maxBytes: number }): Promise<Uint8Array<ArrayBuffer>> {
  const { maxBytes } = options;
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > maxBytes) throw tooLarge(maxBytes);

  // HTTP servers limit a body to its declared length, and reading it at once is several times faster than reading a
  // stream.
  if (declared !== null && request.headers.get("transfer-encoding") === null) {
    const body = new Uint8Array(await request.arrayBuffer());
    if (body.byteLength > maxBytes) throw tooLarge(maxBytes);
    return body;
  }
  if (request.body === null) return new Uint8Array();

  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > maxBytes) {
      void reader.cancel().catch(() => {});
      throw tooLarge(maxBytes);
    }
    chunks.push(value);
  }
  const body = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}

/**
 * Parses a body as JSON.
 *
 * @throws {AssistantError} `OPTION_INVALID` if it is not UTF-8 or not JSON.
 */
export function parseJsonBody(body: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch (cause) {
    throw new AssistantError("OPTION_INVALID", "Cannot read the body as it is not UTF-8: send JSON in UTF-8", {
      cause,
    });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AssistantError("OPTION_INVALID", "Cannot read the body as it is not JSON: send one JSON value", {
      cause,
    });
  }
}

function tooLarge(maxBytes: number): AssistantError {
  return new AssistantError("BODY_TOO_LARGE", `Cannot read the body as it is larger than ${maxBytes} bytes: send less`);
}
