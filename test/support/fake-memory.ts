import { AssistantError } from "../../src/errors.ts";
import type { Clock } from "../../src/clock.ts";
import { newId } from "../../src/ids.ts";
import { type MemoryPart, type MemoryProblem, createMemoryPart } from "../../src/memory/index.ts";
import type { MemoryApi, MemoryEntry, TimeInput } from "../../src/memory/index.ts";
import { type Store, memoryStore, storeKey } from "../../src/store/index.ts";

type Kept = { entry: MemoryEntry; archived: boolean };

const dateOf = (at: TimeInput) => new Date(at);

/** A memory that finds what holds a word of the query: for tests of what stands before it. */
export function fakeMemory(options: {
  readonly clock: Clock;
  readonly store?: Store;
  readonly problems?: readonly MemoryProblem[];
  canonicalUser?(userId: string): string;
}): MemoryPart & { readonly forgotten: string[] } {
  const { clock, store = memoryStore(), canonicalUser = (userId: string) => userId } = options;
  const people = new Map<string, Map<string, Kept>>();
  const forgotten: string[] = [];
  const of = (userId: string) => {
    const own = people.get(userId) ?? new Map<string, Kept>();
    people.set(userId, own);
    return own;
  };
  const move = (userId: string, ids: readonly string[], archived: boolean) => {
    const found = ids.map((id) => of(userId).get(id)).filter((one) => one !== undefined && one.archived !== archived);
    for (const one of found) if (one) one.archived = archived;
    return found.length;
  };
  const newestFirst = (userId: string, archived: boolean) =>
    [...of(userId).values()]
      .filter((one) => one.archived === archived)
      .map(({ entry }) => entry)
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));

  const memory: MemoryApi = {
    async recall({ userId, text = "", limit = 5 }) {
      const words = text.toLowerCase().split(/\W+/u).filter(Boolean);
      return newestFirst(userId, false)
        .filter(({ content }) => words.some((word) => content.toLowerCase().includes(word)))
        .slice(0, limit)
        .map((entry, index) => ({ entry, score: 1 / (index + 1), signals: { keyword: 2 }, layer: "entry" }));
    },
    async save({ userId, content, id = newId(clock), keywords = [], slots = {}, ...times }) {
      if (content.trim() === "") throw new AssistantError("OPTION_INVALID", "Invalid content: expected a text");
      const now = clock.now();
      const { createdAt = now, updatedAt = createdAt, expiresAt } = times;
      const expires = expiresAt === undefined ? {} : { expiresAt: dateOf(expiresAt) };
      const entry = {
        ...{ id, userId, content, keywords, slots, ...expires },
        createdAt: dateOf(createdAt),
        updatedAt: dateOf(updatedAt),
      };
      of(userId).set(id, { entry, archived: false });
      return entry;
    },
    get: async (userId, id) => of(userId).get(id)?.entry,
    async *list(userId, { archived = false, slots = {} } = {}) {
      for (const entry of newestFirst(userId, archived))
        if (Object.entries(slots).every(([name, value]) => entry.slots[name] === value)) yield entry;
    },
    async update(userId, id, { content, keywords, slots, expiresAt }) {
      const kept = of(userId).get(id);
      if (!kept) throw new AssistantError("NOT_FOUND", `There is no entry ${id}`);
      const { expiresAt: old, ...rest } = kept.entry;
      const until = expiresAt === undefined ? old : expiresAt === null ? undefined : dateOf(expiresAt);
      kept.entry = {
        ...rest,
        ...(content !== undefined && { content }),
        ...(keywords !== undefined && { keywords }),
        ...(slots !== undefined && { slots }),
        ...(until && { expiresAt: until }),
        updatedAt: new Date(clock.now()),
      };
      return kept.entry;
    },
    remove: async (userId, ids) => ids.filter((id) => of(userId).delete(id)).length,
    archive: async (userId, ids) => move(userId, ids, true),
    restore: async (userId, ids) => move(userId, ids, false),
    async *users() {
      yield* [...people.keys()].filter((userId) => of(userId).size > 0).sort();
    },
    async counts(userId) {
      const [entries, archived] = [false, true].map((is) => newestFirst(userId, is).length);
      return { userId, entries: entries ?? 0, archived: archived ?? 0, days: 0, facts: 0 };
    },
    async read(userId, file) {
      const name = file === "MEMORY.md" ? [file] : ["daily", `${file.day}.md`];
      const found = await store.get(storeKey("memory", userId, ...name));
      return typeof found?.value === "string" ? found.value : undefined;
    },
    async digest({ userId, day = "2026-01-05" }) {
      const entries = newestFirst(userId, false);
      const text = entries.map(({ content }) => `- ${content}\n`).join("");
      await store.put(storeKey("memory", userId, "daily", `${day}.md`), text);
      return { day, entryCount: entries.length, text };
    },
    extract: async () => ({ added: ["- a fact"], facts: 1 }),
    async tidy({ userId, onProgress } = {}) {
      onProgress?.(1, 1);
      return [{ userId: userId ?? "@owner", archived: 1, merged: 0, kept: 2 }];
    },
    async forget({ userId }) {
      forgotten.push(userId);
      const entries = of(userId).size;
      people.delete(userId);
      return { userId, entries, sessions: 0 };
    },
  };
  const { problems = [] } = options;
  const importFiles = async (files: readonly { path: string }[]) => ({
    facts: files.length,
    entries: 0,
    known: 0,
    leftOut: [],
  });
  return {
    ...createMemoryPart({ memory, archive: memory, store, canonicalUser, problems: async () => problems, importFiles }),
    forgotten,
  };
}
