/** The first `most` characters of a text, without half a surrogate pair at the end. */
export function headOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
}

/** Cuts a text of more than `most` characters to `kept` of them, and `…`. */
export function shortened(text: string, most: number, kept = most): string {
  return text.length <= most ? text : `${headOf(text, kept)}…`;
}

/** A text in one line, without invisible characters. */
export function inOneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}\s]+/gu, " ").trim();
}
