const encoder = new TextEncoder();

/**
 * Compares a given text with an expected one in a time that tells nothing about either: both are hashed first, so neither
 * length nor a common beginning shows. An absent or empty text never matches, also when nothing is expected.
 *
 * @example
 * ```ts
 * await timingSafeEqual(request.headers.get("x-secret"), secret);
 * ```
 */
export async function timingSafeEqual(given: string | null | undefined, expected: string): Promise<boolean> {
  const [left, right] = await Promise.all([digest(given ?? ""), digest(expected)]);
  let difference = 0;
  for (let index = 0; index < left.length; index++) difference |= (left[index] ?? 0) ^ (right[index] ?? 0);
  return difference === 0 && expected !== "";
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
}
