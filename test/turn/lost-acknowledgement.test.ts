import { describe, expect, it } from "vitest";
import { AssistantError, type Store, createAssistant, memoryStore } from "../../entry.host.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { type InMemoryChannel, inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { hangs, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { until } from "../support/until.ts";

/** What a server does that dies between a write and its answer: of the first append that holds an `out`, and of all that are made beside it. */
function lossy(options: { writes: "all" | "out only" }) {
  const inner = memoryStore();
  let left = 1;
  let down = false;
  const failure = () => new AssistantError("STORE_UNAVAILABLE", "The server went away");
  const store: Store = {
    ...inner,
    async append(log, record, how) {
      const holdsOut = [record].flat().some((one) => one["type"] === "out");
      if (holdsOut && left > 0) {
        left -= 1;
        down = true;
        setTimeout(() => (down = false), 0);
        await inner.append(log, record, how);
        throw failure();
      }
      if (down && options.writes === "out only") throw failure();
      return inner.append(log, record, how);
    },
  };
  return store;
}

function deliver(channel: InMemoryChannel, id: string): Request {
  const message = { id, text: `message ${id}`, peer: { kind: "direct", id: "42" }, sender: { id: "42" } } as const;
  return new Request("http://localhost/webhooks/memory", channel.request([message]));
}

describe("a store whose answer was lost", () => {
  it.each(["all", "out only"] as const)(
    "sends a reply once that was written without being told (%s)",
    async (writes) => {
      const clock = fakeClock();
      const channel = inMemoryChannel();
      const assistant = await createAssistant({
        store: lossy({ writes }),
        clock,
        channels: [channel],
        model: scriptedModel(() => says("answered")),
        queue: { debounceMs: 0 },
      });
      await assistant.start();
      await assistant.fetch(deliver(channel, "m1"));
      await until(clock, () => channel.sent.length > 0);
      await clock.advance(600_000);
      expect(channel.textsTo("42")).toEqual(["answered"]);
    },
  );

  it("tells a sender once that a message was refused, when that was written without being told", async () => {
    const clock = fakeClock();
    const channel = inMemoryChannel();
    const assistant = await createAssistant({
      store: lossy({ writes: "out only" }),
      clock,
      channels: [channel],
      model: scriptedModel([hangs()]),
      queue: { debounceMs: 0, cap: 1, overflow: "new" },
      agent: { maxTurnSeconds: 60 },
    });
    await assistant.start();
    for (const id of ["m1", "m2"]) {
      await assistant.fetch(deliver(channel, id));
      await clock.advance(10);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    expect((await assistant.fetch(deliver(channel, "m3"))).status).toBe(503);
    await until(clock, () => channel.textsTo("42").some((text) => text.includes("Too many messages")));
    await assistant.fetch(deliver(channel, "m3"));
    await clock.advance(5000);
    expect(channel.textsTo("42").filter((text) => text.includes("Too many messages"))).toHaveLength(1);
  });
});
