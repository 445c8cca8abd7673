/** The part of a text around a position, at most `most` characters; 0: nothing. */
export function shortened(text: string, most: number, around = 0, length = 0): string {
  if (text.length <= most) return text;
  const before = Math.max(0, Math.floor((most - length) / 3));
  let from = Math.max(0, Math.min(around - before, text.length - most));
  let to = Math.min(text.length, Math.max(from + most, around + length));
  // Cuts between words, if there are blanks.
  if (from > 0) {
    const blank = text.indexOf(" ", from);
    if (blank !== -1 && blank < around) from = blank + 1;
  }
  if (to < text.length) {
    const blank = text.lastIndexOf(" ", to);
    if (blank > Math.max(around + length, from + most / 2)) to = blank;
  }
  const part = text.slice(from, to).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
  return `${from > 0 ? "…" : ""}${part}${to < text.length ? "…" : ""}`;
}
