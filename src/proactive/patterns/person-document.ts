import { ConflictError } from "../../errors.ts";
import type { JsonValue, Store } from "../../store/index.ts";

const MAX_TRIES = 8;

/** A document for each person. */
export interface PersonDocument<T> {
  read(user: string): Promise<T>;
  /** Decides on the newest state, and again when somebody else wrote first. Contract: resolved = durable. `null`: nothing is written. */
  change<R>(user: string, decide: (known: T) => { readonly next: T | null; readonly result: R }): Promise<R>;
}

/**
 * @param empty How it reads when it is not there.
 * @param get Reads it: `getIndex` where one that cannot be read begins anew.
 */
export function personDocument<T>(
  store: Pick<Store, "get" | "put" | "remove">,
  keyOf: (user: string) => string,
  empty: T,
  get = (from: Pick<Store, "get" | "remove">, key: string) => from.get(key),
): PersonDocument<T> {
  async function load(user: string) {
    const found = await get(store, keyOf(user));
    // Written here alone.
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
          await store.put(keyOf(user), next as unknown as JsonValue, { expect: version }); // plain data all the way down
          return result;
        } catch (error) {
          if (!ConflictError.is(error) || tries === MAX_TRIES) throw error;
        }
      }
    },
  };
}
