export type KeyOrder = ReturnType<typeof createKeyOrder>;

/** Keys in ascending order of their code units, so that a list costs what it finds. A new key moves the pointers behind it, which is cheap up to millions. */
export function createKeyOrder() {
  const keys: string[] = [];

  /** The first position whose key is at or after `key`. */
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
    /** Keys that start with `prefix` and come after `after`. Each step looks its place up anew, as keys may come and go between two. */
    *under(prefix: string, after?: string): Generator<string> {
      let key = after !== undefined && after >= prefix ? next(after) : keys[position(prefix)];
      while (key !== undefined && key.startsWith(prefix)) {
        yield key;
        key = next(key);
      }
    },
  };
}
