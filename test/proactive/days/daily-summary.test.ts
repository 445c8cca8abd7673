import { describe, expect, it } from "vitest";
import { createEventBus } from "../../../src/events/index.ts";
import { createDays, createMemoryLifecycle } from "../../../src/memory/index.ts";
import { createDailySummary } from "../../../src/proactive/days/index.ts";
import { memoryStore } from "../../../src/store/index.ts";
import { silentLogger } from "../../../src/telemetry/index.ts";
import { fakeClock } from "../../../src/testing/index.ts";
import { ADA, DAY_MS, entry, mapMemory, textOf, watchedStore } from "../../memory/days/support.ts";

const MINUTE = 60_000;
const SPEAKER = {
  user: ADA,
  channel: "telegram",
  peer: { kind: "direct" as const, id: "42" },
  roles: [],
  account: "default",
};
const TASK = {
  ...SPEAKER,
  taskId: "t",
  status: "completed" as const,
  source: "message",
  toolCalls: 0,
  usage: { inputTokens: 0, outputTokens: 0 },
  text: "",
};
const KEY = `memory:days:${ADA}`;

function room(options: { readonly onWrite?: () => void; readonly timezone?: string } = {}) {
  const clock = fakeClock(Date.UTC(2026, 1, 1, 9));
  const { memory, live, archived } = mapMemory(options.onWrite);
  const backing = memoryStore();
  const store = watchedStore(options.onWrite ?? (() => {}), backing);
  const wakes: { readonly key: string; readonly at: string }[] = [];
  const engine = {
    wake: async (key: string, at?: Date) =>
      void wakes.push({ key, at: (at ?? new Date(clock.now())).toISOString().slice(8, 16) }),
  };
  const events = createEventBus({ clock });
  const days = createDays({ store, memory, clock, timezoneOf: () => options.timezone ?? "UTC" });
  const lifecycle = createMemoryLifecycle({ store, memory, clock });
  const summary = createDailySummary({
    days, lifecycle, memory, store, engine, events, clock, logger: silentLogger, memoryUserOf: ({ user }) => user,
  }); // prettier-ignore
  const turn = (dryRun = false) =>
    summary.hook.onTaskCompleted?.(TASK, { sessionKey: "s", dryRun, signal: new AbortController().signal });
  const end = (reason: string) =>
    events.publish({ type: "session.ended", sessionId: "s", timestamp: clock.now(), payload: { ...SPEAKER, reason } });
  return { clock, memory, live, archived, store: backing, wakes, summary, turn, end, days };
}
const file = (name: string) => `memory/${ADA}/${name}`;
const say = (id: string, atMs: number, content: string, slots = {}) =>
  entry(id, content, { createdAt: new Date(atMs), slots: { type: "statement", ...slots } });

describe("when a day is written down", () => {
  it("asks with the first turn of a day, then at most every ten minutes, and when a session ends", async () => {
    const { clock, wakes, turn, end } = room();
    await turn();
    await turn();
    clock.step(3 * MINUTE);
    await turn();
    await turn();
    clock.step(8 * MINUTE);
    await turn();
    await end("idle");
    await turn();
    clock.step(DAY_MS);
    await turn();
    expect(wakes).toEqual(
      ["01T09:00", "01T09:10", "01T09:20", "01T09:11", "01T09:21", "02T09:11"].map((at) => ({ key: KEY, at })),
    );
  });

  it("goes on past a MEMORY.md that is no text, and leaves it as it is", async () => {
    const { clock, live, store, summary } = room();
    const bytes = new Uint8Array([0xff, 0xfe, 0x48, 0x00]);
    await store.put(file("MEMORY.md"), bytes);
    live.set("1", say("1", clock.now(), "I never eat fish.", { lasting: true }));
    await summary.handle(KEY);
    expect((await store.get(file("MEMORY.md")))?.value).toEqual(bytes);
    expect(await textOf(store, file("daily/2026-02-01.md"))).toContain("I never eat fish.");
    expect((await store.get(file(".state/daily.json")))?.value).toMatchObject({ day: "2026-02-01" });
  });

  it("asks nothing in a dry run, for a conversation that is removed, and after it was stopped", async () => {
    const { wakes, turn, end, summary } = room();
    await turn(true);
    await end("removed");
    summary.stop();
    await end("idle");
    expect(wakes).toEqual([]);
  });

  it("begins the day where the person is", async () => {
    const { clock, wakes, turn } = room({ timezone: "Asia/Tokyo" });
    await turn();
    clock.step(5 * 60 * MINUTE + 59 * MINUTE);
    await turn();
    clock.step(MINUTE);
    await turn();
    expect(wakes.at(-1)).toEqual({ key: KEY, at: "01T15:00" });
  });
});

