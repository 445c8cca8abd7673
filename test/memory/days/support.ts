import { memoryStore } from "../../../src/store/index.ts";
import type { Store } from "../../../src/store/index.ts";
import type { MemoryEntry, MemoryStore } from "../../../src/memory/index.ts";
import { fakeClock } from "../../../src/testing/index.ts";

export const ADA = "telegram:42";
export const DAY_MS = 86_400_000;

export function entry(id: string, content: string, given: Partial<MemoryEntry> = {}): MemoryEntry {
  const createdAt = given.createdAt ?? new Date(Date.UTC(2026, 1, 1, 12));
  return { id, userId: ADA, content, keywords: [], slots: {}, createdAt, updatedAt: createdAt, ...given };
}

/** Entries in a map: a MemoryStore as small as the port allows. */
export function mapMemory(onWrite: () => void = () => {}) {
  const live = new Map<string, MemoryEntry>();
  const archived = new Map<string, MemoryEntry & { into?: string | undefined }>();
  const memory: MemoryStore = {
    async save(entries) {
      onWrite();
      for (const one of entries) {
        live.set(one.id, one);
        archived.delete(one.id);
      }
    },
    get: async (_, id, options) => live.get(id) ?? (options?.archived === false ? undefined : archived.get(id)),
    search: async () => [],
    async *list(userId, options = {}) {
      const wanted = Object.entries(options.slots ?? {});
      yield* [...(options.archived === true ? archived : live).values()]
        .filter((one) => one.userId === userId && one.createdAt >= (options.since ?? new Date(-1e15)))
        .filter(({ slots }) => wanted.every(([name, value]) => slots[name] === value))
        .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1));
    },
    async remove(_, ids) {
      return ids.filter((id) => [live.delete(id), archived.delete(id)].includes(true)).length;
    },
    async archive(_, ids, options) {
      let moved = 0;
      for (const id of ids) {
        const one = live.get(id);
        if (!one) continue;
        onWrite(); // one at a time: a crash may leave some behind
        archived.set(id, { ...one, into: options?.into });
        live.delete(id);
        moved += 1;
      }
      return moved;
    },
    async restore(_, ids) {
      let moved = 0;
      for (const id of ids) {
        const one = archived.get(id);
        if (!one) continue;
        const { into: _into, ...rest } = one;
        live.set(id, rest);
        archived.delete(id);
        moved += 1;
      }
      return moved;
    },
    async *users() {
      yield* [...new Set([...live.values()].map(({ userId }) => userId))].sort();
    },
    async forget() {
      live.clear();
      archived.clear();
    },
  };
  return { memory, live, archived };
}

/** A store that says before each change that there will be one. */
export function watchedStore(onWrite: () => void, store: Store = memoryStore()): Store {
  return {
    ...store,
    async put(...call) {
      onWrite();
      return store.put(...call);
    },
    async remove(...call) {
      onWrite();
      return store.remove(...call);
    },
  };
}

export function parts(options: { readonly timezone?: string; readonly nowMs?: number } = {}) {
  const store = memoryStore();
  const clock = fakeClock(options.nowMs ?? Date.UTC(2026, 1, 1, 20));
  return { store, clock, ...mapMemory(), timezoneOf: () => options.timezone ?? "UTC" };
}

export async function textOf(store: Store, key: string): Promise<string> {
  const found = await store.get(key);
  return typeof found?.value === "string" ? found.value : "";
}
