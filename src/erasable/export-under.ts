import { AssistantError } from "../errors.ts";
import { type Store, listKeys } from "../store/index.ts";
import type { Exported } from "./port.ts";

/**
 * Exports documents under a prefix: the key with the text or JSON, or that it is unreadable. Binary documents are left
 * out.
 *
 * @param isTheirs Whether the document of a key is the person's. Must match exactly: a similar name is another
 * person's.
 */
export async function* exportUnder(
  store: Pick<Store, "get" | "list">,
  prefix: string,
  isTheirs: (key: string) => boolean,
): AsyncGenerator<Exported> {
  for (const key of (await listKeys(store, prefix)).filter(isTheirs)) {
    try {
      const value = (await store.get(key))?.value;
      if (value === undefined || value instanceof Uint8Array) continue;
      yield typeof value === "string" ? { file: key, text: value } : { file: key, value };
    } catch (error) {
      yield unreadFile(key, error);
    }
  }
}

/** The export of an unreadable document. @throws Any other error. */
export function unreadFile(file: string, error: unknown): Exported {
  if (!AssistantError.is(error, "STORE_UNSUITABLE")) throw error;
  return { file, problem: "it cannot be read" };
}
