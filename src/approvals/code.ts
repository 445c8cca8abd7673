import { newCode as drawCode, readCode as readCodeOf } from "../codes.ts";

/** Codes of other things have other lengths, so that one is never taken for another. */
const LENGTH = 6;

/**
 * A code for people to type. It names a request; it gives no right: whoever answers is checked.
 * 30^6 codes, and a taken one is drawn again.
 */
export function newCode(): string {
  return drawCode(LENGTH);
}

/** The code that a person meant: letters in any case, blanks and dashes left out. `null` when it cannot be one. */
export function readCode(text: string): string | null {
  return readCodeOf(text, LENGTH);
}
