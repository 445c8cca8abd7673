import { newCode, readCode } from "../codes.ts";

/** Eight letters: codes of requests for approval have six, so neither is taken for the other. 30^8 of them. */
const PAIRING_LENGTH = 8;
/** Twelve letters are 58 bits: this code gives a right, where the others only name something. */
const OWNER_LENGTH = 12;

export function newPairingCode(): string {
  return newCode(PAIRING_LENGTH);
}

/** The code that a person meant: letters in any case, blanks and dashes left out. `null` when it cannot be one. */
export function readPairingCode(text: string): string | null {
  return readCode(text, PAIRING_LENGTH);
}

/** Is what stands behind `/approve` or `/deny` the code of somebody who asked to be let in? Pure, and says nothing about whether there is such a request. */
export function isPairingCode(text: string): boolean {
  return readPairingCode(text) !== null;
}

/** As people read it: three groups of four. */
export function newOwnerCode(): string {
  return newCode(OWNER_LENGTH).replaceAll(/.{4}(?=.)/g, "$&-");
}

const OWNER_COMMAND = /^\s*\/owner(?:@\S{1,64})?\s+(\S.{0,63})$/is;

/** What stands behind `/owner`. `null`: the text is another one. */
export function readOwnerCommand(text: string): string | null {
  return OWNER_COMMAND.exec(text)?.[1] ?? null;
}

/** The code in one spelling, so that its hash can be compared; empty for what cannot be one. */
export function ownerCodeOf(text: string): string {
  return readCode(text, OWNER_LENGTH) ?? "";
}
