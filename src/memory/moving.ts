import type { MemoryOfUsers } from "./memory-of-users.ts";

/** Name of no memory. `users` waits under it for what every memory waits for. */
const NOBODYS = "";

export type Moving = ReturnType<typeof createMoving>;

/** Tracks memories that are being moved to another name of their person: callers wait until a move has ended. */
export function createMoving() {
  const held = new Map<string, Promise<unknown>>();
  return {
    /** Makes callers for `userId` wait for `work`, whether it succeeds or fails. */
    hold(userId: string, work: Promise<unknown>): void {
      const all = Promise.allSettled([held.get(userId), work]);
      held.set(userId, all);
      void all.then(() => {
        if (held.get(userId) === all) held.delete(userId);
      });
    },
    /** The move to wait for; `undefined` when there is none. */
    of: (userId: string): Promise<unknown> | undefined => held.get(userId),
  };
}

/**
 * Wraps a memory so that its members wait for pending moves.
 *
 * @param moved The move to wait for, by canonical user.
 */
export function afterMoves(
  memory: MemoryOfUsers,
  canonicalUser: (userId: string) => string,
  moved: (userId: string) => Promise<unknown> | undefined,
): MemoryOfUsers {
  /** Ignores an invalid id: the memory itself rejects it. */
  async function wait(userId: unknown): Promise<void> {
    if (typeof userId === "string") await moved(canonicalUser(userId));
  }
  async function after<R>(userId: unknown, work: () => Promise<R>): Promise<R> {
    await wait(userId);
    return work();
  }

  return {
    find: (query) => after(query?.userId, () => memory.find(query)),
    known: (of) => after(of.userId, () => memory.known(of)),
    recall: (query) => after(query?.userId, () => memory.recall(query)),
    save: (entry, given) => after(entry?.userId, () => memory.save(entry, given)),
    get: (userId, id) => after(userId, () => memory.get(userId, id)),
    list(userId, given) {
      const entries = memory.list(userId, given);
      return (async function* () {
        await wait(userId);
        yield* entries;
      })();
    },
    update: (userId, id, change) => after(userId, () => memory.update(userId, id, change)),
    remove: (userId, ids, given) => after(userId, () => memory.remove(userId, ids, given)),
    archive: (userId, ids) => after(userId, () => memory.archive(userId, ids)),
    restore: (userId, ids) => after(userId, () => memory.restore(userId, ids)),
    async *users() {
      await moved(NOBODYS);
      yield* memory.users();
    },
    counts: (userId) => after(userId, () => memory.counts(userId)),
    read: (userId, file) => after(userId, () => memory.read(userId, file)),
    digest: (of) => after(of?.userId, () => memory.digest(of)),
    extract: (of) => after(of?.userId, () => memory.extract(of)),
    tidy: (of) => after(of?.userId, () => memory.tidy(of)),
  };
}
