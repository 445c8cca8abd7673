import { systemClock } from "../clock.ts";
import { withTimeout } from "../time-limit.ts";
import type { StoreGroup } from "./store-contract-group.ts";

const TRIES = 200;
const PAUSE_MS = 25;

/** The contract of `watch`, for stores that have it. */
export function watchContract({ it, expect }: StoreGroup): void {
  it("tells of changed keys under a prefix, until the signal aborts", async (store) => {
    const stop = new AbortController();
    const changes = store.watch?.("watched/", stop.signal)[Symbol.asyncIterator]();
    if (changes === undefined) throw new TypeError("Expected a store with watch()");

    const told: IteratorResult<{ key: string }>[] = [];
    const first = changes.next().then((result) => told.push(result));
    // The moment when watching begins is unknown, so the key is changed until a change is reported.
    for (let tries = 0; told.length === 0 && tries < TRIES; tries++) {
      await store.put("elsewhere/b", tries);
      await store.put("watched/a", tries);
      await withTimeout(systemClock(), PAUSE_MS, first, () => {});
    }
    expect(told).toEqual([{ done: false, value: { key: "watched/a" } }]);

    stop.abort();
    let rest = await changes.next();
    while (rest.done !== true) {
      expect(rest.value.key).toBe("watched/a");
      rest = await changes.next();
    }
  });
}
