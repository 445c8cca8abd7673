import { type Renamable, type Respell, type Store, keysUnder, storeKey } from "../store/index.ts";

/** Renames the memories of users, by their ids. */
export function createMemoryRenaming({ store }: { readonly store: Store }): Renamable {
  return {
    userMoves(from, to) {
      // The frontmatter of an entry's file names its user.
      const named = (text: string, id: string) => text.replace(/^user_id: .*$/m, `user_id: ${JSON.stringify(id)}`);
      const respell: Respell = (value) =>
        typeof value === "string" && value.startsWith("---\n") && value.includes(`user_id: ${JSON.stringify(from)}`)
          ? named(value, to)
          : value;
      return keysUnder(store, `${storeKey("memory", from)}/`, `${storeKey("memory", to)}/`, respell);
    },

    async dropUser(userId) {
      for (const { from } of await keysUnder(store, `${storeKey(".index", "memory", userId)}/`, ""))
        await store.remove(from);
    },
  };
}
