import { type Store, keySegments, storeKey } from "../store/index.ts";

/** Sorts after every key that continues a prefix, except one that continues it with this same character. */
const LAST = "\uffff";

/** The users that have a memory in a store, in ascending order. */
export async function usersIn(store: Store): Promise<readonly string[]> {
  const users = new Set<string>();
  for await (const key of firstKeys(store)) {
    const [, userId = "", ...rest] = keySegments(key);
    // Belongs to no user: a file directly in `memory/`, and a folder whose name `storeKey` would not write, as
    // `%40owner`.
    if (rest.length > 0 && userId !== "" && key.startsWith(`${storeKey("memory", userId)}/`)) users.add(userId);
  }
  return [...users].sort((a, b) => (a < b ? -1 : 1));
}

/**
 * Lists each file directly under `memory/` and the first key of each folder. Jumps from folder to folder, so that the
 * cost grows with people, not with entries.
 */
export async function* firstKeys(store: Store): AsyncGenerator<string> {
  const root = `${storeKey("memory")}/`;
  let after = root;
  for (;;) {
    let next: string | undefined;
    for await (const { key } of store.list(root, { after, limit: 1 })) next = key;
    if (next === undefined) return;
    yield next;
    // Uses the folder as the key spells it, not as `storeKey` would: a key that another program made must not lead back
    // to itself.
    const end = next.indexOf("/", root.length);
    const behind = `${next.slice(0, end)}/${LAST}`;
    after = end === -1 || next > behind ? next : behind;
  }
}
