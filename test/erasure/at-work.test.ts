import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import type { Store } from "../../kit.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { until } from "../support/until.ts";
import { testAssistant } from "../support/assistant.ts";

/** A store whose first write of a document under such a key waits to be let go. */
function held(store: Store, part: string) {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  let isHeld = false;
  const put: Store["put"] = async (key, ...rest) => {
    if (!isHeld && key.includes(part) && key.includes("ada-7001")) {
      isHeld = true;
      await gate;
    }
    return store.put(key, ...rest);
  };
  const slow = new Proxy(store, {
    get(target, name) {
      const own: unknown = name === "put" ? put : Reflect.get(target, name);
      return typeof own === "function" && name !== "put" ? own.bind(target) : own;
    },
  });
  return { slow, letGo, isHeld: () => isHeld };
}

async function keysNaming(store: Store, pattern: RegExp): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of store.list("")) {
    let text = key;
    const document = await store.get(key).catch(() => null);
    if (document) text += JSON.stringify(document.value);
    else for await (const { record } of store.read(key)) text += JSON.stringify(record);
    if (pattern.test(text)) found.push(key);
  }
  return found;
}

describe("forgetting somebody whose words are being kept just then", () => {
  it.each(["/entries/", ".index/capture/"])("leaves nothing when the write under %s is late", async (part) => {
    const [clock, store] = [fakeClock(), memoryStore()];
    const { slow, letGo, isHeld } = held(store, part);
    const t = await testAssistant({ store: slow, clock, queue: { debounceMs: 0 } });
    const text = "I prefer canary milk in my coffee. I decided to call my canary Bob.";
    await t.receive(text, { from: "ada-7001" });
    await until(clock, isHeld);
    const forgetting = t.assistant.memory.forget({ userId: "memory:ada-7001" });
    let done = false;
    void forgetting.then(() => (done = true));
    await clock.advance(500);
    letGo();
    await until(clock, () => done);
    await until(clock, async () => (await keysNaming(store, /ada-7001|canary/)).length === 0);
    await clock.advance(600_000);
    await t.assistant.stop();
    expect(await keysNaming(store, /ada-7001|canary/)).toEqual([]);
  });
});
