/** `chars`: UTF-16 code units, as JavaScript and Telegram count. `bytes`: UTF-8. */
export type LengthUnit = "chars" | "bytes";

/** The length of `text` between two indexes. */
export function measure(text: string, from: number, to: number, unit: LengthUnit): number {
  if (unit === "chars") return to - from;
  let bytes = 0;
  for (let index = from; index < to; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (isPair(text, index + 1)) {
      bytes += 4;
      index++;
    } else bytes += 3;
  }
  return bytes;
}

/** The greatest index at most `length` after `from` that is not inside a surrogate pair. */
export function reach(text: string, from: number, length: number, unit: LengthUnit): number {
  if (unit === "chars") {
    const index = Math.min(text.length, from + length);
    return isPair(text, index) ? index - 1 : index;
  }
  let index = from;
  for (let bytes = 0; index < text.length;) {
    const next = isPair(text, index + 1) ? index + 2 : index + 1;
    bytes += measure(text, index, next, unit);
    if (bytes > length) break;
    index = next;
  }
  return index;
}

/** Whether `index` is between the halves of a surrogate pair. */
function isPair(text: string, index: number): boolean {
  const high = text.charCodeAt(index - 1);
  const low = text.charCodeAt(index);
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
}
