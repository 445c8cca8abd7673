import { describe, expect, it } from "vitest";
import { AssistantError, memoryStore } from "../entry.host.ts";
import { testAssistant } from "./support/assistant.ts";

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
