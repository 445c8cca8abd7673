import { type Store, keySegments, storeKey } from "../store/index.ts";

/** After every key that goes on from here; no character of a key sorts behind it. */
const LAST = "\uffff";

/** Whose memories lie in a store, in ascending order. Jumps from one person to the next, so that it costs people and not entries. */
export async function usersIn(store: Store): Promise<readonly string[]> {
  const users: string[] = [];
  const root = `${storeKey("memory")}/`;
  let after = root;
  for (;;) {
    let next: string | undefined;
    for await (const { key } of store.list(root, { after, limit: 1 })) next = key;
    if (next === undefined) return users.sort((a, b) => (a < b ? -1 : 1));
    const [, userId = "", ...rest] = keySegments(next);
    // A file that lies directly in the folder is nobody's.
    if (rest.length > 0) users.push(userId);
    after = rest.length > 0 ? `${storeKey("memory", userId)}/${LAST}` : next;
  }
}
