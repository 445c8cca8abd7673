import * as v from "valibot";

/** Schema of a text field in a file that people write: trimmed, with 1 to `most` characters. */
export function filledText(most: number) {
  const message = `expected a text of 1 to ${most} characters`;
  return v.pipe(v.string(message), v.trim(), v.minLength(1, message), v.maxLength(most, message));
}
