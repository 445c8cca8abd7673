import { newCode, readCode } from "../codes.ts";

/** Eight letters, 30^8 codes. Codes of requests for approval have six, so the two cannot be confused. */
const PAIRING_LENGTH = 8;
/** Twelve letters, 58 bits: this code grants a right, while the others only name something. */
const OWNER_LENGTH = 12;

export function newPairingCode(): string {
  return newCode(PAIRING_LENGTH);
}

/** Reads a typed code in any case, without blanks and dashes. `null` if it is invalid. */
export function readPairingCode(text: string): string | null {
  return readCode(text, PAIRING_LENGTH);
}

/**
 * Whether the word after `/approve` or `/deny` has the form of a code of a request to be let in. Pure; does not
 * check that the request exists.
 */
export function isPairingCode(text: string): boolean {
  return readPairingCode(text) !== null;
}

/** A new owner code, formatted as three groups of four. */
export function newOwnerCode(): string {
  return newCode(OWNER_LENGTH).replaceAll(/.{4}(?=.)/g, "$&-");
}

const OWNER_COMMAND = /^\s*\/owner(?:@\S{1,64})?\s+(\S.{0,63})$/is;

/** The word after `/owner`. `null`: the text is something else. */
export function readOwnerCommand(text: string): string | null {
  return OWNER_COMMAND.exec(text)?.[1] ?? null;
}

/** A typed owner code in canonical form, for comparing hashes; empty if it is invalid. */
export function ownerCodeOf(text: string): string {
  return readCode(text, OWNER_LENGTH) ?? "";
}
