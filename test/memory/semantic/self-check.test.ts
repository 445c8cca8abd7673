import { describe, expect, it } from "vitest";
import {
  calibrate,
  isOutdated,
  minSimilarityOf,
  strongSimilarityOf,
} from "../../../src/memory/semantic/calibration.ts";
import { hybridMemoryStore } from "../../../src/memory/semantic/hybrid-store.ts";
import { halve } from "../../../src/memory/semantic/self-check.ts";
import { quantise } from "../../../src/memory/semantic/vector-segment.ts";
import { createVectorSet } from "../../../src/memory/semantic/vector-set.ts";
import { memoryStore } from "../../../src/store/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { type ScriptedEmbedder, meaningEmbedder, randomEmbedder, stubStore } from "./stub-store.ts";

const USER = "telegram:1";
const TOPICS = 30;
const PARTS = 6;

/** Word `part` of a topic: no two words have a letter sequence in common that would matter to anybody. */
const word = (topic: number, part: number) => `w${topic.toString(36)}x${part.toString(36)}`;

/** Each entry says six different words of one topic, so that its halves share no word but a meaning. */
const entriesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const topic = at % TOPICS;
    const words = Array.from({ length: PARTS }, (_, part) => word(topic, part + PARTS * Math.floor(at / TOPICS)));
    const createdAt = new Date(at * 60_000);
    return {
      id: `e${String(at).padStart(3, "0")}`,
      userId: USER,
      content: `${words.join(" ")} n${at} m${at}`,
      keywords: [],
      slots: {},
      createdAt,
      updatedAt: createdAt,
    };
  });

/** Knows which words belong to one topic. */
const helpful = () =>
  meaningEmbedder(
    Array.from({ length: TOPICS }, (_, topic) =>
      Array.from({ length: PARTS * 8 }, (_, part) => word(topic, part)).join(" "),
    ),
    { dimensions: 256 },
  );

function setUp(embedder: ScriptedEmbedder, more: { selfCheck?: boolean; alpha?: number } = {}) {
  const clock = fakeClock();
  const lines: string[] = [];
  const take = (message: string) => void lines.push(message);
  const logger = { debug: take, info: take, warn: take, error: take };
  const memory = hybridMemoryStore({ entries: stubStore(), store: memoryStore(), embedder, clock, logger, ...more });
  return { clock, lines, memory };
}

describe("the self-check", () => {
  it("lets a model count that knows of meaning, and says so", async () => {
    const { memory, lines } = setUp(helpful());
    await memory.save(entriesOf(90));
    await memory.settled();
    const status = await memory.status(USER);
    expect(status).toMatchObject({ state: "on", weight: 0.3, vectors: 90 });
    expect(status.check?.beyondWords).toBeGreaterThan(status.check?.chance ?? 1);
    expect(lines).toEqual(["The embedding model helps to find memories"]);
  });

  it("turns a model off that knows nothing, says so once, and then asks it nothing", async () => {
    const embedder = randomEmbedder();
    const { memory, lines } = setUp(embedder);
    await memory.save(entriesOf(90));
    await memory.settled();
    expect(await memory.status(USER)).toMatchObject({ state: "off", weight: 0, check: { helps: false } });
    embedder.calls.length = 0;
    const hits = await memory.search({ userId: USER, text: word(3, 1), limit: 5 });
    expect(hits.map((hit) => hit.entry.id)).toEqual(["e003"]);
    expect(await memory.beyondChance(USER, word(3, 1), [word(3, 1)])).toEqual(new Map());
    expect(embedder.calls).toEqual([]);
    await memory.settled();
    expect(lines).toEqual(["The embedding model does not help to find memories: words alone decide"]);
  });

  it("is made again when there are twice as many entries", async () => {
    const { memory } = setUp(helpful());
    const entries = entriesOf(100);
    for (const [from, to, checkedAt] of [
      [0, 30, undefined],
      [30, 45, 45],
      [45, 80, 45],
      [80, 95, 95],
    ] as const) {
      await memory.save(entries.slice(from, to));
      await memory.settled();
      expect((await memory.status(USER)).check?.vectors).toBe(checkedAt);
    }
  });

  it("can be left out: then the model counts at once", async () => {
    const { memory } = setUp(randomEmbedder(), { selfCheck: false });
    await memory.save(entriesOf(50));
    await memory.settled();
    const status = await memory.status(USER);
    expect(status).toMatchObject({ state: "on", weight: 0.3 });
    expect(status.check).toBeUndefined();
  });

  it("does not let a model that knows nothing change what words found, before the check and after", async () => {
    for (const count of [5, 20, 39, 60]) {
      const words = stubStore();
      await words.save(entriesOf(count));
      const { memory } = setUp(randomEmbedder());
      await memory.save(entriesOf(count));
      await memory.settled();
      for (let topic = 0; topic < TOPICS; topic++) {
        const query = { userId: USER, text: `${word(topic, 0)} ${word(topic + 1, 2)} n7`, limit: 5 };
        const expected = (await words.search(query)).map(({ entry }) => entry.id);
        const found = (await memory.search(query)).map(({ entry }) => entry.id);
        expect(found.slice(0, expected.length)).toEqual(expected);
      }
    }
  });

  it("asks with halves of texts, cut between words, or between characters where there are no spaces", () => {
    const entries = [
      ...Array.from({ length: 12 }, (_, at) => ({
        id: `a${at}`,
        text: `walking along number ${at} rivers before breakfast tomorrow`,
      })),
      { id: "zh", text: "我昨天在斯德哥尔摩买了一本关于鸟类的新书😀😀" },
      { id: "short", text: "yes" },
    ];
    const halved = halve(entries);
    expect(halved.map(({ id }) => id).sort()).toEqual([...entries.map(({ id }) => id).slice(0, -1)].sort());
    for (const { id, question, shared, rest } of halved) {
      const text = entries.find((entry) => entry.id === id)?.text ?? "";
      expect(text.startsWith(question)).toBe(true);
      expect(text.endsWith(rest)).toBe(true);
      expect(text.endsWith(shared)).toBe(true);
      expect(question.length + rest.length).toBeLessThanOrEqual(text.length);
      expect(question.length + shared.length).toBeGreaterThan(text.length - 2);
      expect([question, shared, rest].every((half) => half.isWellFormed())).toBe(true);
      if (id !== "zh") expect(text.split(" ")).toEqual(expect.arrayContaining(question.split(" ")));
    }
    expect(halve(entries.slice(0, 5))).toEqual([]);
  });
});

