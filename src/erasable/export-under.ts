import { AssistantError } from "../errors.ts";
import { type Store, listKeys } from "../store/index.ts";
import type { Exported } from "./port.ts";

/**
 * Gives out documents under a prefix as they stand: the key, with the text or the JSON, or that it cannot be read. Bytes are left out.
 *
 * @param isTheirs Is the document of this key the person's? Exactly: a name that is like theirs is another person's.
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

/** What an export says of a document that cannot be read. @throws What else went wrong. */
export function unreadFile(file: string, error: unknown): Exported {
  if (!AssistantError.is(error, "STORE_UNSUITABLE")) throw error;
  return { file, problem: "it cannot be read" };
}
