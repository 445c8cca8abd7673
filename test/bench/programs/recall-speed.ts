import process from "node:process";
import {
  type IndexedDocument,
  type KeywordIndex,
  createKeywordIndex,
  openKeywordIndex,
} from "../../../src/memory/index.ts";
import { madeUpWords } from "./made-up-words.ts";

// What the keyword index costs in CPU time, with as many entries as the first argument says, in as many rounds as the second. Entries are made from a seed.

export interface SpeedFigures {
  /** Milliseconds each round: the whole build, the seal after it, opening what was sealed, one more entry, one search. */
  readonly build: readonly number[];
  readonly seal: readonly number[];
  readonly load: readonly number[];
  readonly add: readonly number[];
  readonly search: readonly number[];
  readonly bytes: number;
}

const WORDS_EACH = 15;
const SEARCHES = 100;
const ADDS = 256;
const START_MS = Date.UTC(2025, 0, 1);

const entries = Number(process.argv[2] ?? 10_000);
const rounds = Number(process.argv[3] ?? 5);

const { sentence } = madeUpWords();

/** Every third entry is a line of a conversation. */
const documents: readonly IndexedDocument[] = Array.from({ length: entries + ADDS * rounds }, (_, at) => {
  const text = `${at % 3 === 0 ? (at % 2 === 0 ? "Ann: " : "Bob: ") : ""}${sentence(WORDS_EACH)}`;
  const id = `entry-${at}`;
  const createdAtMs = START_MS + at * 90_000;
  const body = JSON.stringify({ id, content: text, keywords: [], slots: { type: "note" }, createdAtMs });
  return { id, text, keywords: [], createdAtMs, type: "note", thread: "", body };
});

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const figures = {
  build: [] as number[],
  seal: [] as number[],
  load: [] as number[],
  add: [] as number[],
  search: [] as number[],
  bytes: 0,
};
for (let round = 0; round < rounds; round += 1) {
  let index = createKeywordIndex();
  figures.build.push(cpuMs(() => documents.slice(0, entries).forEach((document) => index.add(document))));
  let sealed: ReturnType<KeywordIndex["seal"]> | undefined;
  figures.seal.push(cpuMs(() => void (sealed = index.seal())));
  const { write, manifest } = sealed!;
  const stored = new Map(write.map(({ name, bytes }) => [name, bytes]));
  figures.bytes = [...stored.values()].reduce((sum, { length }) => sum + length, 0);
  figures.load.push(cpuMs(() => void (index = openKeywordIndex(manifest, (name) => stored.get(name)))));
  const more = documents.slice(entries + round * ADDS, entries + (round + 1) * ADDS);
  figures.add.push(cpuMs(() => more.forEach((document) => index.add(document))) / ADDS);
  const queries = Array.from({ length: SEARCHES }, () => `what did Ann say about ${sentence(3)}`);
  const nowMs = START_MS + entries * 90_000;
  let found = 0;
  const ask = () => queries.forEach((text) => (found += index.search({ text, nowMs, limit: 5 }).length));
  for (let warmUp = 0; warmUp < (round === 0 ? 10 : 1); warmUp += 1) ask();
  figures.search.push(cpuMs(ask) / SEARCHES);
  if (found === 0) throw new Error("Nothing was found");
}
console.log(JSON.stringify(figures satisfies SpeedFigures));
