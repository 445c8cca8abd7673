import { describe, expect, it } from "vitest";
import { fakeClock } from "../../src/testing/fake-clock.ts";

describe("fakeClock()", () => {
  it("stands still until it is advanced", async () => {
    const clock = fakeClock(1000);
    expect(clock.now()).toBe(1000);
    await clock.advance(250);
    expect(clock.now()).toBe(1250);
  });

  it("calls back in the order of the times, each at its own time", async () => {
    const clock = fakeClock(0);
    const calls: [string, number][] = [];
    clock.at(30, () => calls.push(["late", clock.now()]));
    clock.at(10, () => calls.push(["early", clock.now()]));
    clock.at(10, () => calls.push(["early, set second", clock.now()]));
    clock.at(31, () => calls.push(["not yet", clock.now()]));
    await clock.advance(30);
    expect(calls).toEqual([
      ["early", 10],
      ["early, set second", 10],
      ["late", 30],
    ]);
    expect(clock.pending).toBe(1);
  });

  it("lets waiting code go on between two callbacks, so that a loop of sleeps runs through", async () => {
    const clock = fakeClock(0);
    const woken: number[] = [];
    const loop = (async () => {
      for (let round = 0; round < 5; round++) {
        await clock.sleep(10);
        woken.push(clock.now());
      }
    })();
    await clock.advance(50);
    await loop;
    expect(woken).toEqual([10, 20, 30, 40, 50]);
  });

  it("waits for code that comes back from a task of its own before it ends", async () => {
    const clock = fakeClock(0);
    let woken = 0;
    const stream = new TransformStream<string, string>();
    const writer = stream.writable.getWriter();
    void stream.readable
      .getReader()
      .read()
      .then(() => clock.sleep(5))
      .then(() => (woken = clock.now()));
    void writer.write("x");
    await clock.advance(10);
    expect(woken).toBe(5);
  });

  it("never calls back in the same tick, also for a time in the past", async () => {
    const clock = fakeClock(1000);
    let called = 0;
    clock.at(0, () => called++);
    expect(called).toBe(0);
    await clock.advance(0);
    expect(called).toBe(1);
    expect(clock.now()).toBe(1000);
  });

  it("leaves no timer behind when a sleep is aborted", async () => {
    const clock = fakeClock();
    const stop = new AbortController();
    const sleeping = clock.sleep(1000, stop.signal);
    expect(clock.pending).toBe(1);
    stop.abort(new Error("enough"));
    await expect(sleeping).rejects.toThrow("enough");
    await expect(clock.sleep(1, stop.signal)).rejects.toThrow("enough");
    expect(clock.pending).toBe(0);
  });

  it("does not call what was cancelled", async () => {
    const clock = fakeClock();
    let called = false;
    clock.at(clock.now() + 5, () => (called = true))();
    await clock.advance(10);
    expect(called).toBe(false);
  });

  it("keeps the distance of every timer when the clock is set", async () => {
    const clock = fakeClock(0);
    const calls: number[] = [];
    clock.at(100, () => calls.push(clock.now()));
    clock.step(-5000);
    expect(clock.now()).toBe(-5000);
    await clock.advance(99);
    expect(calls).toEqual([]);
    await clock.advance(1);
    expect(calls).toEqual([-4900]);
  });

  it("refuses to go backwards by advance", async () => {
    await expect(fakeClock().advance(-1)).rejects.toThrow("ms must be 0 or more");
  });
});
