/** A keyed mutex: work for one key runs in order, one at a time; work for different keys runs in parallel. */
export interface Turns {
  <T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Resolves when all work that was queued so far is done. */
  idle(): Promise<void>;
}

/** Creates a keyed mutex. A failure does not block the work behind it. */
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
