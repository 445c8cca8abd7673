import { digestOf } from "../hash.ts";

/**
 * Tells whether a given text equals the secret. Contract: its duration reveals nothing about either; always false for
 * a missing or empty text.
 */
export type SecretCheck = (given: string | null | undefined) => Promise<boolean>;

/**
 * Creates a check of texts against one secret, whose hash is computed once. Both sides are hashed before the
 * comparison, so neither the length nor a common prefix shows.
 *
 * @example
 * ```ts
 * const isSecret = createSecretCheck(secret);
 * await isSecret(request.headers.get("x-secret"));
 * ```
 */
export function createSecretCheck(secret: string): SecretCheck {
  // Caches the hash, not a promise of it: on Workers a promise made in one request must not be awaited in another.
  let expected: Uint8Array | undefined;
  return async (given) => {
    const actual = await digest(given ?? "");
    expected ??= await digest(secret);
    let difference = 0;
    for (let index = 0; index < actual.length; index++) difference |= (actual[index] ?? 0) ^ (expected[index] ?? 0);
    return difference === 0 && secret !== "";
  };
}

/** `createSecretCheck(expected)(given)`, for a secret that is looked up for each request. */
export function timingSafeEqual(given: string | null | undefined, expected: string): Promise<boolean> {
  return createSecretCheck(expected)(given);
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await digestOf(text));
}
