export type ReadWriteLock = ReturnType<typeof createReadWriteLock>;

/**
 * A read-write lock that prefers the writer: shared work runs side by side, exclusive work runs alone. Without it a capture that is half done when a person is
 * forgotten would write the rest of what they said behind that.
 */
export function createReadWriteLock() {
  const running = new Set<Promise<unknown>>();
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  return {
    /** Begins when no exclusive work runs or waits. */
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
    /** Begins when all shared work that began before has ended, one after the other. */
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
