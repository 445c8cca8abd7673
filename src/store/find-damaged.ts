import { messageOf } from "../errors.ts";
import type { Store, Value } from "./port.ts";

/**
 * A prefix and the function that reads the documents under it and throws if one is damaged. Keys that end in `.jsonl`
 * are logs.
 */
export type ReadableRoom = readonly [prefix: string, read: (value: Value, key: string) => unknown];

/** Returns one message for each key of these rooms that cannot be read. Changes nothing. */
export async function findDamaged(
  store: Pick<Store, "get" | "list" | "read">,
  rooms: readonly ReadableRoom[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [prefix, read] of rooms) {
    for await (const { key } of store.list(prefix)) {
      try {
        if (key.endsWith(".jsonl")) {
          for await (const _ of store.read(key, { limit: 1 }));
          continue;
        }
        const kept = await store.get(key);
        if (kept !== null) read(kept.value, key);
      } catch (error) {
        found.push(messageOf(error));
      }
    }
  }
  return found;
}
