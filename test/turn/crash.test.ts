import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool, memoryStore } from "../../entry.host.ts";
import type { LogRecord, Store } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { type InMemoryChannel, inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { calls, says } from "../../src/testing/scripted-model.ts";
import { beginLife } from "../support/life.ts";
import { stride } from "../support/thorough.ts";
import { until } from "../support/until.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

/** Runs one message through lives that end after ever more writes, and looks at what the world saw in the end. */
async function liveThrough(writes: number) {
  const store = memoryStore();
  const clock = fakeClock();
  const channel = inMemoryChannel();
  const ran = { once: 0, again: 0 };
  const asked: string[] = [];

  const options: TestAssistantOptions = {
    store,
    clock,
    channel,
    script(prompt) {
      const last = prompt.at(-1);
      asked.push(last?.role ?? "");
      return last?.role === "tool" ? says("done") : calls(["once", {}], ["again", {}]);
    },
    tools: {
      once: defineTool({
        description: "Not to be repeated",
        inputSchema: v.object({}),
        execute: () => (ran.once += 1),
      }),
      again: defineTool({
        description: "Harmless",
        inputSchema: v.object({}),
        execute: () => (ran.again += 1),
        meta: { idempotent: true },
      }),
    },
  };

  const first = beginLife(store, clock, writes);
  let acknowledged = false;
  const dying = await testAssistant({ ...options, life: first, start: false });
  void dying.receive("do it", { id: "e1" }).then(
    (status) => (acknowledged = status === 200),
    () => {},
  );
  const settled = async () => first.killed || (await isSettled(store, channel));
  await until(clock, settled);
  const survived = !first.killed;
  first.kill();

  const second = await testAssistant(options);
  if (!acknowledged) expect(await second.receive("do it", { id: "e1" })).toBe(200);
  await until(clock, () => isSettled(store, channel));
  await second.assistant.stop();
  return { survived, ran, asked, channel, acknowledged, records: await recordsOf(store) };
}

async function recordsOf(store: Store): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const { record } of store.read("sessions/main/memory:direct:42/log.jsonl")) records.push(record);
  return records;
}

async function isSettled(store: Store, channel: InMemoryChannel): Promise<boolean> {
  const records = await recordsOf(store);
  return (
    channel.sent.length > 0 && records.some((record) => record["type"] === "mark" && record["delivery"] === "sent")
  );
}

describe("a turn that a crash cuts off", () => {
  it("answers once whatever write it dies before, and repeats only what is harmless", async () => {
    let writes = 0;
    let reSent = 0;
    for (; writes < 60; writes += stride(1)) {
      const { survived, ran, channel, records } = await liveThrough(writes);
      const at = `dying before write ${writes + 1}`;
      const outs = records.filter((record) => record["type"] === "out");
      expect(outs, at).toHaveLength(1);
      expect(
        records.filter((record) => record["type"] === "in"),
        at,
      ).toHaveLength(1);
      expect(ran.once, at).toBeLessThanOrEqual(1);
      expect(ran.again, at).toBeGreaterThanOrEqual(1);
      expect(ran.again, at).toBeLessThanOrEqual(2);
      expect(new Set(channel.sent.map(({ message }) => message.idempotencyKey)).size, at).toBe(1);
      expect(channel.sent.length, at).toBeLessThanOrEqual(2);
      expect(channel.sent[0]?.message.text, at).toBe("done");
      const steps = records.filter((record) => record["type"] === "step").map((record) => record["step"]);
      expect(steps, at).toEqual([0, 1]);
      reSent += channel.sent.length - 1;
      if (survived) break;
    }
    expect(writes, "the last life was long enough to finish").toBeGreaterThan(6);
    expect(writes).toBeLessThan(60);
    expect(reSent, "some life ended between send and mark").toBeGreaterThan(0);
  });
});
