import { describe, expect, it } from "vitest";
import { type Clock, after } from "../../src/clock.ts";
import { createEventBus } from "../../src/events/index.ts";
import type { AnyEvent, EventFailure } from "../../src/events/index.ts";
import { createMetrics } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

declare module "../../src/events/event-map.ts" {
  interface EventMap {
    "test.note": { readonly text: string };
  }
}

function note(text: string): AnyEvent {
  return { type: "test.note", payload: { text }, sessionId: "agent:main:main", timestamp: 0 };
}

function setUp() {
  const clock = fakeClock();
  const failures: EventFailure[] = [];
  const metrics = createMetrics();
  const bus = createEventBus({ clock, metrics, onFailure: (failure) => failures.push(failure) });
  return { clock, bus, failures, metrics };
}

describe("createEventBus()", () => {
  it("calls handlers of the type and of *, higher priority first, equal ones in order of subscription", async () => {
    const { bus } = setUp();
    const calls: string[] = [];
    const log = (name: string) => () => void calls.push(name);
    bus.subscribe("test.note", log("first"), { name: "first" });
    bus.subscribe("*", log("all"), { name: "all" });
    bus.subscribe("test.note", log("late"), { name: "late", priority: -1 });
    bus.subscribe("test.note", log("early"), { name: "early", priority: 5 });
    bus.subscribe("task.started", log("other type"), { name: "other" });
    bus.subscribe("*", log("early too"), { name: "early too", priority: 5 });
    expect(await bus.publish(note("x"))).toEqual([]);
    expect(calls).toEqual(["early", "early too", "first", "all", "late"]);
  });

  it("hands the handler the typed payload", async () => {
    const { bus } = setUp();
    const texts: string[] = [];
    bus.subscribe("test.note", (event) => void texts.push(event.payload.text), { name: "reader" });
    bus.subscribe("*", (event) => void (event.type === "test.note" && texts.push(event.payload.text)), { name: "all" });
    await bus.publish(note("hello"));
    expect(texts).toEqual(["hello", "hello"]);
  });

  it("needs no options of a handler, and reports one without a name as unnamed", async () => {
    const { bus } = setUp();
    const texts: string[] = [];
    const stop = bus.subscribe("test.note", ({ payload }) => {
      texts.push(payload.text);
      throw new Error("broken");
    });
    expect(await bus.publish(note("hello"))).toMatchObject([{ handler: "unnamed", reason: "threw" }]);
    stop();
    expect(await bus.publish(note("again"))).toEqual([]);
    expect(texts).toEqual(["hello"]);
  });

  it("waits for each handler before it calls the next", async () => {
    const { bus, clock } = setUp();
    const calls: string[] = [];
    bus.subscribe(
      "test.note",
      async () => {
        calls.push("one begins");
        await clock.sleep(100);
        calls.push("one ends");
      },
      { name: "one" },
    );
    bus.subscribe("test.note", () => void calls.push("two"), { name: "two" });
    const published = bus.publish(note("x"));
    await clock.advance(99);
    expect(calls).toEqual(["one begins"]);
    await clock.advance(1);
    await published;
    expect(calls).toEqual(["one begins", "one ends", "two"]);
  });

  it("reports a handler that throws or rejects, and goes on with the others", async () => {
    const { bus, failures } = setUp();
    let reached = 0;
    bus.subscribe(
      "test.note",
      () => {
        throw new Error("at once");
      },
      { name: "thrower" },
    );
    bus.subscribe("test.note", () => Promise.reject(new Error("later")), { name: "rejecter" });
    bus.subscribe("test.note", () => void reached++, { name: "last" });
    const returned = await bus.publish(note("x"));
    expect(reached).toBe(1);
    expect(returned.map(({ handler, reason, error }) => [handler, reason, (error as Error).message])).toEqual([
      ["thrower", "threw", "at once"],
      ["rejecter", "threw", "later"],
    ]);
    expect(failures).toEqual(returned);
  });

  it("goes on without a handler whose time is over, and aborts its signal", async () => {
    const { bus, clock } = setUp();
    const signals: AbortSignal[] = [];
    let reached = 0;
    bus.subscribe(
      "test.note",
      (_event, context) => {
        signals.push(context.signal);
        return new Promise(() => {});
      },
      { name: "slow", timeoutMs: 500 },
    );
    bus.subscribe("test.note", () => void reached++, { name: "next" });
    const published = bus.publish(note("x"));
    await clock.advance(499);
    expect([signals[0]?.aborted, reached]).toEqual([false, 0]);
    await clock.advance(1);
    expect([signals[0]?.aborted, reached]).toEqual([true, 1]);
    expect((await published).map(({ handler, reason }) => [handler, reason])).toEqual([["slow", "timeout"]]);
  });

  it("gives a handler that asks for its signal after its time was over an aborted one", async () => {
    const { bus, clock } = setUp();
    let aborted: boolean | undefined;
    bus.subscribe(
      "test.note",
      async (_event, context) => {
        await clock.sleep(2000);
        aborted = context.signal.aborted;
      },
      { name: "slow", timeoutMs: 1000 },
    );
    void bus.publish(note("x"));
    await clock.advance(3000);
    expect(aborted).toBe(true);
  });

  it("ignores what becomes of a handler after its time", async () => {
    const { bus, clock, failures } = setUp();
    bus.subscribe(
      "test.note",
      async () => {
        await clock.sleep(2000);
        throw new Error("too late to matter");
      },
      { name: "slow", timeoutMs: 1000 },
    );
    const published = bus.publish(note("x"));
    await clock.advance(5000);
    expect((await published).length).toBe(1);
    expect(failures.length).toBe(1);
  });

  it("sets no timer for a handler that is done at once or a moment later", async () => {
    const { bus, clock } = setUp();
    let timers = 0;
    const counting: Clock = {
      ...clock,
      at: (...rest) => (timers++, clock.at(...rest)),
      after: (...rest) => (timers++, after(clock, ...rest)),
      sleep: (...rest) => (timers++, clock.sleep(...rest)),
    };
    const quick = createEventBus({ clock: counting });
    quick.subscribe("test.note", () => {}, { name: "sync" });
    quick.subscribe("test.note", async () => {}, { name: "async" });
    await quick.publish(note("x"));
    await clock.advance(0);
    expect(timers).toBe(0);
    expect(await bus.publish(note("x"))).toEqual([]);
  });

  it("stops calling a handler that unsubscribed, also in the middle of an event", async () => {
    const { bus } = setUp();
    const calls: string[] = [];
    bus.subscribe(
      "test.note",
      () => {
        calls.push("one");
        stop();
      },
      { name: "one" },
    );
    const stop = bus.subscribe("test.note", () => void calls.push("two"), { name: "two" });
    await bus.publish(note("x"));
    stop();
    expect(calls).toEqual(["one"]);
  });

  it("says whether anybody listens", () => {
    const { bus } = setUp();
    expect(bus.has("test.note")).toBe(false);
    const stop = bus.subscribe("*", () => {}, { name: "all" });
    expect(bus.has("test.note")).toBe(true);
    stop();
    expect(bus.has("test.note")).toBe(false);
  });

  it("skips and counts what is over a handler's rate, in any 60 seconds", async () => {
    const { bus, clock, metrics } = setUp();
    const times: number[] = [];
    const startMs = clock.now();
    bus.subscribe("test.note", () => void times.push(clock.now() - startMs), { name: "limited", maxRatePerMinute: 2 });
    for (let second = 0; second < 90; second += 20) {
      await bus.publish(note("x"));
      await clock.advance(20_000);
    }
    expect(times).toEqual([0, 20_000, 60_000, 80_000]);
    expect(metrics.text()).toContain('event_bus_handler_skipped_total{handler_name="limited"} 1');
  });

  it.each([60_000, 3_600_000, 365 * 86_400_000])(
    "keeps a handler's limit when the clock is set back by %i ms, and locks it out for a minute at most",
    async (ms) => {
      const { bus, clock } = setUp();
      let calls = 0;
      bus.subscribe("test.note", () => void calls++, { name: "limited", maxRatePerMinute: 2 });
      const publish = async (times: number) => {
        for (let time = 0; time < times; time++) await bus.publish(note("x"));
        return calls;
      };
      expect(await publish(1)).toBe(1);
      clock.step(-ms);
      expect(await publish(3)).toBe(2);
      clock.step(59_999);
      expect(await publish(1)).toBe(2);
      clock.step(1);
      expect(await publish(5)).toBe(4);
    },
  );

  it.each([
    { title: "no time", options: { timeoutMs: 0 } },
    { title: "a time that is no number", options: { timeoutMs: Number.NaN } },
    { title: "a rate of nothing", options: { maxRatePerMinute: 0 } },
    { title: "half an event a minute", options: { maxRatePerMinute: 0.5 } },
  ])("refuses $title", ({ options }) => {
    const { bus } = setUp();
    expect(() => bus.subscribe("test.note", () => {}, { name: "bad", ...options })).toThrow(RangeError);
  });

  it("counts publications, errors and time", async () => {
    const { bus, clock, metrics } = setUp();
    bus.subscribe("test.note", () => clock.sleep(200), { name: "slow" });
    bus.subscribe("test.note", () => Promise.reject(new Error("no")), { name: "bad" });
    const published = bus.publish(note("x"));
    await clock.advance(1000);
    await published;
    const text = metrics.text();
    expect(text).toContain('event_bus_publish_total{event_type="test.note"} 1');
    expect(text).toContain('event_bus_handler_error_total{handler_name="bad"} 1');
    expect(text).toContain('event_bus_handler_latency_seconds_sum{handler_name="slow"} 0.2');
  });

  it("does not fail when onFailure throws", async () => {
    const bus = createEventBus({
      clock: fakeClock(),
      onFailure() {
        throw new Error("reporter is broken");
      },
    });
    bus.subscribe("test.note", () => Promise.reject(new Error("no")), { name: "bad" });
    expect((await bus.publish(note("x"))).length).toBe(1);
  });
});

