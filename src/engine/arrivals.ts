/**
 * Writes of this process that were started together with a wake and cannot be read yet. The write and the wake land
 * in any order, and an answered wake is gone. A handler therefore waits here first; otherwise it could find nothing
 * to do and never run again.
 */
export interface Arrivals {
  /** Registers a running write. The caller handles its failure. */
  add(key: string, writing: Promise<unknown>): void;
  /** Resolves when every write of the key that was registered before the call has ended, also those that failed. */
  landed(key: string): Promise<void>;
}

export function createArrivals(): Arrivals {
  const arriving = new Map<string, Promise<unknown>>();
  return {
    add(key, writing) {
      const ended = writing.then(noop, noop);
      const before = arriving.get(key);
      const all: Promise<unknown> = (before ? Promise.all([before, ended]) : ended).then(() => {
        if (arriving.get(key) === all) arriving.delete(key);
      });
      arriving.set(key, all);
    },
    async landed(key) {
      await arriving.get(key);
    },
  };
}

function noop(): void {}
