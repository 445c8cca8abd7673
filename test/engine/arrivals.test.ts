import { describe, expect, it } from "vitest";
import { createArrivals } from "../../src/engine/index.ts";

const turnsOfTheQueue = async () => {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
};

describe("createArrivals()", () => {
  it("has nothing to wait for where nothing is being written", async () => {
    const arrivals = createArrivals();
    arrivals.add("a", new Promise(() => {}));
    await expect(arrivals.landed("b")).resolves.toBeUndefined();
  });

  it("waits for every write of the key, in whichever order they end, and whether they succeed", async () => {
    const arrivals = createArrivals();
    const ends: (() => void)[] = [];
    for (const fails of [false, true, false])
      arrivals.add(
        "a",
        new Promise<void>((resolve, reject) => ends.push(() => (fails ? reject(new Error("full")) : resolve()))),
      );
    let landed = false;
    const waiting = arrivals.landed("a").then(() => (landed = true));
    for (const end of ends.toReversed()) {
      await turnsOfTheQueue();
      expect(landed).toBe(false);
      end();
    }
    await waiting;
    await expect(arrivals.landed("a")).resolves.toBeUndefined();
  });

  it("does not wait for what begins later", async () => {
    const arrivals = createArrivals();
    let end = () => {};
    arrivals.add("a", new Promise<void>((resolve) => (end = resolve)));
    const waiting = arrivals.landed("a");
    arrivals.add("a", new Promise(() => {}));
    end();
    await expect(waiting).resolves.toBeUndefined();
  });
});
