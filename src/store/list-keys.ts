import type { Store } from "./port.ts";

/** All keys under a prefix: listed to the end before any of them is changed. */
export async function listKeys(store: Pick<Store, "list">, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix, { keysOnly: true })) keys.push(key);
  return keys;
}

export async function removeUnder(store: Pick<Store, "list" | "remove">, prefix: string): Promise<void> {
  for (const key of await listKeys(store, prefix)) await store.remove(key);
}
