import { ConflictError } from "../../errors.ts";
import { type JsonValue, type Store, type Value, isObject, storeKey } from "../../store/index.ts";

/** What is remembered of the work on a person's memory, beside the files that people read. Goes with everything else of the person. */
export function stateKey(userId: string, name: string): string {
  return storeKey("memory", userId, ".state", `${name}.json`);
}

/** How often a document that others write too is tried again. */
const TRIES = 6;

/**
 * Reads a document, changes it and writes it back only if nobody else wrote it meanwhile; otherwise once more from the start.
 *
 * @param change What it becomes; `undefined`: nothing is written.
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

/** The fields of a JSON document; none when it is something else. */
export function fieldsOf(value: Value | undefined | null): { readonly [name: string]: JsonValue | undefined } {
  return isObject(value) && !(value instanceof Uint8Array) ? value : {};
}
