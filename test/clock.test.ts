import { describe, expect, it } from "vitest";
import { systemClock } from "../src/clock.ts";

describe("systemClock()", () => {
  it("rejects a sleep with the reason of its signal", async () => {
    const stop = new AbortController();
    const sleeping = systemClock().sleep(60_000, stop.signal);
    stop.abort(new Error("enough"));
    await expect(sleeping).rejects.toThrow("enough");
  });

  it("calls back for a time in the past, but not in the same tick", async () => {
    const clock = systemClock();
    let called = false;
    const done = new Promise<void>((resolve) => {
      clock.at(clock.now() - 1000, () => {
        called = true;
        resolve();
      });
    });
    expect(called).toBe(false);
    await done;
  });
});
