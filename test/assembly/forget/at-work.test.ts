import { describe, expect, it } from "vitest";
import { type Store, createAssistant, memoryStore } from "../../../mod.ts";
import { createMemoryGate } from "../../../src/assembly/memory-gate.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { inMemoryChannel } from "../../../src/testing/in-memory-channel.ts";
import { says, scriptedModel } from "../../../src/testing/scripted-model.ts";
import { until } from "../../support/until.ts";

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
    const channel = inMemoryChannel({ access: { dm: "open", groups: "always" } });
    const model = scriptedModel(() => says("ok"));
    const assistant = await createAssistant({
      store: slow,
      clock,
      channels: [channel],
      model,
      queue: { debounceMs: 0 },
    });
    await assistant.start();
    const text = "I prefer canary milk in my coffee. I decided to call my canary Bob.";
    const ada = { peer: { kind: "direct", id: "ada-7001" }, sender: { id: "ada-7001" } } as const;
    await assistant.fetch(
      new Request("http://localhost/webhooks/memory", channel.request([{ id: "e1", text, ...ada }])),
    );
    await until(clock, isHeld);
    const forgetting = assistant.memory.forget({ userId: "memory:ada-7001" });
    let done = false;
    void forgetting.then(() => (done = true));
    await clock.advance(500);
    letGo();
    await until(clock, () => done);
    await until(clock, async () => (await keysNaming(store, /ada-7001|canary/)).length === 0);
    await clock.advance(600_000);
    await assistant.stop();
    expect(await keysNaming(store, /ada-7001|canary/)).toEqual([]);
  });
});

describe("createMemoryGate()", () => {
  it("lets in what is alone when everything has passed, one at a time, and the others after it", async () => {
    const gate = createMemoryGate();
    const log: string[] = [];
    const ends: (() => void)[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} begins`);
      await new Promise<void>((resolve) => ends.push(resolve));
      log.push(`${name} ends`);
    };
    const all = [
      gate.pass(work("a")),
      gate.pass(work("b")),
      gate.alone(work("first")),
      gate.pass(work("c")),
      gate.alone(work("second")),
    ];
    for (let round = 0; round < 20; round += 1) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      ends.shift()?.();
    }
    await Promise.all(all);
    expect(log).toEqual(
      ["a begins", "b begins", "a ends", "b ends"].concat(
        ...["first", "second", "c"].map((name) => [`${name} begins`, `${name} ends`]),
      ),
    );
  });

  it("goes on after a failure on either side", async () => {
    const gate = createMemoryGate();
    const fails = () => Promise.reject(new Error("no"));
    const outcomes = await Promise.allSettled([gate.pass(fails), gate.alone(fails), gate.pass(async () => "passed")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
    expect(await gate.alone(async () => "alone")).toBe("alone");
  });
});
