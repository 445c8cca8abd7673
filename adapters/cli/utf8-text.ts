const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes a file as the stores do; `undefined` when it is not valid UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
