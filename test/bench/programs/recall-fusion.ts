import { readFileSync } from "node:fs";
import { createLayeredStore } from "../../../entry.host.ts";
import type { Embedder } from "../../../src/memory/embedder.ts";
import type { MemoryStore } from "../../../src/memory/index.ts";
import { hybridMemoryStore } from "../../../src/memory/semantic/hybrid-store.ts";
import { memoryStore } from "../../../mod.ts";
import { systemClock } from "../../../src/clock.ts";

/** What the data holds: entries, and questions with the entries that answer them. */
interface RecallData {
  readonly entries: readonly {
    readonly id: string;
    readonly userId: string;
    readonly createdAt: number;
    readonly text: string;
  }[];
  readonly queries: readonly { readonly text: string; readonly userId: string; readonly gold: readonly string[] }[];
}

export interface FusionFigures {
  readonly name: string;
  readonly recallAt5: number;
  readonly reciprocalRank: number;
  /** How the self-check judged, a person each; `undefined` without one. */
  readonly states?: readonly string[];
}

const DIMENSIONS = 256;
const LIMIT = 10;

/** FNV-1a with an end that mixes every bit. */
function hash(text: string): number {
  let hashed = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hashed = Math.imul(hashed ^ text.charCodeAt(at), 0x01000193);
  hashed = Math.imul(hashed ^ (hashed >>> 15), 0x2c1b3c6d);
  return (hashed ^ (hashed >>> 13)) >>> 0;
}

/** A model that knows nothing: the same text has the same vector, and that is all. */
function randomVector(text: string): number[] {
  let state = hash(text);
  return Array.from({ length: DIMENSIONS }, () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 31 - 1;
  });
}

/** Runs of three and four letters, and words, counted in as many places: what needs no model. */
function hashedVector(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS * 2 }, () => 0);
  const letters = ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
  const count = (piece: string, weight: number) => {
    const place = hash(piece);
    vector[place % vector.length] = (vector[place % vector.length] ?? 0) + (place & 0x10000 ? weight : -weight);
  };
  for (const size of [3, 4]) for (let at = 0; at + size <= letters.length; at++) count(letters.slice(at, at + size), 1);
  for (const word of letters.trim().split(" ")) count(`word ${word}`, 2);
  return vector;
}

const embedderOf = (modelId: string, vectorOf: (text: string) => number[]): Embedder => ({
  provider: "bench",
  modelId,
  maxEmbeddingsPerCall: 256,
  doEmbed: async ({ values }) => ({ embeddings: values.map(vectorOf) }),
});

async function measure(name: string, memory: MemoryStore, { queries }: RecallData): Promise<FusionFigures> {
  let recallAt5 = 0;
  let reciprocalRank = 0;
  for (const { userId, text, gold } of queries) {
    const ids = (await memory.search({ userId, text, limit: LIMIT })).map(({ entry }) => entry.id);
    recallAt5 += gold.filter((id) => ids.slice(0, 5).includes(id)).length / gold.length;
    const place = ids.findIndex((id) => gold.includes(id));
    reciprocalRank += place === -1 ? 0 : 1 / (place + 1);
  }
  return { name, recallAt5: recallAt5 / queries.length, reciprocalRank: reciprocalRank / queries.length };
}

const data = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as RecallData;
const users = [...new Set(data.entries.map(({ userId }) => userId))];
const entries = createLayeredStore({ store: memoryStore(), clock: systemClock() });
for (const user of users) {
  const own = data.entries.filter(({ userId }) => userId === user);
  await entries.save(
    own.map(({ id, userId, text, createdAt }) => {
      const at = new Date(createdAt);
      return { id, userId, content: text, keywords: [], slots: {}, createdAt: at, updatedAt: at };
    }),
  );
}
await entries.settled();

const figures = [await measure("words alone", entries, data)];
for (const [modelId, vectorOf] of [
  ["random", randomVector],
  ["hashed", hashedVector],
] as const) {
  for (const fusion of ["scores", "rrf"] as const) {
    for (const selfCheck of [true, false]) {
      const memory = hybridMemoryStore({
        entries,
        store: memoryStore(),
        embedder: embedderOf(modelId, vectorOf),
        clock: systemClock(),
        fusion,
        selfCheck,
        timeoutMs: 10_000,
      });
      for (const user of users) await memory.status(user);
      await memory.settled();
      const measured = await measure(`${modelId}, ${fusion}${selfCheck ? "" : ", unchecked"}`, memory, data);
      const states = await Promise.all(users.map(async (user) => (await memory.status(user)).state));
      figures.push({ ...measured, ...(selfCheck && { states }) });
      await memory.close();
    }
  }
}
await entries.close();
console.log(JSON.stringify(figures));
