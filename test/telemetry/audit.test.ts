import { describe, expect, it } from "vitest";
import { memoryStore } from "../../src/store/index.ts";
import type { Store } from "../../src/store/index.ts";
import { createAudit, createMetrics, createRedactor, silentLogger } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

describe("createAudit()", () => {
  it("keeps one line an event, by UTC day, with its time", async () => {
    const clock = fakeClock(Date.UTC(2026, 10, 21, 23, 59, 59));
    const store = memoryStore();
    const audit = createAudit({ store, clock });
    audit.write({
      who: "telegram:42",
      what: "tool.call",
      target: "file_read",
      verdict: "ok",
      bytes: 12,
      callId: "1.1.0",
    });
    await clock.advance(2000);
    audit.write({ who: "telegram:7", what: "access.refused", verdict: "refused", reason: "not on the list" });
    await audit.settled();
    expect(await audit.read({ day: "2026-11-21" })).toEqual([
      {
        v: 1,
        at: "2026-11-21T23:59:59.000Z",
        who: "telegram:42",
        what: "tool.call",
        target: "file_read",
        verdict: "ok",
        bytes: 12,
        callId: "1.1.0",
      },
    ]);
    expect((await audit.read()).map(({ what }) => what)).toEqual(["access.refused"]);
    expect(await store.lastSeq("audit/2026-11-21.jsonl")).toBe(1);
  });

  it("reads the newest lines, oldest first", async () => {
    const audit = createAudit({ store: memoryStore(), clock: fakeClock() });
    for (let index = 0; index < 5; index++) audit.write({ who: "sdk", what: `n.${index}`, verdict: "ok" });
    await audit.settled();
    expect((await audit.read({ limit: 2 })).map(({ what }) => what)).toEqual(["n.3", "n.4"]);
    expect(await audit.read({ day: "2020-01-01" })).toEqual([]);
  });

  it("finds what one person did, and one kind of act, among as many lines as there are", async () => {
    const audit = createAudit({ store: memoryStore(), clock: fakeClock() });
    for (let count = 0; count < 50; count += 1) {
      audit.write({ who: "telegram:42", what: "tool.call", target: String(count), verdict: "ok" });
      audit.write({ who: "cli", what: count % 2 === 0 ? "tool.denied" : "toolbox.opened", verdict: "denied" });
    }
    await audit.settled();
    const targets = async (query: Parameters<typeof audit.read>[0]) =>
      (await audit.read(query)).map(({ target }) => target);
    expect(await targets({ who: "telegram:42", limit: 3 })).toEqual(["47", "48", "49"]);
    expect(await targets({ who: "telegram:42", limit: 1000 })).toHaveLength(50);
    expect(await audit.read({ what: "tool.denied", limit: 1000 })).toHaveLength(25);
    expect(await audit.read({ what: "tool", limit: 1000 })).toHaveLength(75);
    expect(await audit.read({ what: "tool", who: "cli", limit: 1000 })).toHaveLength(25);
    expect(await audit.read({ who: "nobody" })).toEqual([]);
  });

  it("reads a part of a long day where what is looked for is among its newest lines", async () => {
    const store = memoryStore();
    let count = 0;
    const counted: Pick<Store, "read"> = {
      async *read(log, options) {
        for await (const line of store.read(log, options)) {
          count++;
          yield line;
        }
      },
    };
    const audit = createAudit({ store: { ...store, ...counted }, clock: fakeClock() });
    const lineOf = (index: number) => ({ at: "x", who: `app:${index % 50}`, what: "tool.call", verdict: "ok" });
    const log = `audit/${new Date(fakeClock().now()).toISOString().slice(0, 10)}.jsonl`;
    await store.append(
      log,
      Array.from({ length: 30_000 }, (_, index) => lineOf(index)),
    );
    expect(await audit.read({ who: "app:7" })).toHaveLength(100);
    expect(count).toBeLessThan(10_200);
    expect(await audit.read({ who: "app:7", limit: 500 })).toHaveLength(500);
    expect(await audit.read({ who: "app:7", limit: 1000 })).toHaveLength(600);
  });

  it("redacts secrets", async () => {
    const audit = createAudit({
      store: memoryStore(),
      clock: fakeClock(),
      redact: createRedactor(["hunter2-and-more"]),
    });
    audit.write({ who: "sdk", what: "tool.call", verdict: "failed", reason: "401 for hunter2-and-more" });
    await audit.settled();
    expect((await audit.read())[0]?.reason).toBe("401 for [redacted]");
  });

  it("asks for no flush, so that a line costs no durable write", async () => {
    const inner = memoryStore();
    const flushes: unknown[] = [];
    const store: Store = {
      ...inner,
      append(log, record, options) {
        flushes.push(options?.flush);
        return inner.append(log, record, options);
      },
    };
    const audit = createAudit({ store, clock: fakeClock() });
    audit.write({ who: "sdk", what: "tool.call", verdict: "ok" });
    await audit.settled();
    expect(flushes).toEqual([false]);
  });

  it("never fails its caller: a line that cannot be written is counted and logged", async () => {
    const metrics = createMetrics();
    const errors: unknown[] = [];
    const audit = createAudit({
      store: {
        ...memoryStore(),
        append() {
          throw new Error("disk is full");
        },
      },
      clock: fakeClock(),
      metrics,
      logger: { ...silentLogger, error: (message, fields) => errors.push([message, fields]) },
    });
    expect(() => audit.write({ who: "sdk", what: "tool.call", verdict: "ok" })).not.toThrow();
    await audit.settled();
    expect(metrics.text()).toContain("audit_failure_total 1");
    expect(errors).toEqual([["An audit line could not be written", { what: "tool.call", error: "disk is full" }]]);
  });
});
