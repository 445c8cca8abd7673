import { describe, expect, it } from "vitest";
import { type EventFailure, type Injection, createEventBus, publishForInjections } from "../../src/events/index.ts";
import { type ProactiveHook, createHookRegistry, explainHooks } from "../../src/proactive/index.ts";
import { createMetrics } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

function setUp() {
  const clock = fakeClock();
  const failures: EventFailure[] = [];
  const metrics = createMetrics();
  const events = createEventBus({ clock, metrics, onFailure: (failure) => failures.push(failure) });
  const hooks = createHookRegistry({ events });
  const common = { sessionId: "agent:main:main", timestamp: 0 };
  return {
    clock,
    events,
    failures,
    metrics,
    hooks,
    async start() {
      const injections = publishForInjections(events, (inject) => ({
        ...common,
        type: "task.started",
        payload: {
          taskId: "t",
          text: "hi",
          user: "sdk",
          channel: "sdk",
          peer: { kind: "direct", id: "sdk" },
          roles: ["user"],
          account: "default",
          source: "message",
          inject,
        },
      }));
      return (await injections).map(({ content }) => content);
    },
    iterate: () =>
      publishForInjections(events, (inject) => ({
        ...common,
        type: "iteration.started",
        payload: { taskId: "t", step: 2, inject },
      })),
    tool: (type: "tool.completed" | "tool.failed") =>
      publishForInjections(events, (inject) => ({
        ...common,
        type,
        payload: { taskId: "t", callId: "t.0.0", name: "time", durationMs: 5, inject },
      })),
  };
}

const says = (content: string, priority = 0): Injection => ({ type: "suggestion", content, source: "test", priority });
const hook = (name: string, rest: Partial<ProactiveHook> = {}): ProactiveHook => ({
  name,
  onTaskStart: () => [says(name)],
  ...rest,
});

