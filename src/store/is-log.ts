import type { Store } from "./port.ts";

/** Whether a key holds a log with records. False for a document and for a missing key. */
export async function isLog(store: Pick<Store, "lastSeq">, key: string): Promise<boolean> {
  try {
    return (await store.lastSeq(key)) > 0;
  } catch (error) {
    if (error instanceof TypeError) return false; // a document
    throw error;
  }
}
