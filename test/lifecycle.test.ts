import { describe, expect, it } from "vitest";
import { AssistantError, memoryStore } from "../entry.host.ts";
import { ChannelSendError } from "../src/channel.ts";
import type { GatewayChanged } from "../src/events/index.ts";
import { inMemoryChannel } from "../src/testing/in-memory-channel.ts";
import { testAssistant } from "./support/assistant.ts";
import { until } from "./support/until.ts";

describe("an assistant that could not start", () => {
  it.each(["engine/wakes/", "usage/", "jobs/"])("starts at the next try, when %s could not be read", async (room) => {
    const inner = memoryStore();
    let isDown = true;
    const store: typeof inner = {
      ...inner,
      list(prefix, options) {
        if (isDown && prefix.startsWith(room)) throw new Error("The store is down");
        return inner.list(prefix, options);
      },
    };
    const { assistant } = await testAssistant({ store, start: false });
    await expect(assistant.send({ text: "hi" })).rejects.toThrow("The store is down");
    isDown = false;
    expect((await assistant.send({ text: "hi" })).text).toBe("ok");
  });
});

describe("an assistant that stops", () => {
  it("closes its store when the disk is full, and knows its jobs the next time", async () => {
    const inner = memoryStore();
    let isFull = false;
    let closed = 0;
    const store: typeof inner = {
      ...inner,
      put: async (key, value, options) => {
        if (isFull) throw new AssistantError("STORE_FULL", "The disk is full");
        return inner.put(key, value, options);
      },
      close: async () => void (closed += 1),
    };
    const { assistant, restart } = await testAssistant({ store });
    const { job } = await assistant.jobs.create({ schedule: "every day at 9", task: "Say hello" });
    isFull = true;
    await assistant.stop();
    expect(closed).toBe(1);
    isFull = false;
    const again = await restart();
    expect(await again.assistant.jobs.list()).toMatchObject([{ job: { id: job.id } }]);
  });
});

describe("the events of an assistant's start and end", () => {
  async function told(options: Parameters<typeof testAssistant>[0] = {}) {
    const t = await testAssistant({ ...options, start: false });
    const states: GatewayChanged[] = [];
    for (const type of ["gateway.startup", "gateway.shutdown"] as const)
      t.assistant.events.subscribe(type, ({ payload }) => void states.push(payload), { name: `test-${type}` });
    return { ...t, states };
  }

  it("say that all is well, and which jobs are kept", async () => {
    const t = await told();
    await t.assistant.start();
    await t.assistant.jobs.create({ schedule: { kind: "every", everyMs: 3_600_000 }, task: "Say hello" });
    await t.assistant.stop();
    const health = { ok: true, problems: [] };
    const nextRunAtMs = t.clock.now() + 3_600_000;
    expect(t.states).toEqual([
      { health, jobs: { enabled: 0, nextRunAtMs: null } },
      { health, jobs: { enabled: 1, nextRunAtMs } },
    ]);
  });

  it("say what is wrong: messages and jobs at the start, at the end also servers and channels that are away", async () => {
    const channel = inMemoryChannel();
    const before = await testAssistant({ channel });
    channel.script([{ retryable: false, message: "The chat is closed" }]);
    await before.receive("hello");
    await until(before.clock, async () => (await before.records("outbox/dead")).length > 0);
    await before.store.put("jobs/water.yaml", "schedule: [\n");
    const listening = {
      ...channel,
      listen: () => Promise.reject(new ChannelSendError("The token is refused", { retryable: false })),
    };
    await before.assistant.stop();

    const t = await told({
      store: before.store,
      clock: before.clock,
      channel: listening,
      mcp: {
        servers: { docs: { url: "https://mcp.example/mcp" } },
        client: { createMCPClient: () => Promise.reject(new Error("The server is away")) },
      },
    });
    await t.store.remove(".index/jobs");
    await t.assistant.start({ listen: true });
    await t.clock.advance(10_000);
    await t.during(t.assistant.stop());
    const [startup, shutdown] = t.states.map(({ health }) => health);
    const kept = [
      "Some messages could not be delivered: wakeful undelivered",
      "A job's file cannot be read and is set aside: jobs/water.yaml.bad",
    ];
    expect(startup).toEqual({ ok: false, problems: kept });
    expect(shutdown).toEqual({
      ok: false,
      problems: [
        expect.stringMatching(/^The MCP server docs is (?:waiting|unusable)$/),
        "The channel memory:default is not connected (refused)",
        ...kept,
      ],
    });
  });

  it("say that the store cannot be read", async () => {
    const inner = memoryStore();
    let isDown = false;
    const store: typeof inner = {
      ...inner,
      list(prefix, options) {
        if (isDown) throw new Error("The store is down");
        return inner.list(prefix, options);
      },
    };
    const t = await told({ store });
    await t.assistant.start();
    isDown = true;
    await t.assistant.stop();
    expect(t.states.at(-1)?.health).toEqual({ ok: false, problems: ["The store cannot be read"] });
  });
});