describe("createHookRegistry()", () => {
  it("asks the hooks by priority, equal ones in the order they were added, and lists them so", async () => {
    const t = setUp();
    t.hooks.add(hook("a"));
    t.hooks.add(hook("b"), { priority: 1 });
    t.hooks.add(hook("c"));
    expect(await t.start()).toEqual(["b", "a", "c"]);
    expect(t.hooks.list().map((one) => [one.hook.name, one.priority])).toEqual([
      ["b", 1],
      ["a", 0],
      ["c", 0],
    ]);
  });

  it("calls each function with what happened, the session, and a signal", async () => {
    const t = setUp();
    const seen: unknown[] = [];
    const note = (what: string) => (about: object, context: { sessionKey: string; dryRun: boolean }) => {
      const { inject: _, ...payload } = about as { inject?: unknown };
      seen.push([what, payload, context.sessionKey, context.dryRun]);
    };
    t.hooks.add({
      name: "all",
      onTaskStart: note("start"),
      onIterationStart: note("iteration"),
      onToolCompleted: note("tool"),
      onTaskCompleted: note("end"),
    });
    await t.start();
    await t.iterate();
    await t.tool("tool.completed");
    await t.tool("tool.failed");
    const ended = {
      taskId: "t",
      status: "completed",
      source: "message",
      toolCalls: 0,
      user: "sdk",
      channel: "sdk",
      peer: { kind: "direct", id: "sdk" },
      roles: ["user"],
      account: "default",
      text: "",
    } as const;
    const usage = { inputTokens: 1, outputTokens: 1 };
    t.events.publishAsync({
      type: "task.completed",
      sessionId: "agent:main:main",
      timestamp: 0,
      payload: { ...ended, usage },
    });
    await t.events.drain();
    const key = "agent:main:main";
    expect(seen).toEqual([
      [
        "start",
        {
          taskId: "t",
          text: "hi",
          user: "sdk",
          channel: "sdk",
          peer: { kind: "direct", id: "sdk" },
          roles: ["user"],
          account: "default",
          source: "message",
        },
        key,
        false,
      ],
      ["iteration", { taskId: "t", step: 2 }, key, false],
      ["tool", { taskId: "t", callId: "t.0.0", name: "time", durationMs: 5 }, key, false],
      ["end", { ...ended, usage }, key, false],
    ]);
  });

  it("goes on without a hook that throws, rejects or returns something else, and counts it", async () => {
    const t = setUp();
    t.hooks.add(
      hook("throws", {
        onTaskStart() {
          throw new Error("no");
        },
      }),
    );
    t.hooks.add(hook("rejects", { onTaskStart: () => Promise.reject(new Error("no")) }));
    t.hooks.add(hook("wrong", { onTaskStart: () => "text" as never }));
    t.hooks.add(hook("silent", { onTaskStart: () => {} }));
    t.hooks.add(hook("right"));
    expect(await t.start()).toEqual(["right"]);
    expect(t.failures.map(({ handler, reason }) => [handler, reason])).toEqual([
      ["throws", "threw"],
      ["rejects", "threw"],
      ["wrong", "threw"],
    ]);
    expect(String(t.failures[2]?.error)).toContain("expected a list of injections");
    expect(t.metrics.text()).toContain('handler_error_total{handler_name="rejects"} 1');
  });

  it("drops what a hook returns after its time, also while others are still asked", async () => {
    const t = setUp();
    let aborted = false;
    t.hooks.add(
      hook("late", {
        async onTaskStart(_, { signal }) {
          await t.clock.sleep(150);
          aborted = signal.aborted;
          return [says("late")];
        },
      }),
      { timeoutMs: 100, priority: 1 },
    );
    t.hooks.add(
      hook("slow", {
        async onTaskStart() {
          await t.clock.sleep(100);
          return [says("slow")];
        },
      }),
    );
    const started = t.start();
    await t.clock.advance(300);
    expect(await started).toEqual(["slow"]);
    expect(aborted).toBe(true);
    expect(t.failures.map(({ handler, reason }) => [handler, reason])).toEqual([["late", "timeout"]]);
  });

  it("skips a hook over its rate", async () => {
    const t = setUp();
    t.hooks.add(hook("a"), { maxRatePerMinute: 1 });
    expect([await t.start(), await t.start()]).toEqual([["a"], []]);
    await t.clock.advance(60_000);
    expect(await t.start()).toEqual(["a"]);
  });

  it("removes by name and by what add() returned, once", async () => {
    const t = setUp();
    const removeFirst = t.hooks.add(hook("a"));
    t.hooks.add(hook("b"));
    expect(t.hooks.remove("a")).toBe(true);
    expect(t.hooks.remove("a")).toBe(false);
    t.hooks.add(hook("a"));
    removeFirst();
    expect(await t.start()).toEqual(["b", "a"]);
    t.hooks.remove("a");
    t.hooks.remove("b");
    expect(t.events.has("task.started")).toBe(false);
  });

  it("lists and asks a hook whose priority is undefined as one without", async () => {
    const { hooks, start } = setUp();
    hooks.add(hook("low"), { priority: -1 });
    hooks.add(hook("none"), { priority: undefined } as unknown as { priority: number });
    hooks.add(hook("high"), { priority: 1 });
    expect(hooks.list().map((one) => [one.hook.name, one.priority])).toEqual([
      ["high", 1],
      ["none", 0],
      ["low", -1],
    ]);
    expect(await start()).toEqual(["high", "none", "low"]);
  });

  it.each([NaN, Infinity, "1"])("refuses the priority %s, by which nothing can be put in order", (priority) => {
    const { hooks } = setUp();
    expect(() => hooks.add(hook("a"), { priority: priority as number })).toThrow("priority must be a finite number");
    expect(hooks.list()).toEqual([]);
  });

  it("refuses a second hook of a name, a hook without one, and options out of range", () => {
    const t = setUp();
    t.hooks.add(hook("a"));
    expect(() => t.hooks.add(hook("a"))).toThrow(/another hook has this name/);
    expect(() => t.hooks.add(hook(""))).toThrow(/expected a name/);
    expect(() => t.hooks.add(hook("b"), { timeoutMs: 0 })).toThrow(RangeError);
    expect(t.hooks.list()).toHaveLength(1);
  });

  it.each([{ onTaskStart: "x" }, { onTaskCompleted: {} }, { onTaskStarted: () => {} }])(
    "refuses a hook whose functions would fail or never be called: %j",
    (functions) => {
      const { hooks } = setUp();
      const [name] = Object.keys(functions);
      expect(() => hooks.add({ name: "a", ...(functions as object) })).toThrow(
        expect.objectContaining({
          code: "OPTION_INVALID",
          message: `Invalid ${name} of the hook "a": expected functions named onTaskStart, onIterationStart, onToolCompleted, onTaskCompleted`,
        }),
      );
      expect(hooks.list()).toEqual([]);
    },
  );

  it("takes a hook with functions and fields of its own", () => {
    class Own implements ProactiveHook {
      readonly name = "own";
      readonly onTaskStart = null as never;
      readonly once = 1;
      onTaskCompleted(): void {
        this.onEnd();
      }
      onEnd(): void {}
    }
    const { hooks } = setUp();
    hooks.add(new Own());
    expect(hooks.list()).toHaveLength(1);
  });
});

describe("explainHooks()", () => {
  const task = {
    sessionKey: "agent:main:main",
    text: "hi",
    user: "sdk",
    channel: "sdk",
    peer: { kind: "direct", id: "sdk" },
    roles: ["user"],
    account: "default",
  } as const;

  it("asks the hooks in their order and within their time, and tells them that it is dry", async () => {
    const t = setUp();
    const seen: unknown[] = [];
    t.hooks.add(hook("a", { onTaskStart: ({ text }, { dryRun }) => void seen.push(text, dryRun) }));
    t.hooks.add(hook("b"), { priority: 1 });
    t.hooks.add(hook("late", { onTaskStart: () => new Promise<never>(() => {}) }), { timeoutMs: 50 });
    t.hooks.add(
      hook("throws", {
        onTaskStart() {
          throw new Error("no");
        },
      }),
    );
    t.hooks.add(hook("c"));
    const explained = explainHooks(t.hooks, task, { clock: t.clock });
    await t.clock.advance(100);
    expect((await explained).map(({ content }) => content)).toEqual(["b", "c"]);
    expect(seen).toEqual(["hi", true]);
  });

  it("publishes nothing, counts nothing, and uses up no rate", async () => {
    const t = setUp();
    const heard: string[] = [];
    t.hooks.add(hook("a"), { maxRatePerMinute: 1 });
    t.events.subscribe("*", ({ type }) => void heard.push(type), { name: "spy" });
    const before = t.metrics.text();
    for (let round = 0; round < 3; round += 1)
      expect(await explainHooks(t.hooks, task, { clock: t.clock })).toHaveLength(1);
    expect(heard).toEqual([]);
    expect(t.metrics.text()).toBe(before);
    expect(await t.start()).toEqual(["a"]);
  });
});
