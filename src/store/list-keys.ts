import type { Store } from "./port.ts";

/** Returns all keys under a prefix. The listing is complete before the caller changes any of them. */
export async function listKeys(store: Pick<Store, "list">, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix, { keysOnly: true })) keys.push(key);
  return keys;
}

export async function removeUnder(store: Pick<Store, "list" | "remove">, prefix: string): Promise<void> {
  for (const key of await listKeys(store, prefix)) await store.remove(key);
}
