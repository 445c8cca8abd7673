/**
 * Writes of this process that were issued beside a wake and cannot be read yet. The two land in any order, and a wake that was answered is gone: whoever
 * answers it waits here first, or finds nothing to do and never comes back.
 */
export interface Arrivals {
  /** Notes a write that is under way; its failure is the caller's. */
  add(key: string, writing: Promise<unknown>): void;
  /** Resolves when every write of the key that was noted before the call has ended, well or not. */
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
