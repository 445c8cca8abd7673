/** The beginning of a text, never with half a character at its end. */
export function headOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "");
}

/** A text that is longer than `most` characters is cut: `kept` of them, and `…`. */
export function shortened(text: string, most: number, kept = most): string {
  return text.length <= most ? text : `${headOf(text, kept)}…`;
}

/** A text in one line, without what is not seen. */
export function inOneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}\s]+/gu, " ").trim();
}
