import type { JsonValue, Value } from "./port.ts";

/** Kind of a document's value. It separates values that have the same bytes: the text `1` is not the number 1. */
export type ValueKind = "text" | "json" | "bytes";

/** A value as a backend stores it: its kind, and text or bytes. */
export type EncodedValue =
  | { readonly kind: "text" | "json"; readonly data: string }
  | { readonly kind: "bytes"; readonly data: Uint8Array };

/** Half of a surrogate pair, which UTF-8 cannot represent. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Returns a value's kind and its text or bytes, which the backend stores together. Bytes are not copied. A text that
 * UTF-8 cannot represent is stored as JSON, which escapes it.
 *
 * @throws {TypeError} If JSON has no form for the value, such as `undefined`.
 */
export function encodeValue(value: Value): EncodedValue {
  if (typeof value === "string" && !LONE_SURROGATE.test(value)) return { kind: "text", data: value };
  if (value instanceof Uint8Array) return { kind: "bytes", data: value };
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined)
    throw new TypeError(`Cannot store a value as it is not JSON, text or bytes: current type is ${typeof value}`);
  return { kind: "json", data: json };
}

/**
 * Returns the value that `encodeValue` was given. Text may be passed as its UTF-8 bytes. Contract: bytes are handed
 * on, not copied.
 */
export function decodeValue(kind: ValueKind, data: string | Uint8Array): Value {
  if (kind === "bytes") return typeof data === "string" ? new TextEncoder().encode(data) : data;
  // `ignoreBOM` keeps a byte order mark, which belongs to the text.
  const text = typeof data === "string" ? data : new TextDecoder("utf-8", { ignoreBOM: true }).decode(data);
  return kind === "text" ? text : (JSON.parse(text) as JsonValue);
}
