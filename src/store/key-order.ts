export type KeyOrder = ReturnType<typeof createKeyOrder>;

/**
 * Keys in ascending order of their UTF-16 code units, so that a list costs only what it returns. Adding a key shifts
 * the array behind it, which is cheap up to millions of keys.
 */
export function createKeyOrder() {
  const keys: string[] = [];

  /** Returns the first index whose key is at or after `key`. */
  function position(key: string): number {
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function next(key: string): string | undefined {
    const index = position(key);
    return keys[index] === key ? keys[index + 1] : keys[index];
  }

  return {
    add(key: string): void {
      const index = position(key);
      if (keys[index] !== key) keys.splice(index, 0, key);
    },
    remove(key: string): void {
      const index = position(key);
      if (keys[index] === key) keys.splice(index, 1);
    },
    /**
     * Yields the keys that start with `prefix` and come after `after`. Each step searches its position again, because
     * keys can be added and removed between two steps.
     */
    *under(prefix: string, after?: string): Generator<string> {
      let key = after !== undefined && after >= prefix ? next(after) : keys[position(prefix)];
      while (key !== undefined && key.startsWith(prefix)) {
        yield key;
        key = next(key);
      }
    },
  };
}
