/** Work that nobody waits for. */
export interface Background {
  /** Starts it. @returns When it is over, however it went. */
  (work: () => Promise<void>): Promise<void>;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

export function createBackground(onError: (cause: unknown) => void): Background {
  const running = new Set<Promise<void>>();

  function start(work: () => Promise<void>): Promise<void> {
    const done = work()
      .catch(onError)
      .finally(() => running.delete(done));
    running.add(done);
    return done;
  }
  return Object.assign(start, {
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  });
}
