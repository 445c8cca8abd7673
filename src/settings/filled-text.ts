import * as v from "valibot";

/** A field of a file that people write: a text without blanks around it, not longer than so many characters. */
export function filledText(most: number) {
  const message = `expected a text of 1 to ${most} characters`;
  return v.pipe(v.string(message), v.trim(), v.minLength(1, message), v.maxLength(most, message));
}
