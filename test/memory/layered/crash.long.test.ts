import { describe, expect, it } from "vitest";
import { createLayeredStore } from "../../../entry.host.ts";
import { newEntry } from "../../../src/memory/index.ts";
import { memoryStore, type Store } from "../../../src/store/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";

const clock = fakeClock();
const WRITES = ["put", "remove", "append"] as const;

/** A store that takes so many writes and then none, as when the process was killed. `tears`: the write in which it happens takes place. */
function killedAfter(store: Store, writes: number, tears: boolean): { store: Store; count(): number } {
  let count = 0;
  const through = Object.fromEntries(
    WRITES.map((name) => [
      name,
      async (...args: unknown[]) => {
        count++;
        if (count > writes) {
          if (count === writes + 1 && tears) await (store[name] as (...of: unknown[]) => unknown)(...args);
          throw new Error("killed");
        }
        return (store[name] as (...of: unknown[]) => unknown)(...args);
      },
    ]),
  );
  return { store: { ...store, ...through }, count: () => count };
}

type Life = (store: Store) => Promise<void>;

/** What happens to a person's entries; `many`: enough of them that the index is sealed on the way. */
const lifeWith =
  (many: number): Life =>
  async (store) => {
    const memory = createLayeredStore({ store, clock });
    const entry = (id: string, content: string) => newEntry({ userId: "@a", id, content }, clock);
    const batch = (from: number, count: number, word: string) =>
      Array.from({ length: count }, (_, n) => entry(`e${from + n}`, `${word} number n${from + n}`));
    try {
      await memory.save(batch(0, 3, "tea"));
      await memory.settled();
      await memory.save(batch(2, 2, "coffee"));
      await memory.archive("@a", ["e0", "e1"], { into: "e2" });
      await memory.restore("@a", ["e1"]);
      await memory.settled();
      await memory.save(batch(4, many, "milk"));
      await memory.remove("@a", ["e1", "e5"]);
      await memory.save([entry("last", "juice")]);
      await memory.settled();
    } finally {
      await memory.close();
    }
  };

async function seen(store: Store) {
  const memory = createLayeredStore({ store, clock });
  await memory.count("@a");
  await memory.settled();
  const ids = async (archived: boolean) => {
    const found: string[] = [];
    for await (const { id, content } of memory.list("@a", { archived })) found.push(`${id} ${content}`);
    return found.sort();
  };
  const find = async (text: string) =>
    (await memory.search({ userId: "@a", text, limit: 400 })).map(
      ({ entry, score }) => `${entry.id} ${score.toFixed(6)}`,
    );
  const all = {
    entries: await ids(false),
    archived: await ids(true),
    words: await Promise.all(["tea", "coffee", "n100", "juice", "n2 n3"].map(find)),
  };
  await memory.close();
  return all;
}

async function withoutIndex(store: Store): Promise<Store> {
  const copy = memoryStore();
  for await (const { key } of store.list("memory/")) {
    const found = await store.get(key);
    if (found !== null) await copy.put(key, found.value);
  }
  return copy;
}

describe("a layered store that is killed", () => {
  async function killAt(at: number, life: Life): Promise<void> {
    const store = memoryStore();
    await life(killedAfter(store, at, at % 2 === 0).store).catch((error: unknown) => {
      if (!(error instanceof Error) || !/killed/.test(error.message)) throw error;
    });
    expect({ at, ...(await seen(store)) }).toEqual({ at, ...(await seen(await withoutIndex(store))) });
  }

  async function writesOf(life: Life): Promise<number> {
    const whole = killedAfter(memoryStore(), Number.POSITIVE_INFINITY, false);
    await life(whole.store);
    return whole.count();
  }

  it("is right at every single write: what it finds is what an index built from its files finds", async () => {
    const life = lifeWith(2);
    const writes = await writesOf(life);
    expect(writes).toBeGreaterThan(30);
    for (let at = 0; at <= writes; at++) await killAt(at, life);
  });

  it("is right at every write since its index was sealed", async () => {
    const many = 256;
    const life = lifeWith(many);
    const writes = await writesOf(life);
    const afterFiles = (await writesOf(lifeWith(2))) - 20;
    const late = Array.from({ length: writes - many - afterFiles }, (_, n) => many + afterFiles + n);
    for (const at of late) await killAt(at, life);
  });
});
