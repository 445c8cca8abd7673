import process from "node:process";

const openStores = new Set<AtProcessEnd>();

/** What an unclosed store does when its process ends by itself, with no work left. */
interface AtProcessEnd {
  /**
   * May start writes: the process then stays alive until they are done, and calls again. Does nothing when there is
   * nothing to write.
   */
  flush(): void;
  /** Runs synchronously at the very end. */
  release(): void;
}

function flush(): void {
  for (const store of openStores) store.flush();
  process.off("exit", release);
  process.once("exit", release);
}

function release(): void {
  for (const store of openStores) {
    try {
      store.release();
    } catch {
      // Too late to report. The next process sees that this one is gone.
    }
  }
}

/**
 * Registers a store with the process's one exit listener. Nothing is called when the process is killed or ends by
 * `process.exit`.
 * @returns A function that removes the store.
 */
export function atProcessEnd(store: AtProcessEnd): () => void {
  if (openStores.size === 0) process.on("beforeExit", flush);
  openStores.add(store);
  return () => {
    openStores.delete(store);
    if (openStores.size > 0) return;
    process.off("beforeExit", flush);
    process.off("exit", release);
  };
}
