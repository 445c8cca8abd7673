import { ConflictError } from "../../errors.ts";
import type { JsonValue, Store } from "../../store/index.ts";

const MAX_TRIES = 8;

/** One document per person. */
export interface PersonDocument<T> {
  read(user: string): Promise<T>;
  /**
   * Changes the document by compare-and-set; runs `decide` again on the newest state after a conflict, 8 tries at most.
   * If `next` is `null`, nothing is written. Contract: resolved = durable.
   */
  change<R>(user: string, decide: (known: T) => { readonly next: T | null; readonly result: R }): Promise<R>;
}

/**
 * @param empty The value if there is no document.
 * @param get Reads the document. `getIndex` for one that is dropped when it cannot be read.
 */
export function personDocument<T>(
  store: Pick<Store, "get" | "put" | "remove">,
  keyOf: (user: string) => string,
  empty: T,
  get = (from: Pick<Store, "get" | "remove">, key: string) => from.get(key),
): PersonDocument<T> {
  async function load(user: string) {
    const found = await get(store, keyOf(user));
    // only this module writes it
    return {
      known: found === null ? empty : { ...empty, ...(found.value as unknown as T) },
      version: found?.version ?? null,
    };
  }

  return {
    read: async (user) => (await load(user)).known,
    async change(user, decide) {
      for (let tries = 1; ; tries += 1) {
        const { known, version } = await load(user);
        const { next, result } = decide(known);
        if (next === null) return result;
        try {
          await store.put(keyOf(user), next as unknown as JsonValue, { expect: version }); // plain data
          return result;
        } catch (error) {
          if (!ConflictError.is(error) || tries === MAX_TRIES) throw error;
        }
      }
    },
  };
}
