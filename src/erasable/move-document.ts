import { AssistantError, ConflictError } from "../errors.ts";
import { type Store, type Value, canonicalJson } from "../store/index.ts";

/** Most tries of a move when other writers change the document. */
const MAX_TRIES = 8;

/**
 * Moves a document to another key: it is copied, read back, compared, and only then removed.
 *
 * @param join Returns the new document from the existing one, if any, and the moved one. Contract: joining the same
 * again changes nothing.
 * Default: the moved one; throws a `CONFLICT` if a different document exists.
 * @throws {AssistantError} `CONFLICT` from `join` when the documents cannot be joined.
 * @returns Whether there was something to move.
 */
export async function moveDocument(
  store: Pick<Store, "get" | "put" | "remove">,
  from: string,
  to: string,
  join: (there: Value | undefined, moved: Value) => Value = (there, moved) => {
    if (there === undefined || isSameValue(there, moved)) return moved;
    throw cannotJoin(from, to, "the target exists with different content");
  },
): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    const moved = await store.get(from);
    if (moved === null) return false;
    const there = await store.get(to);
    const value = join(there?.value, moved.value);
    try {
      if (there === null || !isSameValue(there.value, value))
        await store.put(to, value, { expect: there?.version ?? null });
      const copy = await store.get(to);
      if (copy === null || !isSameValue(copy.value, value)) throw new ConflictError(`${to} was changed`, null);
      await store.remove(from, { expect: moved.version });
      return true;
    } catch (error) {
      if (!ConflictError.is(error) || tries === MAX_TRIES) throw error;
    }
  }
}

/** Whether two documents are equal. */
export function isSameValue(one: Value, other: Value): boolean {
  if (!(one instanceof Uint8Array) && !(other instanceof Uint8Array))
    return canonicalJson(one) === canonicalJson(other);
  if (!(one instanceof Uint8Array && other instanceof Uint8Array)) return false;
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** The error for documents under two names of a person that cannot be joined. */
export function cannotJoin(from: string, to: string, why: string): AssistantError {
  return new AssistantError("CONFLICT", `${from} stays where it is, as it cannot be joined with ${to}: ${why}`);
}
