import { ConflictError } from "../../errors.ts";
import { type JsonValue, type Store, type Value, isObject, storeKey } from "../../store/index.ts";

/** Key of a person's internal state, next to the files that people read. It is removed with everything else of the person. */
export function stateKey(userId: string, name: string): string {
  return storeKey("memory", userId, ".state", `${name}.json`);
}

/** Most attempts at a document that others write too. */
const TRIES = 6;

/**
 * Reads a document, changes it and writes it back by compare-and-set; retries from the start if another writer changed
 * it.
 *
 * @param change Returns the new value; `undefined`: writes nothing.
 */
export async function rewrite<Kind extends Value>(
  store: Store,
  key: string,
  change: (value: Value | undefined) => Promise<Kind | undefined> | Kind | undefined,
): Promise<void> {
  for (let left = TRIES; ; left -= 1) {
    const found = await store.get(key);
    const value = await change(found?.value);
    if (value === undefined) return;
    try {
      await store.put(key, value, { expect: found?.version ?? null });
      return;
    } catch (error) {
      if (!ConflictError.is(error) || left <= 1) throw error;
    }
  }
}

/** The fields of a JSON object; none for another value. */
export function fieldsOf(value: Value | undefined | null): { readonly [name: string]: JsonValue | undefined } {
  return isObject(value) && !(value instanceof Uint8Array) ? value : {};
}
