import { AssistantError } from "../../src/errors.ts";
import { type Store, memoryStore } from "../../src/store/index.ts";

/** A store of which one call fails: the first of this kind whose key, and what is written, fits. `failed` has that key. */
export function failingOnce(kind: "get" | "put" | "append", fits: Pick<RegExp, "test">) {
  const store = memoryStore();
  const failed: string[] = [];
  const mayFail =
    <Args extends readonly [string, ...unknown[]], Result>(of: typeof kind, call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (of === kind && failed.length === 0 && fits.test(`${args[0]} ${JSON.stringify(args[1])}`)) {
        failed.push(args[0]);
        throw new AssistantError("STORE_UNAVAILABLE", "the store is down");
      }
      return call(...args);
    };
  const failing: Store = {
    ...store,
    get: mayFail("get", store.get),
    put: mayFail("put", store.put),
    append: mayFail("append", store.append),
  };
  return { store: failing, failed };
}
