import { cannotJoin } from "../erasable/index.ts";
import { AssistantError } from "../errors.ts";
import { idOf } from "../ids.ts";
import { type MemoryEntry, isSameEntry } from "./entry.ts";
import type { MemoryStore } from "./memory-store.ts";
import { timeOfUlid } from "./time-input.ts";

/** Names no entry or person, so that it is reported once. */
const NOT_GIVEN_BACK = "entries keep their old names, as memory.store does not return what was stored in it";
/** Longest part of an id that a new id keeps, so that the new one is not too long. */
const MAX_ID = 150;

/**
 * Moves the entries of one person to another through a `MemoryStore`: each is copied, read back, compared, and only
 * then removed. An entry whose id another entry of `to` has gets a new id. The store does not tell when and into what
 * an entry was archived, so an archived one is archived now.
 *
 * @returns How many moved.
 * @throws {AssistantError} `CONFLICT` for a store that does not give back what was saved.
 */
export async function moveEntries(
  memory: Pick<MemoryStore, "list" | "get" | "save" | "archive" | "remove">,
  from: string,
  to: string,
): Promise<number> {
  let moved = 0;
  for (const archived of [false, true]) {
    const entries: MemoryEntry[] = [];
    for await (const entry of memory.list(from, { archived })) entries.push(entry);
    // Oldest first: after a crash the newest entries are still where they were last found.
    for (const entry of entries.toReversed()) {
      await copy(entry, archived);
      await memory.remove(from, [entry.id]);
      moved += 1;
    }
  }
  return moved;

  async function copy(entry: MemoryEntry, archived: boolean): Promise<void> {
    for (const id of [entry.id, await idBeside(from, entry.id)]) {
      const known = await memory.get(to, id);
      if (known && !isSameEntry(known, entry)) continue;
      const isLive = async () => (await memory.get(to, id, { archived: false })) !== undefined;
      if (!known) await memory.save([{ ...entry, id, userId: to }]);
      if (archived && (!known || (await isLive()))) await memory.archive(to, [id]);
      const kept = await memory.get(to, id);
      const isKept = kept !== undefined && isSameEntry(kept, entry) && !(archived && (await isLive()));
      if (!isKept) throw new AssistantError("CONFLICT", NOT_GIVEN_BACK);
      return;
    }
    throw cannotJoin(`entry ${entry.id} of ${from}`, to, "another entry has its id");
  }
}

/** The id for an entry of `from` when another entry of the target has `id`. The result is the same on every call. */
export async function idBeside(from: string, id: string): Promise<string> {
  const made = await idOf(timeOfUlid(id)?.getTime() ?? 0, `memory ${from} ${id}`);
  return timeOfUlid(id) ? made : `${id.slice(0, MAX_ID)}-${made.slice(-8).toLowerCase()}`;
}
