export type ReadWriteLock = ReturnType<typeof createReadWriteLock>;

/**
 * A read-write lock that prefers writers: shared work runs in parallel, exclusive work runs alone. Without it, a
 * capture that is under way while a person is forgotten would write the rest of their words afterwards.
 */
export function createReadWriteLock() {
  const running = new Set<Promise<unknown>>();
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  return {
    /** Waits until no exclusive work runs or waits. */
    async shared<R>(work: () => Promise<R>): Promise<R> {
      while (waiting > 0) await last;
      const sharing = work();
      running.add(sharing);
      try {
        return await sharing;
      } finally {
        running.delete(sharing);
      }
    },
    /** Waits for earlier exclusive work and for all running shared work. */
    async exclusive<R>(work: () => Promise<R>): Promise<R> {
      waiting += 1;
      const mine = last.then(async () => {
        await Promise.allSettled(running);
        return work();
      });
      last = mine.catch(() => undefined);
      try {
        return await mine;
      } finally {
        waiting -= 1;
      }
    },
  };
}
