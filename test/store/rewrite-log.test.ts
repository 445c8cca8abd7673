import { describe, expect, it } from "vitest";
import type { Store } from "../../kit.ts";
import { type LogRecord, finishRewrites, memoryStore, rewriteLog } from "../../src/store/index.ts";

const LOG = "sessions/main/shop/log.jsonl";
const STAGED = "rewriting/1.jsonl";

async function recordsOf(store: Store): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const { record } of store.read(LOG)) records.push(record);
  return records;
}

/** As a crash left it: the new log is whole, and some of it in its place. */
async function cutOff(lines: readonly LogRecord[], inPlace: readonly LogRecord[] = []): Promise<Store> {
  const store = memoryStore();
  const header = { v: 1, header: { log: LOG, lastSeq: lines.length } };
  await store.append(STAGED, [header, ...lines, { whole: true }, { gone: true }]);
  if (inPlace.length > 0) await store.append(LOG, inPlace);
  return store;
}

describe("finishRewrites()", () => {
  it("ends where two records have one id", async () => {
    const store = await cutOff([
      { record: { n: 1 }, id: "same" },
      { record: { n: 2 }, id: "same" },
      { record: { n: 3 }, id: "other" },
    ]);
    await finishRewrites(store);
    expect(await recordsOf(store)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(await store.lastSeq(STAGED)).toBe(0);
    expect(await store.append(LOG, { n: 4 }, { id: "other" })).toEqual({ seq: 3, duplicate: true });
  });

  it.each([1, 2, 3])("ends where record %i of what a crash left in its place cannot be read", async (damaged) => {
    const lines = [1, 2, 3, 4].map((n) => ({ record: { n } }));
    const store = await cutOff(lines, [{ n: 1 }, { n: 2 }, { n: 3 }]);
    let isDamaged = true;
    const halfRead: Store = {
      ...store,
      async *read(log, options) {
        for await (const one of store.read(log, options))
          if (!isDamaged || log !== LOG || one.seq !== damaged) yield one;
      },
      async remove(key, options) {
        await store.remove(key, options);
        if (key === LOG) isDamaged = false;
      },
    };
    await finishRewrites(halfRead);
    expect(await recordsOf(store)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
  });
});

describe("rewriteLog()", () => {
  it("moves behind what others wrote meanwhile, under whatever id", async () => {
    const store = memoryStore();
    await store.append(LOG, { said: "ada" }, { id: "a" });
    let isAgain = false;
    const busy: Store = {
      ...store,
      async remove(key, options) {
        await store.remove(key, options);
        // A message that is delivered again before the old one is back.
        if (key !== LOG || isAgain) return;
        isAgain = true;
        await store.append(LOG, { said: "again" }, { id: "a" });
      },
    };
    expect(await rewriteLog(busy, LOG, () => ({ said: "nobody" }), { idOf: () => "a" })).toBe(1);
    expect(await recordsOf(store)).toEqual([{ said: "nobody" }, { said: "again" }]);
  });
});
