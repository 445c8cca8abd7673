/** Prefix of a word in a speaker's name, to tell it from the same word in a text. */
export const SPEAKER_MARK = "@s";

const HALF = 0x1_0000_0000;

/**
 * Hashes a text, or a part of one, to a whole number below 2^53. Among a hundred thousand terms the chance of a
 * collision is one in a million.
 */
export function keyOf(text: string, isUnspaced = false, from = 0, to: number = text.length): number {
  let high = 0x2545_f491;
  let low = 0x811c_9dc5;
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x0100_0193);
    high = Math.imul(high ^ unit, 0x5bd1_e995) + (low >>> 7);
  }
  low = mixed(low ^ (to - from));
  high = mixed(high ^ low);
  return ((high & 0xf_ffff) * HALF + (low >>> 0)) * 2 + (isUnspaced ? 1 : 0);
}

/** Whether a key belongs to a token of a script without spaces. */
export function isUnspacedKey(key: number): boolean {
  return key % 2 === 1;
}

/** Hashes a text to 32 bits; only the empty text gives 0. */
export function codeOf(text: string): number {
  return text === "" ? 0 : (keyOf(text) / 2) % HALF || 1;
}

function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return bits ^ (bits >>> 16);
}

/** `codeOf` a text, ignoring case and spaces. */
export function printOf(text: string): number {
  return codeOf(bareText(text));
}

const SPACES = /\s\s|[^\S ]/;

/** Lower-cases a text and collapses its spaces. */
export function bareText(text: string): string {
  const bare = text.trim().toLowerCase();
  return SPACES.test(bare) ? bare.replaceAll(/\s+/g, " ") : bare;
}
