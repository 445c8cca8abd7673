const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a file, as the stores read it; `undefined` for what is none in UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
