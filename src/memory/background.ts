/** Runs work that no caller waits for. */
export interface Background {
  /** Starts work. @returns Resolves when it has ended, with success or not. */
  (work: () => Promise<void>): Promise<void>;
  /** Resolves when no work is running. */
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
