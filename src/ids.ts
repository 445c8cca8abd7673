import type { Clock } from "./clock.ts";
import { digestOf } from "./hash.ts";

/** Crockford's base 32: no letter that looks like a digit. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

let next: ((nowMs: number) => string) | undefined;

/**
 * A new ULID (https://github.com/ulid/spec): 26 characters, sorts by time, and within one process always after the
 * previous one. The generator is created on first use, because Workers forbid randomness while a module loads.
 */
export function newId(clock: Pick<Clock, "now">): string {
  next ??= ulids();
  return next(clock.now());
}

/**
 * A deterministic ULID of a time and a name: repeated work gets the same id and overwrites its earlier result.
 *
 * @param timeMs Milliseconds since the epoch.
 */
export async function idOf(timeMs: number, name: string): Promise<string> {
  return timeText(timeMs) + hashDigits(await digestOf(name), RANDOM_DIGITS);
}

/** A hash in the digits of ids, 5 bits each: at most 32 of them. */
export function hashDigits(hash: ArrayBuffer, count: number): string {
  return Array.from(new Uint8Array(hash, 0, count), (byte) => DIGITS.charAt(byte % 32)).join("");
}

function ulids(): (nowMs: number) => string {
  const randomDigit = pooledDigits();
  const random = new Uint8Array(RANDOM_DIGITS);
  let lastMs = -1;
  let time = "";
  return (nowMs) => {
    if (nowMs > lastMs) {
      lastMs = nowMs;
      time = timeText(nowMs);
      for (let place = 0; place < RANDOM_DIGITS; place += 1) random[place] = randomDigit();
      // Leaves room to count up, so that one millisecond does not run out of ids.
      random[0] = (random[0] ?? 0) >> 1;
    } else {
      increment(random);
    }
    let id = time;
    for (const digit of random) id += DIGITS.charAt(digit);
    return id;
  };
}

function timeText(nowMs: number): string {
  let text = "";
  let left = nowMs;
  for (let place = 0; place < TIME_DIGITS; place += 1) {
    text = DIGITS.charAt(left % 32) + text;
    left = Math.floor(left / 32);
  }
  return text;
}

function increment(digits: Uint8Array): void {
  for (let place = digits.length - 1; place >= 0; place -= 1) {
    const digit = (digits[place] ?? 0) + 1;
    digits[place] = digit % 32;
    if (digit < 32) return;
  }
}

/** Fetches random bytes in batches: one call of the runtime for each of an id's 16 digits would be most of its cost. */
function pooledDigits(): () => number {
  const pool = new Uint8Array(1024);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    return (pool[used++] ?? 0) % 32;
  };
}
