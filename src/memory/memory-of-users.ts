import type { Store } from "../store/index.ts";
import type { MemoryApi } from "./api.ts";
import type { Days } from "./days/days.ts";
import { forgetLines } from "./forget-lines.ts";
import type { Lifecycle } from "./lifecycle/lifecycle.ts";
import type { Memory } from "./memory.ts";
import { checkId } from "./new-entry.ts";

export interface MemoryOfUsersDeps {
  readonly memory: Memory;
  readonly days: Pick<Days, "digest" | "extract">;
  readonly lifecycle: Pick<Lifecycle, "tidy" | "tidyAll">;
  readonly store: Store;
  /** The memory that an id means: that of a linked person, of the owner, or its own. */
  canonicalUser(userId: string): string;
}

/** The memory of a user under any id that means them. */
export type MemoryOfUsers = Omit<MemoryApi, "forget"> & Pick<Memory, "find" | "known">;

/** @throws {AssistantError} `OPTION_INVALID` for an empty id, in each of its functions that take one. */
export function createMemoryOfUsers({ memory, days, lifecycle, store, ...deps }: MemoryOfUsersDeps): MemoryOfUsers {
  const canonicalUser = (userId: string) => deps.canonicalUser(checkId("userId", userId));

  /** Also what stands for these entries in MEMORY.md and in digests; lines by their ids too. */
  async function remove(given: string, ids: readonly string[]): Promise<number> {
    const userId = canonicalUser(given);
    const known = await Promise.all(ids.map((id) => memory.get(userId, id)));
    const removed = await memory.remove(userId, ids);
    const texts = known.flatMap((entry) => (entry ? [entry.content] : []));
    const lines = await forgetLines({ store }, userId, { ids, texts });
    memory.drop(userId);
    return removed + lines.size;
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
