import { describe, expect, it } from "vitest";
import {
  type EventFailure,
  type Inject,
  type Injection,
  createEventBus,
  publishForInjections,
} from "../../src/events/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

function setUp() {
  const clock = fakeClock();
  const failures: EventFailure[] = [];
  const bus = createEventBus({ clock, onFailure: (failure) => failures.push(failure) });
  const publish = () =>
    publishForInjections(bus, (inject) => ({
      type: "iteration.started",
      sessionId: "agent:main:main",
      timestamp: 0,
      payload: { taskId: "t", step: 1, inject },
    }));
  return { clock, bus, failures, publish };
}

const note = (content: string): Injection => ({ type: "suggestion", content, source: "test", priority: 0 });

describe("publishForInjections()", () => {
  it("collects what the handlers inject, in the order of the bus", async () => {
    const { bus, publish, clock } = setUp();
    bus.subscribe("iteration.started", ({ payload }) => payload.inject(note("second")), { name: "a" });
    bus.subscribe(
      "iteration.started",
      async ({ payload }) => {
        await clock.sleep(10);
        payload.inject(note("first"));
      },
      { name: "b", priority: 1 },
    );
    const published = publish();
    await clock.advance(10);
    expect((await published).map(({ content }) => content)).toEqual(["first", "second"]);
  });

  it("takes nothing that is injected after it has returned", async () => {
    const { bus, publish } = setUp();
    let late: Inject = () => expect.unreachable();
    bus.subscribe("iteration.started", ({ payload }) => void (late = payload.inject), { name: "keeper" });
    const injections = await publish();
    expect(() => late(note("late"))).not.toThrow();
    expect(injections).toEqual([]);
  });

  it("keeps what was injected as it was then", async () => {
    const { bus, publish } = setUp();
    const changing = { ...note("before"), extra: () => {} };
    bus.subscribe("iteration.started", ({ payload }) => payload.inject(changing), { name: "a" });
    const injections = await publish();
    changing.content = "after";
    expect(injections).toEqual([note("before")]);
  });

  it.each([
    { title: "an unknown type", change: { type: "order" }, says: "type must be one of" },
    { title: "a content that is no text", change: { content: 5 }, says: "content must be a text" },
    { title: "no source", change: { source: undefined }, says: "source must be a text" },
    { title: "a priority that is no number", change: { priority: NaN }, says: "priority must be a finite number" },
  ])("reports $title as the handler's failure, and keeps the others", async ({ change, says }) => {
    const { bus, publish, failures } = setUp();
    bus.subscribe("iteration.started", ({ payload }) => payload.inject({ ...note("x"), ...change } as Injection), {
      name: "wrong",
    });
    bus.subscribe("iteration.started", ({ payload }) => payload.inject(note("right")), { name: "right" });
    expect((await publish()).map(({ content }) => content)).toEqual(["right"]);
    expect(failures.map(({ handler }) => handler)).toEqual(["wrong"]);
    expect(String(failures[0]?.error)).toContain(says);
  });
});
