import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { durableObjectStore } from "../../adapters/storage/durable-object/index.ts";
import { systemClock } from "../../src/clock.ts";
import { createSharedRateCounter } from "../../src/guard/index.ts";
import { silentLogger } from "../../src/telemetry/index.ts";

describe("createSharedRateCounter() in a Durable Object", () => {
  it("lets in exactly the limit of a burst, and goes on from there when the object wakes again", async () => {
    await runInDurableObject(env.BOX.getByName("rate"), async (_, state) => {
      const store = durableObjectStore(state);
      const life = () =>
        createSharedRateCounter({
          clock: systemClock(),
          windowMs: 60_000,
          limit: 10,
          store,
          name: "test",
          logger: silentLogger,
        });
      const [first, second] = [life(), life()];
      const hits = await Promise.all(Array.from({ length: 100 }, async (_, n) => (n % 2 ? first : second).hit("a")));
      expect(hits.filter((count) => count.hits <= 10)).toHaveLength(10);
      expect((await life().hit("a")).hits).toBeGreaterThan(10);
    });
  });
});
