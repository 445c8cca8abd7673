/** Runs the work for one key in the order in which it was asked for, one at a time; work for different keys runs side by side. */
export interface Turns {
  <T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when the work asked for so far is done. */
  idle(): Promise<void>;
}

/** Makes a mutex for each key: work for one key queues, and a failure does not hold up what comes next. */
export function createTurns(): Turns {
  const tails = new Map<string, Promise<void>>();

  function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (tails.get(key) ?? Promise.resolve()).then(work);
    const tail = result
      .catch(() => {})
      .then(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
    tails.set(key, tail);
    return result;
  }
  return Object.assign(inTurn, {
    idle: async () => {
      await Promise.all(tails.values());
    },
  });
}
