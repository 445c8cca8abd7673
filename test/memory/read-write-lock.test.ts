import { describe, expect, it } from "vitest";
import { createReadWriteLock } from "../../src/memory/read-write-lock.ts";

describe("createReadWriteLock()", () => {
  it("lets in what is alone when everything has passed, one at a time, and the others after it", async () => {
    const lock = createReadWriteLock();
    const log: string[] = [];
    const ends: (() => void)[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} begins`);
      await new Promise<void>((resolve) => ends.push(resolve));
      log.push(`${name} ends`);
    };
    const all = [
      lock.shared(work("a")),
      lock.shared(work("b")),
      lock.exclusive(work("first")),
      lock.shared(work("c")),
      lock.exclusive(work("second")),
    ];
    for (let round = 0; round < 20; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      ends.shift()?.();
    }
    await Promise.all(all);
    expect(log).toEqual(
      ["a begins", "b begins", "a ends", "b ends"].concat(
        ...["first", "second", "c"].map((name) => [`${name} begins`, `${name} ends`]),
      ),
    );
  });

  it("goes on after a failure on either side", async () => {
    const lock = createReadWriteLock();
    const fails = () => Promise.reject(new Error("no"));
    const outcomes = await Promise.allSettled([
      lock.shared(fails),
      lock.exclusive(fails),
      lock.shared(async () => "passed"),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
    expect(await lock.exclusive(async () => "alone")).toBe("alone");
  });
});
