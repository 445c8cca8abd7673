import { describe, expect, it } from "vitest";
import { embeddedEngine } from "../../src/engine/index.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { THOROUGH } from "../support/thorough.ts";

describe("embeddedEngine()", () => {
  const MANY = THOROUGH ? 100_000 : 10_000;
  it(`holds ${MANY} keys that wait`, async () => {
    const clock = fakeClock();
    const store = memoryStore();
    const engine = embeddedEngine({ store, clock });
    const order: number[] = [];
    await engine.start(async (key) => void order.push(Number(key)));
    const writes: Promise<void>[] = [];
    for (let index = 0; index < MANY; index++) {
      const ms = 1 + ((index * 7919) % MANY);
      writes.push(engine.wake(String(ms), new Date(clock.now() + ms)));
    }
    await Promise.all(writes);
    clock.step(MANY);
    await clock.advance(60_000);
    expect(order.length).toBe(MANY);
    expect(order.every((ms, index) => ms === index + 1)).toBe(true);
  });
});
