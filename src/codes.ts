/** Letters and digits that people do not confuse when they read and type them. */
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A code for people to type. Each character is one of 30, all equally likely, from the runtime's secure source. */
export function newCode(length: number): string {
  let code = "";
  while (code.length < length) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    // Bytes above the last whole multiple would make some letters more likely.
    if (byte < 256 - (256 % ALPHABET.length)) code += ALPHABET[byte % ALPHABET.length];
  }
  return code;
}

/** Parses a typed code of this length: any case, blanks and dashes ignored. `null` when it cannot be one. */
export function readCode(text: string, length: number): string | null {
  const code = text.replaceAll(/[\s-]/g, "").toUpperCase();
  return code.length === length && Array.from(code).every((letter) => ALPHABET.includes(letter)) ? code : null;
}
