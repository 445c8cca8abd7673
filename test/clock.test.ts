import { afterEach, describe, expect, it, vi } from "vitest";
import { askOnce } from "../src/agent/ask-once.ts";
import { after, systemClock, type Clock } from "../src/clock.ts";
import { fakeClock, scriptedModel } from "../src/testing/index.ts";

const DAY_MS = 86_400_000;

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

describe("a span of time", () => {
  afterEach(() => vi.restoreAllMocks());

  it("is neither over at once nor a day late when the clock is set between two readings", async () => {
    let readings = 0;
    vi.spyOn(Date, "now").mockImplementation(() => (readings++ % 2 === 0 ? 0 : DAY_MS));
    const clock = systemClock();
    let over = false;
    const cancel = after(clock, 60_000, () => (over = true));
    await clock.sleep(20);
    expect(over).toBe(false);
    cancel();
  });

  it("does not end a model's answer when the clock is set on a day meanwhile", async () => {
    const clock = fakeClock();
    const setOn: Clock = {
      ...clock,
      now() {
        const before = clock.now();
        clock.step(DAY_MS);
        return before;
      },
    };
    const model = scriptedModel(["here"]);
    const { signal } = new AbortController();
    const asking = askOnce(
      model,
      { clock: setOn },
      { instructions: "", messages: [{ role: "user", content: "are you?" }], tools: [], signal },
    );
    await clock.advance(0);
    expect((await asking).text).toBe("here");
  });

  it("calls back once, and not after it was cancelled", async () => {
    const clock = fakeClock();
    const calls: string[] = [];
    after(clock, 1000, () => calls.push("kept"));
    const cancel = after(clock, 1000, () => calls.push("cancelled"));
    cancel();
    await clock.advance(5000);
    expect(calls).toEqual(["kept"]);
    expect(clock.pending).toBe(0);
  });
});
