import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { createKeywordIndex, tokensOf } from "../../../src/memory/index.ts";

// What is found of the labelled sets in a folder (first argument), by ours and by others (their folder is the second argument), each person's entries searched alone.

interface RecallSet {
  readonly entries: readonly Entry[];
  readonly queries: readonly { readonly text: string; readonly userId: string; readonly gold: readonly string[] }[];
}

interface Entry {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: number;
  readonly text: string;
}

export interface QualityFigures {
  readonly set: string;
  readonly subject: string;
  readonly queries: number;
  readonly recallAt1: number;
  readonly recallAt5: number;
  readonly recallAt10: number;
  readonly reciprocalRank: number;
  readonly gainAt10: number;
  /** Milliseconds of wall time, median. */
  readonly searchMs: number;
}

type Search = (text: string, limit: number) => readonly string[];
type Subject = (entries: readonly Entry[]) => Search;

interface MiniSearchClass {
  new (options: object): {
    addAll(documents: readonly object[]): void;
    search(text: string): readonly { readonly id: string }[];
  };
}

const LIMIT = 10;

const [folder = ".", peers = "."] = process.argv.slice(2);
const miniSearch = pathToFileURL(join(peers, "node_modules/minisearch/dist/es/index.js")).href;
const { default: MiniSearch } = (await import(miniSearch)) as { readonly default: MiniSearchClass };

const COMMON = new Set(
  (
    "a an the and or of to in on at for with from by as is are was were be been did does do has have had i you he she it we they his her its their my your " +
    "what when where who whom which why how"
  ).split(" "),
);
const wordsOf = (text: string) =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !COMMON.has(word)));

/** How many different words of the question an entry has, without the commonest; the newer of two alike first. */
const overlap: Subject = (entries) => {
  const known = entries.map((entry) => ({ ...entry, words: wordsOf(entry.text) }));
  return (text, limit) => {
    const asked = [...wordsOf(text)];
    const scored = known.map(({ id, createdAt, words }) => {
      return { id, createdAt, score: asked.reduce((sum, word) => sum + (words.has(word) ? 1 : 0), 0) };
    });
    const found = scored.filter(({ score }) => score > 0);
    return found
      .sort((a, b) => b.score - a.score || b.createdAt - a.createdAt)
      .slice(0, limit)
      .map(({ id }) => id);
  };
};

const miniSearchWith =
  (options: object): Subject =>
  (entries) => {
    const index = new MiniSearch({ fields: ["text"], ...options });
    index.addAll(entries.map(({ id, text }) => ({ id, text })));
    return (text, limit) =>
      index
        .search(text)
        .slice(0, limit)
        .map(({ id }) => id);
  };

const ours: Subject = (entries) => {
  const index = createKeywordIndex();
  for (const { id, text, createdAt } of entries) {
    index.add({ id, text, keywords: [], createdAtMs: createdAt, type: "", thread: "", body: "" });
  }
  const nowMs = Math.max(...entries.map(({ createdAt }) => createdAt));
  return (text, limit) => index.search({ text, nowMs, limit }).map(({ id }) => id);
};

const SUBJECTS: Readonly<Record<string, Subject>> = {
  "words in common": overlap,
  MiniSearch: miniSearchWith({}),
  "MiniSearch, our tokens": miniSearchWith({ tokenize: tokensOf, processTerm: (term: string) => term }),
  "keyword index": ours,
};

const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")) as RecallSet;
const SETS: Readonly<Record<string, RecallSet>> = {
  "conversations, all": read("locomo-dev.json"),
  "Chinese paragraphs": read("cmrc-sample.json"),
};

const figures = Object.entries(SETS).flatMap(([set, data]) =>
  Object.entries(SUBJECTS).map(([subject, make]) => measure(set, subject, make, data)),
);
console.log(JSON.stringify(figures));

function measure(set: string, subject: string, make: Subject, { entries, queries }: RecallSet): QualityFigures {
  const searches = new Map(
    [...Map.groupBy(entries, ({ userId }) => userId)].map(([userId, own]) => [userId, make(own)]),
  );
  const times: number[] = [];
  const sums = { recallAt1: 0, recallAt5: 0, recallAt10: 0, reciprocalRank: 0, gainAt10: 0 };
  for (const { text, userId, gold } of queries) {
    const startedAt = performance.now();
    const ids = searches.get(userId)?.(text, LIMIT) ?? [];
    times.push(performance.now() - startedAt);
    const recallAt = (count: number) => ids.slice(0, count).filter((id) => gold.includes(id)).length / gold.length;
    const gain = (places: readonly number[]) => places.reduce((sum, place) => sum + 1 / Math.log2(place + 2), 0);
    const hits = ids.flatMap((id, place) => (gold.includes(id) ? [place] : []));
    sums.recallAt1 += recallAt(1);
    sums.recallAt5 += recallAt(5);
    sums.recallAt10 += recallAt(10);
    sums.reciprocalRank += hits[0] === undefined ? 0 : 1 / (hits[0] + 1);
    sums.gainAt10 += gain(hits) / gain(Array.from({ length: Math.min(gold.length, LIMIT) }, (_, place) => place));
  }
  const mean = (sum: number) => sum / queries.length;
  return {
    set,
    subject,
    queries: queries.length,
    recallAt1: mean(sums.recallAt1),
    recallAt5: mean(sums.recallAt5),
    recallAt10: mean(sums.recallAt10),
    reciprocalRank: mean(sums.reciprocalRank),
    gainAt10: mean(sums.gainAt10),
    searchMs: times.sort((a, b) => a - b)[times.length >> 1] ?? NaN,
  };
}
