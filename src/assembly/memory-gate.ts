export type MemoryGate = ReturnType<typeof createMemoryGate>;

/**
 * Keeps apart what is done off the reply's way and what has to be alone. Without it a capture that is half done when somebody is forgotten would write the
 * rest of what they said behind that.
 */
export function createMemoryGate() {
  const running = new Set<Promise<unknown>>();
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  return {
    /** Begins when nothing is alone, or waits to be. */
    async pass<R>(work: () => Promise<R>): Promise<R> {
      while (waiting > 0) await last;
      const passing = work();
      running.add(passing);
      try {
        return await passing;
      } finally {
        running.delete(passing);
      }
    },
    /** Begins when everything that passed has ended, one after the other. */
    async alone<R>(work: () => Promise<R>): Promise<R> {
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
