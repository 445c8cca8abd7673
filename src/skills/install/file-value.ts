import type { Value } from "../../store/index.ts";

/** Returns a file as a store value: text if it is valid UTF-8, so that people can read and edit it, otherwise bytes. */
export function valueOfFile(bytes: Uint8Array): Value {
  if (bytes.includes(0)) return bytes;
  try {
    // `ignoreBOM` keeps a byte order mark, so that the stored file has the same hash as the written one.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
}

/** Returns the bytes of a document. Some stores return a JSON file that people wrote as its parsed value. */
export function bytesOfValue(value: Value): Uint8Array {
  if (value instanceof Uint8Array) return value;
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
}
