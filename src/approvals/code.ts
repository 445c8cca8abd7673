import { newCode as drawCode, readCode as readCodeOf } from "../codes.ts";

/** Other kinds of codes have other lengths, so that one is never taken for another. */
const LENGTH = 6;

/**
 * A code for people to type. It names a request and grants no right, because the person who answers is checked. There
 * are 30^6 codes; one that is taken is drawn again.
 */
export function newCode(): string {
  return drawCode(LENGTH);
}

/** Reads a typed code in any case, without blanks and dashes. `null` if it is invalid. */
export function readCode(text: string): string | null {
  return readCodeOf(text, LENGTH);
}
