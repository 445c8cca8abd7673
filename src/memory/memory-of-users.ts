import type { Store } from "../store/index.ts";
import type { MemoryApi } from "./api.ts";
import type { Days } from "./days/days.ts";
import { copiesOf } from "./copies.ts";
import { forgetLines, linesOfIds } from "./forget-lines.ts";
import { factsOf } from "./lasting.ts";
import type { Lifecycle } from "./lifecycle/lifecycle.ts";
import type { Memory } from "./memory.ts";
import { checkId } from "./new-entry.ts";

export interface MemoryOfUsersDeps {
  readonly memory: Memory;
  readonly days: Pick<Days, "digest" | "extract">;
  readonly lifecycle: Pick<Lifecycle, "tidy" | "tidyAll">;
  readonly store: Store;
  /** The user whose memory an id means: the linked person, the owner, or the id itself. */
  canonicalUser(userId: string): string;
}

/** The memory of a user, under any id that means them. */
export type MemoryOfUsers = Omit<MemoryApi, "forget" | "remove"> &
  Pick<Memory, "find" | "known"> & {
    /**
     * As `MemoryApi.remove`.
     * @param options.alone Keeps copies of what is removed: merged entries, and entries that a line stands for. Default
     * false.
     */
    remove(userId: string, ids: readonly string[], options?: { readonly alone?: boolean }): Promise<number>;
  };

/**
 * Creates a memory whose members resolve ids to canonical users.
 *
 * @throws {AssistantError} `OPTION_INVALID` for an empty id, in each member that takes one.
 */
export function createMemoryOfUsers({ memory, days, lifecycle, store, ...deps }: MemoryOfUsersDeps): MemoryOfUsers {
  const canonicalUser = (userId: string) => deps.canonicalUser(checkId("userId", userId));

  /** Removes entries and the lines that stand for them in MEMORY.md and digests. Ids may also be those of lines. */
  async function remove(given: string, ids: readonly string[], { alone = false } = {}): Promise<number> {
    const userId = canonicalUser(given);
    const known = await Promise.all(ids.map((id) => memory.get(userId, id)));
    const entries = known.flatMap((entry) => entry ?? []);
    const lines = alone || entries.length === ids.length ? [] : await linesOfIds({ store }, userId, ids);
    const isAny = !alone && entries.length + lines.length > 0;
    const copies = isAny ? await copiesOf(memory, userId, { entries, lines }) : [];
    // Copies go first: after a crash the same ids still find the rest.
    const copyIds = copies.map(({ id }) => id);
    if (copyIds.length > 0) await memory.remove(userId, copyIds);
    const removed = await memory.remove(userId, ids);
    const texts = [...entries, ...copies].flatMap((entry) => [entry.content, ...factsOf(entry)]);
    texts.push(...lines.map(({ text }) => text));
    const gone = await forgetLines({ store }, userId, { ids: [...ids, ...copyIds], texts });
    memory.drop(userId);
    return removed + gone.size;
  }

  return {
    find: (query) => memory.find({ ...query, userId: canonicalUser(query.userId) }),
    known: (of) => memory.known({ ...of, userId: canonicalUser(of.userId) }),
    recall: async (query) => memory.recall({ ...query, userId: canonicalUser(query?.userId) }),
    save: async (entry, given) => memory.save({ ...entry, userId: canonicalUser(entry?.userId) }, given),
    get: async (userId, id) => memory.get(canonicalUser(userId), id),
    list: (userId, given) => memory.list(canonicalUser(userId), given),
    update: async (userId, id, change) => memory.update(canonicalUser(userId), id, change),
    remove,
    archive: async (userId, ids) => memory.archive(canonicalUser(userId), ids),
    restore: async (userId, ids) => memory.restore(canonicalUser(userId), ids),
    users: () => memory.users(),
    counts: async (userId) => memory.counts(canonicalUser(userId)),
    read: async (userId, file) => memory.read(canonicalUser(userId), file),
    digest: async (of) => days.digest({ ...of, userId: canonicalUser(of?.userId) }),
    extract: async (of) => days.extract({ userId: canonicalUser(of?.userId) }),
    async tidy({ userId, onProgress } = {}) {
      const given = onProgress ? { onProgress } : {};
      if (userId === undefined) return lifecycle.tidyAll(given);
      return [await lifecycle.tidy({ ...given, userId: canonicalUser(userId) })];
    },
  };
}
