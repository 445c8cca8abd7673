// The control characters are intended: NUL is one of the characters to encode.
// oxlint-disable-next-line no-control-regex -- the characters that are encoded
const OUTSIDE = /[\u0000\u0001\ud800-\uffff]/g;
// oxlint-disable-next-line no-control-regex -- the characters that are encoded
const ENCODED = /\u0001[\u0001\u0002]|[\u{10000}-\u{127ff}]/gu;

/**
 * Encodes a key for a backend that compares keys by their UTF-8 bytes and cannot store NUL. The byte order of encoded
 * keys is the order of the keys' UTF-16 code units. Two keys never give the same text (half surrogate pairs
 * included), and the encoding of a prefix is a prefix of the encoding. Ordinary keys stay as they are.
 *
 * UTF-8 sorts a surrogate pair after U+FFFF, code units sort it before U+E000. Each unit from U+D800 on is therefore
 * moved, one by one, into the plane above.
 */
export function encodeOrderedKey(key: string): string {
  return key.replace(OUTSIDE, (unit) => {
    const code = unit.charCodeAt(0);
    return code < 2 ? `\u0001${String.fromCharCode(code + 1)}` : String.fromCodePoint(0x10000 + code - 0xd800);
  });
}

/** Returns the key that `encodeOrderedKey` was given. */
export function decodeOrderedKey(encoded: string): string {
  return encoded.replace(ENCODED, (text) => {
    const code = text.codePointAt(0) ?? 0;
    return code === 1 ? String.fromCharCode(text.charCodeAt(1) - 1) : String.fromCharCode(code - 0x10000 + 0xd800);
  });
}

/**
 * Returns the range of encoded keys that start with `prefix` and come after `after`: from `start` (left out if
 * `exclusive`) up to, but not including, `end`.
 */
export function orderedKeyRange(prefix: string, after?: string): { start: string; exclusive: boolean; end: string } {
  const exclusive = after !== undefined && after >= prefix;
  // No encoded key holds U+10FFFF, so it ends every range.
  return {
    start: encodeOrderedKey(exclusive ? after : prefix),
    exclusive,
    end: `${encodeOrderedKey(prefix)}\u{10ffff}`,
  };
}
