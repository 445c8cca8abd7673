import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { durableObjectStore } from "../../../adapters/storage/durable-object/index.ts";
import { systemClock } from "../../../mod.ts";
import { createMemory, newEntry } from "../../../src/memory/index.ts";
import { platform } from "../../support/this-platform.ts";

const ENTRIES = 10_000;
/** What an object may hold, with its program. */
const MAX_BYTES = 128 * 1024 * 1024;
/** Of which so much is left to everything else. */
const SHARE = 0.25;
const WORDS =
  "tea coffee bicycle violin harp paris london monday meeting report budget server deploy database kitchen".split(" ");
const LONG = "It was said at some length on that day, and everybody who was there heard it with their own ears. ";

it("a Durable Object keeps and recalls ten thousand memories, also after it was evicted, in a part of its memory", async () => {
  await runInDurableObject(env.BOX.getByName("memory-many"), async (_, state: WorkerdState) => {
    const clock = systemClock();
    const store = durableObjectStore(state);
    const warnings: string[] = [];
    const warn = (message: string, fields?: unknown) => void warnings.push(`${message} ${JSON.stringify(fields)}`);
    const logger = { debug() {}, info() {}, warn, error: warn };
    const begin = () => createMemory({ yaml: platform.yaml, store, clock, logger });
    const first = begin();
    const entry = (n: number) => {
      const words = [WORDS[n % WORDS.length], WORDS[(n * 7 + 3) % WORDS.length]].join(" and ");
      return newEntry(
        { userId: "@a", id: `e${n}`, content: `Note n${n}: ${words}. ${LONG}`, createdAt: 1.7e12 + n * 1000 },
        clock,
      );
    };
    for (let at = 0; at < ENTRIES; at += 500)
      await first.entries.save(Array.from({ length: 500 }, (__, n) => entry(at + n)));
    await first.close();

    const again = begin();
    const [hit] = await again.recall({ userId: "@a", text: "violin n7778" });
    expect(hit?.entry.id).toBe("e7778");
    await again.save({ userId: "@a", content: "Owns a theremin" });
    expect((await again.recall({ userId: "@a", text: "theremin" }))[0]?.entry.content).toBe("Owns a theremin");
    expect(await again.counts("@a")).toMatchObject({ entries: ENTRIES + 1 });
    await again.close();

    let bytes = 0;
    for await (const { key } of store.list(".index/memory/")) {
      if (key.endsWith(".jsonl")) continue;
      const value = (await store.get(key))?.value;
      if (value instanceof Uint8Array) bytes += value.length;
    }
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(MAX_BYTES * SHARE);
    expect(warnings).toEqual([]);
  });
}, 30_000);
