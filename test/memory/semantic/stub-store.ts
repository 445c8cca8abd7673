import type { Embedder } from "../../../src/memory/embedder.ts";
import type { MemoryEntry, MemoryHit, MemoryQuery, MemoryStore } from "../../../src/memory/index.ts";

/** Entries in a Map; search counts the words of the question that an entry holds. */
export function stubStore(nowMs: () => number = () => 0): MemoryStore & { readonly asked: MemoryQuery[] } {
  const present = new Map<string, MemoryEntry>();
  const archived = new Map<string, MemoryEntry>();
  const asked: MemoryQuery[] = [];
  const keyOf = (userId: string, id: string) => `${userId}\n${id}`;
  const move = (from: typeof present, to: typeof present | undefined, userId: string, ids: readonly string[]) => {
    let moved = 0;
    for (const id of ids) {
      const entry = from.get(keyOf(userId, id));
      if (entry === undefined) continue;
      from.delete(keyOf(userId, id));
      to?.set(keyOf(userId, id), entry);
      moved += 1;
    }
    return moved;
  };
  return {
    asked,
    async save(entries) {
      for (const entry of entries) present.set(keyOf(entry.userId, entry.id), entry);
    },
    async get(userId, id, options) {
      return present.get(keyOf(userId, id)) ?? (options === undefined ? archived.get(keyOf(userId, id)) : undefined);
    },
    async search(query) {
      asked.push(query);
      const words = wordsOf([query.text ?? "", ...(query.keywords ?? [])].join(" "));
      const hits: MemoryHit[] = [];
      for (const entry of [...present.values(), ...(query.withArchived === true ? archived.values() : [])]) {
        const score = wordsOf(entry.content).filter((word) => words.includes(word)).length;
        const type = entry.slots["type"];
        if (entry.userId !== query.userId || (score === 0 && words.length > 0)) continue;
        if (query.since !== undefined && entry.createdAt < query.since) continue;
        if (entry.expiresAt !== undefined && entry.expiresAt.getTime() <= nowMs()) continue;
        if (typeof type === "string" && query.withoutTypes?.includes(type) === true) continue;
        if (Object.entries(query.slots ?? {}).some(([name, value]) => entry.slots[name] !== value)) continue;
        const isArchived = archived.has(keyOf(entry.userId, entry.id));
        hits.push({ entry, score, signals: { keyword: score }, ...(isArchived && { archived: true }) });
      }
      return hits.sort((a, b) => b.score - a.score || (a.entry.id < b.entry.id ? -1 : 1)).slice(0, query.limit);
    },
    async *list(userId, options = {}) {
      const from = options.archived === true ? archived : present;
      yield* [...from.values()]
        .filter((entry) => entry.userId === userId)
        .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
    },
    remove: async (userId, ids) => move(present, undefined, userId, ids) + move(archived, undefined, userId, ids),
    archive: async (userId, ids) => move(present, archived, userId, ids),
    restore: async (userId, ids) => move(archived, present, userId, ids),
    async *users() {
      yield* [...new Set([...present.values()].map(({ userId }) => userId))].sort();
    },
    async forget(userId) {
      for (const from of [present, archived])
        for (const [key, entry] of from) if (entry.userId === userId) from.delete(key);
    },
  };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

export interface ScriptedEmbedder extends Embedder {
  /** The texts of each call. */
  readonly calls: (readonly string[])[];
  /** Set to have every call fail. */
  failure: Error | undefined;
  /** Awaited before each answer. */
  wait: (() => Promise<void>) | undefined;
}

/** Knows words by the meaning it was told: words of one list share a dimension; every other word has one of its own, out of many. */
export function meaningEmbedder(
  meanings: readonly string[],
  options: { readonly modelId?: string; readonly most?: number; readonly dimensions?: number } = {},
): ScriptedEmbedder {
  const { modelId = "meaning", most, dimensions = 64 } = options;
  const places = new Map(meanings.flatMap((words, place) => wordsOf(words).map((word) => [word, place] as const)));
  const embedder: ScriptedEmbedder = {
    provider: "test",
    modelId,
    maxEmbeddingsPerCall: most,
    calls: [],
    failure: undefined,
    wait: undefined,
    async doEmbed({ values }) {
      embedder.calls.push(values);
      await embedder.wait?.();
      if (embedder.failure !== undefined) throw embedder.failure;
      return {
        embeddings: values.map((value) => {
          const vector = Array.from({ length: dimensions }, () => 0);
          for (const word of wordsOf(value)) {
            const place = places.get(word) ?? meanings.length + (hash(word) % (dimensions - meanings.length));
            vector[place] = (vector[place] ?? 0) + (places.has(word) ? 3 : 1);
          }
          return vector;
        }),
      };
    },
  };
  return embedder;
}

/** The same text has the same vector; nothing else is known. */
export function randomEmbedder(options: { readonly dimensions?: number } = {}): ScriptedEmbedder {
  const { dimensions = 64 } = options;
  const embedder: ScriptedEmbedder = {
    provider: "test",
    modelId: "random",
    maxEmbeddingsPerCall: undefined,
    calls: [],
    failure: undefined,
    wait: undefined,
    async doEmbed({ values }) {
      embedder.calls.push(values);
      return {
        embeddings: values.map((value) => {
          let state = hash(value);
          return Array.from({ length: dimensions }, () => {
            state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
            return state / 2 ** 31 - 1;
          });
        }),
      };
    },
  };
  return embedder;
}

function hash(text: string): number {
  let hashed = 2_166_136_261;
  for (const character of text) hashed = Math.imul(hashed ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return hashed >>> 0;
}
