import process from "node:process";

const openStores = new Set<AtProcessEnd>();

/** What a store that was not closed does when its process ends by itself, with nothing left to do. */
interface AtProcessEnd {
  /** May write: the process lives on until that is done, and asks again. Does nothing when there is nothing to write. */
  flush(): void;
  /** At the very end, and at once. */
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
      // It is too late to report; the next process sees that this one is gone.
    }
  }
}

/** One listener for all stores of the process. Nothing is called when the process is ended from outside or by `process.exit`. @returns A function that stops it. */
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