describe("publishAsync()", () => {
  it("returns before any handler is called", async () => {
    const { bus } = setUp();
    const calls: string[] = [];
    bus.subscribe("test.note", () => void calls.push("handler"), { name: "reader" });
    bus.publishAsync(note("x"));
    calls.push("publisher");
    await bus.drain();
    expect(calls).toEqual(["publisher", "handler"]);
  });

  it("gives each subscriber its events one at a time and in order, and lets none wait for another", async () => {
    const { bus, clock } = setUp();
    const slow: string[] = [];
    const quick: string[] = [];
    let running = 0;
    bus.subscribe(
      "test.note",
      async (event) => {
        expect(++running).toBe(1);
        await clock.sleep(event.payload.text === "1" ? 300 : 10);
        running--;
        slow.push(event.payload.text);
      },
      { name: "slow" },
    );
    bus.subscribe("test.note", (event) => void quick.push(event.payload.text), { name: "quick" });
    for (const text of ["1", "2", "3"]) bus.publishAsync(note(text));
    await clock.advance(0);
    expect([quick, slow]).toEqual([["1", "2", "3"], []]);
    await clock.advance(320);
    expect(slow).toEqual(["1", "2", "3"]);
  });

  it("reports failures and goes on with the next event", async () => {
    const { bus, failures } = setUp();
    const seen: string[] = [];
    bus.subscribe(
      "test.note",
      (event) => {
        seen.push(event.payload.text);
        if (event.payload.text === "1") throw new Error("bad event");
      },
      { name: "reader" },
    );
    bus.publishAsync(note("1"));
    bus.publishAsync(note("2"));
    await bus.drain();
    expect(seen).toEqual(["1", "2"]);
    expect(failures.map(({ handler }) => handler)).toEqual(["reader"]);
  });

  it("drains what handlers publish on the way, and at once when there is nothing", async () => {
    const { bus } = setUp();
    const seen: string[] = [];
    await bus.drain();
    bus.subscribe(
      "test.note",
      (event) => {
        seen.push(event.payload.text);
        if (event.payload.text === "1") bus.publishAsync(note("2"));
      },
      { name: "reader" },
    );
    bus.publishAsync(note("1"));
    await bus.drain();
    expect(seen).toEqual(["1", "2"]);
  });

  it("drops what waits for a subscriber that left", async () => {
    const { bus } = setUp();
    const seen: string[] = [];
    const stop = bus.subscribe("test.note", (event) => void seen.push(event.payload.text), { name: "reader" });
    bus.publishAsync(note("1"));
    stop();
    await bus.drain();
    expect(seen).toEqual([]);
  });
});
