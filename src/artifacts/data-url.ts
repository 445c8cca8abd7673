/**
 * Decodes a `data:` URL. `null` if it is invalid; `too-large` for more than `maxBytes`, detected before decoding.
 *
 * Source: RFC 2397.
 */
export function readDataUrl(url: string, maxBytes: number): Uint8Array | "too-large" | null {
  const comma = url.indexOf(",");
  if (!isDataUrl(url) || comma === -1) return null;
  const isBase64 = /;\s*base64\s*$/i.test(url.slice(0, comma));
  const data = url.slice(comma + 1);
  // An escape writes one byte as three characters; base64 writes three bytes as four.
  if (data.length / 4 > maxBytes) return "too-large";
  const bytes = isBase64 ? fromBase64(data) : unescaped(data);
  return bytes && bytes.byteLength > maxBytes ? "too-large" : bytes;
}

export function isDataUrl(url: string): boolean {
  return /^data:/i.test(url);
}

function fromBase64(data: string): Uint8Array | null {
  try {
    const text = atob(data.includes("%") ? new TextDecoder().decode(unescaped(data)) : data);
    const bytes = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
    return bytes;
  } catch {
    return null;
  }
}

/** Decodes escapes: `%41` is the byte 0x41. Other bytes stay. */
function unescaped(data: string): Uint8Array {
  const bytes = new TextEncoder().encode(data);
  let length = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const [high, low] = bytes[index] === 0x25 ? [hexOf(bytes[index + 1]), hexOf(bytes[index + 2])] : [-1, -1];
    const isEscape = high >= 0 && low >= 0;
    bytes[length] = isEscape ? high * 16 + low : (bytes[index] ?? 0);
    length += 1;
    if (isEscape) index += 2;
  }
  return bytes.slice(0, length);
}

/** The value of a hexadecimal digit, or -1. */
function hexOf(byte: number | undefined): number {
  return byte === undefined ? -1 : "0123456789abcdef".indexOf(String.fromCharCode(byte | 0x20));
}
