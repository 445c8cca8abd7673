import type { Value } from "../../store/index.ts";

/** What a file is in a store: a text where it is one in UTF-8, so that people can read and edit it; otherwise its bytes. */
export function valueOfFile(bytes: Uint8Array): Value {
  if (bytes.includes(0)) return bytes;
  try {
    // `ignoreBOM` keeps a byte order mark: what is read again has the hash of what was written.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
}

/** The bytes of a document. A JSON file that people wrote comes from some stores as its value. */
export function bytesOfValue(value: Value): Uint8Array {
  if (value instanceof Uint8Array) return value;
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
}
