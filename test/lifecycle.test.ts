import { describe, expect, it } from "vitest";
import { memoryStore } from "../entry.host.ts";
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
