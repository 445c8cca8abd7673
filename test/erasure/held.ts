import { type JsonValue, memoryStore } from "../../mod.ts";
import type { Store } from "../../kit.ts";
import type { LogRecord } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { remembered, used } from "./support.ts";

export const HERS = /ada.{0,4}7001|canary/i;

export type Held = {
  readonly key: string;
  readonly records?: readonly LogRecord[];
  readonly value?: JsonValue | Uint8Array;
};

/** All that a store holds. */
export async function heldIn(store: Store): Promise<Held[]> {
  const held: Held[] = [];
  for await (const { key } of store.list("")) {
    // The key of a document is a TypeError.
    if ((await store.lastSeq(key).catch(() => 0)) > 0) {
      const records: LogRecord[] = [];
      for await (const { record } of store.read(key)) records.push(record);
      held.push({ key, records });
      continue;
    }
    const value = (await store.get(key))?.value;
    if (value !== undefined) held.push({ key, value });
  }
  return held;
}

/** A store that holds it. */
export async function filled(held: readonly Held[]): Promise<Store> {
  const store = memoryStore();
  for (const { key, records, value } of held) {
    if (records) for (const record of records) await store.append(key, record);
    else if (value !== undefined) await store.put(key, value);
  }
  return store;
}

export const textOf = ({ key, records, value }: Held) =>
  `${key} ${value instanceof Uint8Array ? new TextDecoder().decode(value) : JSON.stringify(records ?? value)}`;

/** What a store holds in which everybody did everything. */
export async function plant(): Promise<Held[]> {
  const store = memoryStore();
  await used(store, fakeClock());
  await remembered(store);
  return heldIn(store);
}
