/** A keyed mutex. */
export interface Locks {
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}

export function createLocks(): Locks {
  const tails = new Map<string, Promise<unknown>>();
  return {
    async run(name, work) {
      const before = tails.get(name);
      const mine = (async () => {
        // An earlier failure concerns its own caller.
        await before?.catch(() => {});
        return work();
      })();
      tails.set(name, mine);
      try {
        return await mine;
      } finally {
        if (tails.get(name) === mine) tails.delete(name);
      }
    },
  };
}
