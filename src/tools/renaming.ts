import { type Renamable, type Store, listKeys, respelling, storeKey } from "../store/index.ts";
import { PLANS } from "./built-in/plan.ts";
import { LATE_RESULTS } from "./late-results.ts";

/** Renames the plan of a session and its pending results. */
export function createToolRenaming({ store }: { readonly store: Store }): Renamable {
  return {
    async sessionMoves(from, to) {
      return [{ from: storeKey(PLANS, from), to: storeKey(PLANS, to), respell: respelling(from, to) }];
    },

    async renameSession(from, to) {
      for (const key of await listKeys(store, LATE_RESULTS)) {
        const found = await store.get(key);
        const value = found?.value as { readonly sessionKey?: string } | undefined;
        if (found && value?.sessionKey === from)
          await store.put(key, { ...value, sessionKey: to }, { expect: found.version });
      }
    },
  };
}
