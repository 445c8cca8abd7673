import { messageOf } from "../errors.ts";
import type { JsonValue } from "../store/index.ts";
import type { Artifacts } from "./artifacts.ts";

/**
 * Default of `artifacts.thresholdBytes`: 16 KiB. A prompt shows no more of one result,
 * so a higher value has no effect.
 */
export const DEFAULT_THRESHOLD_BYTES = 16_384;
/** Bytes reserved for the mark between beginning and end. */
const MARK_BYTES = 400;

/** Tools that page through long content themselves. */
const PAGING_TOOLS: ReadonlySet<string> = new Set(["artifact_read", "file_read"]);

export interface LongResultsOptions {
  readonly artifacts: Artifacts;
  /** Results with more bytes are stored as an artifact. Default 16 KiB. */
  readonly thresholdBytes?: number | undefined;
  /** Called if a result could not be stored. */
  readonly onFailure?: (error: unknown) => void;
}

/** The call of a result. */
export interface LongResultCall {
  /** The tool's full name. */
  readonly name: string;
  readonly callId: string;
  readonly sessionKey: string;
  readonly user: string;
}

/**
 * Creates a function that stores long results. A result over the threshold becomes an artifact of the session. It is
 * replaced by its beginning, its end, and between them how to read the rest.
 *
 * Contract: never throws; a result that cannot be stored is cut and says so. Pass redacted output.
 *
 * Source: docs/artifacts.md, "Long results".
 */
export function createLongResults(options: LongResultsOptions) {
  const { artifacts, thresholdBytes = DEFAULT_THRESHOLD_BYTES, onFailure = () => {} } = options;

  async function keep(text: string, isText: boolean, call: LongResultCall): Promise<string | undefined> {
    const { name, callId, sessionKey, user } = call;
    try {
      const written = await artifacts.write(sessionKey, {
        name: `result of ${name}`,
        content: text,
        mediaType: isText ? "text/plain" : "application/json",
        user,
        origin: "result",
        callId,
      });
      if (written.ok) return written.artifact.id;
      onFailure(new Error(`The result of ${name} was not kept as ${written.reason}`));
    } catch (error) {
      onFailure(new Error(`The result of ${name} was not kept: ${messageOf(error)}`, { cause: error }));
    }
    return undefined;
  }

  return async function keepLongResult(output: JsonValue, call: LongResultCall): Promise<JsonValue> {
    // A text has at most three bytes per UTF-16 unit, and most results are short.
    const isText = typeof output === "string" && !/\p{Surrogate}/u.test(output);
    if (isText && output.length * 3 <= thresholdBytes) return output;
    if (PAGING_TOOLS.has(call.name)) return output;
    const compact = isText ? output : JSON.stringify(output);
    if (compact.length * 3 <= thresholdBytes || new TextEncoder().encode(compact).byteLength <= thresholdBytes)
      return output;

    // Stored with line breaks, so that it can be read in parts. Offsets refer to the stored text.
    const text = isText ? output : JSON.stringify(output, null, 1);
    const id = await keep(text, isText, call);
    return cut(text, Math.max(0, thresholdBytes - MARK_BYTES), id);
  };
}

/** Keeps three quarters of the room from the beginning and one quarter from the end. */
function cut(text: string, roomBytes: number, id: string | undefined): string {
  const head = withinBytes(text, Math.floor((roomBytes * 3) / 4));
  const tail = fromEndWithinBytes(text, Math.floor(roomBytes / 4));
  const left = text.length - head.length - tail.length;
  const rest =
    id === undefined
      ? "they could not be kept: ask for less"
      : `read them with artifact_read ${JSON.stringify({ id, offset: head.length })}`;
  return `${head}\n… ${left} of ${text.length} characters are left out: ${rest} …\n${tail}`;
}

function withinBytes(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}

function fromEndWithinBytes(text: string, bytes: number): string {
  let at = text.length;
  for (let left = bytes; at > 0;) {
    const code = text.codePointAt(at - 2) ?? 0;
    const width = code > 0xffff ? 2 : 1;
    left -= width === 2 ? 4 : utf8Bytes(text.charCodeAt(at - 1));
    if (left < 0) break;
    at -= width;
  }
  return text.slice(at);
}

function utf8Bytes(code: number): number {
  if (code < 0x80) return 1;
  return code < 0x800 ? 2 : 3;
}
