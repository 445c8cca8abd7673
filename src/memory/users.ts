import { type Store, keySegments, storeKey } from "../store/index.ts";

/** After every key that goes on from here, but for one that begins with the same character. */
const LAST = "\uffff";

/** Whose memories lie in a store, in ascending order. */
export async function usersIn(store: Store): Promise<readonly string[]> {
  const users = new Set<string>();
  for await (const key of firstKeys(store)) {
    const [, userId = "", ...rest] = keySegments(key);
    // A file that lies directly in the folder is nobody's, and neither is a folder whose name no id is written as: `%40owner`.
    if (rest.length > 0 && userId !== "" && key.startsWith(`${storeKey("memory", userId)}/`)) users.add(userId);
  }
  return [...users].sort((a, b) => (a < b ? -1 : 1));
}

/** What lies directly under `memory/`: each file, and of each folder its first key. Jumps from one to the next, so that it costs people and not entries. */
export async function* firstKeys(store: Store): AsyncGenerator<string> {
  const root = `${storeKey("memory")}/`;
  let after = root;
  for (;;) {
    let next: string | undefined;
    for await (const { key } of store.list(root, { after, limit: 1 })) next = key;
    if (next === undefined) return;
    yield next;
    // As it is written, and not as an id would be: a key that somebody else made must not lead back to itself.
    const end = next.indexOf("/", root.length);
    const behind = `${next.slice(0, end)}/${LAST}`;
    after = end === -1 || next > behind ? next : behind;
  }
}
