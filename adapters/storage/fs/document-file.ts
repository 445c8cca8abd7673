import { createHash, randomUUID } from "node:crypto";
import { AssistantError } from "../../../mod.ts";
import { messageOf } from "../../../kit.ts";
import type { JsonValue } from "../../../mod.ts";
import type { Value, Version } from "../../../kit.ts";
import { FORMAT_VERSION, refuseNewer } from "./log-line.ts";

/**
 * Content of a document's file. Text is stored byte for byte. JSON is pretty-printed in an envelope: `{ "v": 1,
 * "version": "…", "value": … }`, where each write makes a new `version`. Bytes are stored as they are.
 *
 * The content alone tells the kind. Values that would be read as another kind therefore go into an envelope too: text
 * that begins like an envelope or is not valid Unicode (`"text"`), and bytes that are valid UTF-8 (`"base64"`). Under
 * a key that ends in `.json` the file is always JSON: an envelope, or JSON that a person wrote without one.
 */
const ENVELOPE = /^\s*\{\s*"v"\s*:/;
const HALF_PAIR = /\p{Surrogate}/u;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @throws {TypeError} If JSON cannot hold the value. */
export function encodeDocument(key: string, value: Value): Uint8Array {
  if (typeof value === "string") {
    const plain = !ENVELOPE.test(value) && !HALF_PAIR.test(value) && !key.endsWith(".json");
    return new TextEncoder().encode(plain ? value : envelope({ text: value }));
  }
  if (value instanceof Uint8Array) {
    // A copy, since the caller may change its bytes during the write.
    return decoded(value) === undefined && !key.endsWith(".json")
      ? value.slice()
      : new TextEncoder().encode(envelope({ base64: Buffer.from(value).toString("base64") }));
  }
  if (value === undefined || typeof value === "function" || typeof value === "symbol") {
    throw new TypeError(`Cannot put ${JSON.stringify(key)}: expected JSON, a text or bytes, found ${typeof value}`);
  }
  try {
    return new TextEncoder().encode(envelope({ value }));
  } catch (cause) {
    throw new TypeError(`Cannot put ${JSON.stringify(key)}: ${messageOf(cause)}`, { cause });
  }
}

function envelope(content: { value: JsonValue } | { text: string } | { base64: string }): string {
  return `${JSON.stringify({ v: FORMAT_VERSION, version: randomUUID(), ...content }, null, 2)}\n`;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Throws `STORE_UNSUITABLE` for a damaged envelope: a document must never be read as another kind, or as empty. */
export function decodeDocument(key: string, file: string, bytes: Uint8Array): Value {
  const text = decoded(bytes);
  if (text === undefined) return bytes;
  const json = key.endsWith(".json");
  if (!ENVELOPE.test(text) && !json) return text;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw unreadable(file, messageOf(cause), cause);
  }
  if (typeof parsed !== "object" || parsed === null || !ENVELOPE.test(text)) return parsed as JsonValue; // JSON.parse returns JSON
  const { v, value, text: inner, base64 } = parsed as { [name: string]: unknown };
  refuseNewer(v, file);
  if (typeof inner === "string") return inner;
  if (typeof base64 === "string") return new Uint8Array(Buffer.from(base64, "base64"));
  if (value === undefined) throw unreadable(file, 'it has no field "value"');
  return value as JsonValue; // JSON.parse returns JSON
}

function unreadable(file: string, detail: string, cause?: unknown): AssistantError {
  return new AssistantError(
    "STORE_UNSUITABLE",
    `Cannot read ${JSON.stringify(file)}: ${detail}; fix the JSON by hand, or restore the file from a backup`,
    { cause },
  );
}

/** A document's version is the hash of its file's bytes, so an edit by hand is a new version too. */
export function versionOf(bytes: Uint8Array): Version {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 32);
}
