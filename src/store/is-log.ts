import type { Store } from "./port.ts";

/** Does a key hold a log that has records? False for a document, and where there is nothing. */
export async function isLog(store: Pick<Store, "lastSeq">, key: string): Promise<boolean> {
  try {
    return (await store.lastSeq(key)) > 0;
  } catch (error) {
    if (error instanceof TypeError) return false; // a document
    throw error;
  }
}
