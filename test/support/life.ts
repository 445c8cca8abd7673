import type { Clock } from "../../src/clock.ts";
import type { LogRecord, Store } from "../../src/store/index.ts";

/** One life of a process: after `kill` nothing that it began has any effect, and nothing that it waits for ever comes. */
export interface Life {
  readonly store: Store;
  readonly clock: Clock;
  kill(): void;
  readonly killed: boolean;
}

/** @param writes How many writes reach the store before this life ends by itself, in the middle of the next one. Default: it does not. */
export function beginLife(store: Store, clock: Clock, writes: number = Infinity): Life {
  let left = writes;
  let killed = false;
  const cancels = new Set<() => void>();
  const never = new Promise<never>(() => {});

  function kill(): void {
    killed = true;
    for (const cancel of cancels) cancel();
  }

  /** The last write that fits takes effect, but nobody hears of it. */
  async function write<T>(effect: () => Promise<T>): Promise<T> {
    if (killed) return never;
    if (left-- <= 0) {
      kill();
      return never;
    }
    const result = await effect();
    return killed ? never : result;
  }

  async function read<T>(effect: () => Promise<T>): Promise<T> {
    if (killed) return never;
    const result = await effect();
    return killed ? never : result;
  }

  async function* iterate<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
    if (killed) await never;
    for await (const item of items) {
      if (killed) await never;
      yield item;
    }
  }

  return {
    store: {
      caps: store.caps,
      get: (key) => read(() => store.get(key)),
      put: (key, value, options) => write(() => store.put(key, value, options)),
      remove: (key, options) => write(() => store.remove(key, options)),
      list: (prefix, options) => iterate(store.list(prefix, options)),
      append: (log, record, options) => write(() => store.append(log, record, options)),
      read: (log, options) => iterate(store.read(log, options)),
      lastSeq: (log) => read(() => store.lastSeq(log)),
    },
    clock: {
      now: () => clock.now(),
      sleep: (ms, signal) => clock.sleep(ms, signal),
      at(timeMs, callback) {
        if (killed) return () => {};
        const cancel = clock.at(timeMs, () => {
          cancels.delete(cancel);
          callback();
        });
        cancels.add(cancel);
        return cancel;
      },
    },
    kill,
    get killed() {
      return killed;
    },
  };
}

/** A life that ends as soon as it is written that an approved call begins. */
export function beginLifeUpToApprovedCall(store: Store, clock: Clock): Life {
  const life: Life = beginLife(
    {
      ...store,
      async put(key, value, options) {
        const version = await store.put(key, value, options);
        if (key.startsWith("approvals/") && JSON.stringify(value).includes('"state":"running"')) life.kill();
        return version;
      },
    },
    clock,
  );
  return life;
}

/** A life that ends as soon as a record like this is in a log. */
export function beginLifeUpToRecord(store: Store, clock: Clock, isLast: (record: LogRecord) => boolean): Life {
  const life: Life = beginLife(
    {
      ...store,
      async append(log, record, options) {
        const appended = await store.append(log, record, options);
        if ((Array.isArray(record) ? record : [record]).some((one: LogRecord) => isLast(one))) life.kill();
        return appended;
      },
    },
    clock,
  );
  return life;
}
