import { afterEach, describe, expect, it, vi } from "vitest";
import { memoryStore } from "../entry.host.ts";
import { askOnce } from "../src/agent/ask-once.ts";
import { after, systemClock, type Clock } from "../src/clock.ts";
import { fakeClock, scriptedModel } from "../src/testing/index.ts";
import { testAssistant } from "./support/assistant.ts";

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
    const cancels = [clock, { sleep: clock.sleep }].map((spans) => after(spans, 60_000, () => (over = true)));
    await clock.sleep(20);
    expect(over).toBe(false);
    for (const cancel of cancels) cancel();
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

  it.each(["has spans of its own", "can only sleep"])(
    "calls back once, and not after it was cancelled, of a clock that %s",
    async (which) => {
      const clock = fakeClock();
      const { sleep } = clock;
      const spans = which === "can only sleep" ? { sleep } : clock;
      const calls: string[] = [];
      after(spans, 1000, () => calls.push("kept"));
      const cancel = after(spans, 1000, () => calls.push("cancelled"));
      cancel();
      await clock.advance(5000);
      expect(calls).toEqual(["kept"]);
      expect(clock.pending).toBe(0);
    },
  );
});

describe("a clock of the program", () => {
  it("may have fractions of a millisecond: what waits is woken once", async () => {
    const store = memoryStore();
    let appends = 0;
    const append: typeof store.append = (...given) => {
      appends += 1;
      if (appends > 1000) throw new Error("It is woken again and again");
      return store.append(...given);
    };
    const t = await testAssistant({
      clock: fakeClock(Date.UTC(2026, 0, 5, 8) + 0.5),
      store: { ...store, append },
      queue: { debounceMs: 1000 },
      channel: { access: { dm: "open" } },
    });
    await t.receive("Hello");
    await t.clock.advance(2000);
    await t.sent(1);
    expect(appends).toBeLessThan(100);
  });
});
