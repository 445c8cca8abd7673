import { describe, expect, it } from "vitest";
import { type JsonValue, createAssistant, memoryStore } from "../../../entry.host.ts";
import type { Store } from "../../../kit.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { inMemoryChannel } from "../../../src/testing/in-memory-channel.ts";
import { scriptedModel } from "../../../src/testing/scripted-model.ts";
import { WHOLE, runs } from "../../support/thorough.ts";
import { ADA, LATER, awake, fsBefore, keysOf, logOf } from "./data-before.ts";

/** The data in memory, as what a move changes is the same on every store. */
async function inMemory(from: Store): Promise<Store> {
  const store = memoryStore();
  for await (const { key } of from.list("")) {
    if (/^(?:engine|health)\//.test(key)) continue;
    const isLog = await from.lastSeq(key).then(
      (seq) => seq > 0,
      () => false,
    );
    if (isLog) {
      for await (const { record } of from.read(key)) {
        const { type, id } = record;
        await store.append(key, record, type === "in" && typeof id === "string" ? { id } : {});
      }
    } else await store.put(key, (await from.get(key))?.value as JsonValue, { expect: null });
  }
  return store;
}

describe("the move to capitals", () => {
  it("is finished after a crash at any write, with nothing lost or doubled", async () => {
    const files = await (await fsBefore())();
    const settled = async (store: Store) => {
      const t = await awake(store);
      await t.during(t.assistant.stop());
    };
    const plain = await inMemory(files);
    await settled(plain);
    const wanted = await keysOf(plain);
    const hers = (await logOf(plain, ADA)).map(({ type, turn, text }) => ({ type, turn: type === "in" && turn, text }));
    const step = Math.max(1, Math.round(60 / runs(60)) * (WHOLE ? 1 : 3));
    let writes = 0;
    for (let survived = false; !survived; writes += step) {
      const store = await inMemory(files);
      let left = writes;
      const dies = Object.fromEntries(
        (["put", "append", "remove"] as const).map((name) => [
          name,
          async (...args: unknown[]) => {
            if (left-- <= 0) throw new Error("killed");
            return (store[name] as (...given: unknown[]) => unknown)(...args);
          },
        ]),
      );
      const outcome = await createAssistant({
        model: scriptedModel(() => "Here I am."),
        store: { ...store, ...dies },
        clock: fakeClock(LATER),
        channels: [inMemoryChannel({ name: "telegram" })],
        owner: { ids: ["telegram:1"] },
      }).then((assistant) =>
        assistant.start().then(
          () => true,
          () => false,
        ),
      );
      left = 0;
      survived = outcome;
      await settled(store);
      expect(await keysOf(store), `died before write ${writes}`).toEqual(wanted);
      const found = (await logOf(store, ADA)).map(({ type, turn, text }) => ({
        type,
        turn: type === "in" && turn,
        text,
      }));
      expect(found, `died before write ${writes}`).toEqual(hers);
    }
    expect(writes).toBeGreaterThan(20);
    await files.close?.();
  });
});
