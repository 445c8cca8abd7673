import { describe, expect, it } from "vitest";
import { AssistantError, memoryStore } from "../../entry.host.ts";
import type { Store } from "../../kit.ts";
import { hangs, says } from "../../src/testing/scripted-model.ts";
import { until } from "../support/until.ts";
import { testAssistant } from "../support/assistant.ts";

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

describe("a store whose answer was lost", () => {
  it.each(["all", "out only"] as const)(
    "sends a reply once that was written without being told (%s)",
    async (writes) => {
      const t = await testAssistant({
        store: lossy({ writes }),
        script: () => says("answered"),
        queue: { debounceMs: 0 },
      });
      await t.receive("message m1", { id: "m1" });
      await t.sent(1);
      await t.clock.advance(600_000);
      expect(t.channel.textsTo("42")).toEqual(["answered"]);
    },
  );

  it("tells a sender once that a message was refused, when that was written without being told", async () => {
    const t = await testAssistant({
      store: lossy({ writes: "out only" }),
      script: [hangs()],
      queue: { debounceMs: 0, cap: 1, overflow: "new" },
      agent: { maxTurnSeconds: 60 },
    });
    const { clock, channel } = t;
    for (const id of ["m1", "m2"]) {
      await t.receive(`message ${id}`, { id });
      await clock.advance(10);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    expect(await t.receive("message m3", { id: "m3" })).toBe(503);
    await until(clock, () => channel.textsTo("42").some((text) => text.includes("Too many messages")));
    await t.receive("message m3", { id: "m3" });
    await clock.advance(5000);
    expect(channel.textsTo("42").filter((text) => text.includes("Too many messages"))).toHaveLength(1);
  });
});
