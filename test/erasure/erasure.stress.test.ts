import { describe, expect, it } from "vitest";
import type { Store } from "../../kit.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { beginLife } from "../support/life.ts";
import { THOROUGH } from "../support/thorough.ts";
import { HERS, filled, heldIn, plant, textOf } from "./held.ts";
import { ADA, rooms } from "./support.ts";

/** Keys of what holds something of hers. The log of wakes is the engine's to replace. */
async function tracesIn(store: Store): Promise<string[]> {
  const held = await heldIn(store);
  return held.filter((one) => !one.key.startsWith("engine/") && HERS.test(textOf(one))).map(({ key }) => key);
}

describe("forgetting a person", () => {
  it("goes on after a crash at any write, and comes to the same end", async () => {
    const planted = await plant();
    const whole = await filled(planted);
    await rooms(whole).forget({ userId: `memory:${ADA}` });
    expect(await tracesIn(whole)).toEqual([]);
    const withoutAudit = async (store: Store) =>
      (await heldIn(store)).filter(({ key }) => !/^(audit|engine|\.index)/.test(key)).map(textOf);
    const end = await withoutAudit(whole);
    let crashes = 0;
    for (let writes = 0; ; writes += THOROUGH ? (crashes < 12 ? 1 : 7) : 17) {
      const store = await filled(planted);
      const life = beginLife(store, fakeClock(), writes);
      const died = new Promise<"died">((resolve) => {
        const look = () => (life.killed ? resolve("died") : setTimeout(look, 0));
        look();
      });
      const first = rooms(life.store).forget({ userId: `memory:${ADA}` });
      if ((await Promise.race([first, died])) !== "died") {
        life.kill();
        break;
      }
      crashes += 1;
      const next = rooms(store);
      await next.recover();
      await next.forget({ userId: `memory:${ADA}` });
      expect(await tracesIn(store), `after ${writes} writes`).toEqual([]);
      expect(await withoutAudit(store), `after ${writes} writes`).toEqual(end);
    }
    expect(crashes).toBeGreaterThan(THOROUGH ? 20 : 4);
  }, 60_000);
});