describe("the work of a day", () => {
  it("writes today, ends yesterday, keeps what lasts and tidies, once", async () => {
    const { clock, memory, store, summary, live, wakes } = room();
    const now = clock.now();
    await memory.save([
      say("A", now - DAY_MS, "Said yesterday"), say("B", now, "Said today"), say("C", now - 100 * DAY_MS, "Old"), say("D", now, "Is called Ada", { lasting: true }),
    ]); // prettier-ignore
    expect([summary.isKey(KEY), summary.isKey("memory:capture:x")]).toEqual([true, false]);
    await summary.handle(KEY);
    expect(await textOf(store, file("daily/2026-02-01.md"))).toContain("Said today");
    expect(await textOf(store, file("daily/2026-01-31.md"))).toContain("Said yesterday");
    expect(await textOf(store, file("MEMORY.md"))).toContain("Is called Ada");
    expect([...live.keys()].sort()).toEqual(["A", "B", "D"]);
    expect(wakes).toEqual([]);

    await memory.save([
      say("E", now - 100 * DAY_MS, "Old too"),
      say("F", now, "Said later"),
      say("G", now - DAY_MS, "Captured late"),
    ]);
    await summary.handle(KEY);
    expect(await textOf(store, file("daily/2026-02-01.md"))).toContain("Said later");
    expect(live.has("E")).toBe(true);
    clock.step(DAY_MS);
    await summary.handle(KEY);
    expect(live.has("E")).toBe(false);
  });

  it("ends the last day on which something was said, however long ago", async () => {
    const { clock, memory, store, summary } = room();
    await memory.save([say("A", clock.now(), "In the morning")]);
    await summary.handle(KEY);
    await memory.save([say("B", clock.now() + 60 * MINUTE, "In the evening")]);
    clock.step(5 * DAY_MS);
    await summary.handle(KEY);
    expect(await textOf(store, file("daily/2026-02-01.md"))).toContain("In the evening");
  });

  it("tidies within the day when there are many, and goes on after a pause", async () => {
    const { clock, memory, summary, live, wakes } = room();
    await memory.save([say("first", clock.now(), "First")]);
    await summary.handle(KEY);
    const old = Array.from({ length: 700 }, (_, index) =>
      say(`O${index}`, clock.now() - 100 * DAY_MS, `Number ${index}`),
    );
    await memory.save(old);
    await summary.handle(KEY);
    expect(live.size).toBe(201);
    expect(wakes).toEqual([{ key: KEY, at: "01T09:01" }]);
    await summary.handle(KEY);
    expect(live.size).toBe(1);
    expect(wakes).toHaveLength(1);
  });

  it("writes nothing of somebody of whom nothing is known", async () => {
    let writes = 0;
    const { summary } = room({ onWrite: () => (writes += 1) });
    await summary.handle(KEY);
    expect(writes).toBe(0);
  });

  it("writes nothing the second time", async () => {
    let writes = 0;
    const { memory, summary, clock } = room({ onWrite: () => (writes += 1) });
    await memory.save([say("A", clock.now(), "One"), say("B", clock.now() - DAY_MS, "Two")]);
    await summary.handle(KEY);
    const before = writes;
    await summary.handle(KEY);
    expect(writes).toBe(before);
  });

  it("comes to the same end after a crash at any write", async () => {
    async function run(crashAt: number) {
      let writes = -1; // the first one saves the entries
      const { memory, summary, store, clock, live, archived } = room({
        onWrite: () => {
          writes += 1;
          if (writes === crashAt) throw new Error("crash");
        },
      });
      const now = clock.now();
      const seats = "Prefers aisle seats near the front on long flights with the window blind closed";
      await memory.save([
        say("A", now, seats),
        say("B", now - DAY_MS, seats),
        say("C", now - 2 * DAY_MS, seats),
        say("O", now - 100 * DAY_MS, "Old"),
      ]);
      await summary.handle(KEY).catch(() => {});
      await summary.handle(KEY);
      const documents: Record<string, unknown> = {};
      for await (const { key } of store.list(""))
        if (!key.endsWith(".jsonl")) documents[key] = (await store.get(key))?.value;
      return { end: { documents, live: [...live.keys()].sort(), archived: [...archived.keys()].sort() }, writes };
    }
    const whole = await run(-1);
    expect(whole.end.live).toEqual(["C"]);
    expect(whole.writes).toBeGreaterThan(8);
    for (let crashAt = 1; crashAt <= whole.writes; crashAt += 1) expect((await run(crashAt)).end).toEqual(whole.end);
  });
});