describe("the calibration", () => {
  function setOf(vectors: readonly (readonly number[])[]) {
    const set = createVectorSet(vectors[0]?.length ?? 0);
    for (const [at, values] of vectors.entries()) {
      const length = Math.hypot(...values);
      const unit = Float32Array.from(values, (value) => value / length);
      set.add({ id: `v${at}`, createdAtMs: 0, type: "", textHash: 0, ...quantise(unit) });
    }
    return set;
  }
  /** Unrelated vectors around a common direction: a model whose similarities are all high. */
  const around = (count: number, common: number) => {
    let state = 7;
    const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 31 - 1;
    return setOf(
      Array.from({ length: count }, () => Array.from({ length: 64 }, (_, at) => random() + (at === 0 ? common : 0))),
    );
  };

  it("says nothing with few vectors", () => {
    expect(calibrate(around(7, 0))).toBeUndefined();
    expect(minSimilarityOf(undefined)).toBe(0.5);
    expect(strongSimilarityOf(undefined)).toBeUndefined();
    expect(calibrate(around(20, 0))?.duplicate).toBeUndefined();
  });

  it.each([
    { title: "whose similarities are around 0", common: 0, least: 0.15, most: 0.4 },
    { title: "whose similarities are all high", common: 9, least: 0.75, most: 0.95 },
  ])("finds the scale of a model $title", ({ common, least, most }) => {
    const calibration = calibrate(around(300, common));
    expect(minSimilarityOf(calibration)).toBeGreaterThan(least);
    expect(minSimilarityOf(calibration)).toBeLessThan(most);
    expect(calibration?.duplicate).toBeGreaterThan(minSimilarityOf(calibration));
    expect(strongSimilarityOf(calibration)).toBeGreaterThan(minSimilarityOf(calibration));
  });

  it("is the same for the same vectors", () => {
    expect(calibrate(around(300, 1))).toEqual(calibrate(around(300, 1)));
  });

  it("takes nothing for strong when all vectors are alike", () => {
    expect(strongSimilarityOf(calibrate(setOf(Array.from({ length: 60 }, () => [1, 1]))))).toBeUndefined();
  });

  it("is not led astray by a store full of duplicates", () => {
    const many = around(60, 0);
    const doubled = setOf(Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? [1, 0, at] : [1, 0, at - 1])));
    expect(calibrate(doubled)?.duplicate).toBeLessThanOrEqual(0.98);
    expect(calibrate(many)?.duplicate).toBeLessThan(0.98);
  });

  it.each([
    { known: undefined, vectors: 1, outdated: true },
    { known: 10, vectors: 19, outdated: false },
    { known: 10, vectors: 20, outdated: true },
    { known: 10, vectors: 4, outdated: true },
  ])("is outdated with $vectors vectors after $known: $outdated", ({ known, vectors, outdated }) => {
    expect(isOutdated(known, vectors)).toBe(outdated);
  });
});
