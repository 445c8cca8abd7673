/** Letters and digits that people do not mix up when they read and type them. */
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 6;

/**
 * A code for people to type. It names a request; it gives no right: whoever answers is checked.
 * 30^6 codes, and a taken one is drawn again.
 */
export function newCode(): string {
  let code = "";
  while (code.length < LENGTH) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    // Bytes above the last whole multiple would make some letters likelier.
    if (byte < 256 - (256 % ALPHABET.length)) code += ALPHABET[byte % ALPHABET.length];
  }
  return code;
}

/** The code that a person meant: letters in any case, blanks and dashes left out. `null` when it cannot be one. */
export function readCode(text: string): string | null {
  const code = text.replaceAll(/[\s-]/g, "").toUpperCase();
  return code.length === LENGTH && Array.from(code).every((letter) => ALPHABET.includes(letter)) ? code : null;
}
