import { describe, expect, it } from "vitest";
import { isEveryday } from "../../../src/memory/keyword/everyday.ts";
import { createKeywordIndex } from "../../../src/memory/keyword/keyword-index.ts";

const NOW_MS = Date.UTC(2026, 1, 20, 12);
const DAY_MS = 86_400_000;

function indexOf(texts: readonly string[], daysAgo = 10) {
  const index = createKeywordIndex();
  for (const [at, text] of texts.entries()) {
    index.add({
      id: String(at),
      text,
      keywords: [],
      createdAtMs: NOW_MS - daysAgo * DAY_MS,
      type: "",
      thread: "",
      body: "",
    });
  }
  return index;
}

/** Of the first hit. */
function signalsOf(texts: readonly string[], text: string) {
  const [hit] = indexOf(texts).find({ text, nowMs: NOW_MS, limit: 5, about: true });
  return hit?.signals;
}

describe("what a hit has of a query", () => {
  it("is told only where it is asked for", () => {
    const [hit] = indexOf(["My dentist is Dr. Larsen"]).find({ text: "dentist", nowMs: NOW_MS, limit: 1 });
    expect(hit?.signals.keyword).toBeGreaterThan(0);
    expect(Object.keys(hit?.signals ?? {})).not.toContain("coverage");
  });

  it("is all of it, by its one word", () => {
    expect(signalsOf(["My dentist is Dr. Larsen"], "who is my dentist?")).toMatchObject({ coverage: 1, telling: 1 });
  });

  it("counts everyday words and small numbers little", () => {
    const signals = signalsOf(["Works at the bank since 12"], "write a limerick about work, 12 lines");
    expect(signals?.telling).toBeLessThan(0.8);
    expect(signals?.coverage).toBeLessThan(0.3);
  });

  it("counts what many share less than what few do", () => {
    const many = Array.from({ length: 20 }, (_, at) => `Oslo note number ${at} of pier`);
    expect(signalsOf([...many, "The ferry"], "Oslo?")?.telling).toBe(0.6);
    expect(signalsOf([...many, "The ferry"], "ferry?")?.telling).toBe(1);
  });

  it("counts a word of the same meaning in part, in Chinese", () => {
    const signals = signalsOf(["我丈夫住在绍兴"], "老公");
    expect(signals?.telling).toBeCloseTo(0.6);
    expect(signals?.coverage).toBeCloseTo(0.6);
  });

  it("sees a day that is asked for, and today's never", () => {
    const made = indexOf(["Swam in the lake"], 3);
    const asked = (text: string) => made.find({ text, nowMs: NOW_MS, limit: 1, about: true })[0]?.signals;
    expect(asked("3 days ago?")?.telling).toBeGreaterThanOrEqual(0.7);
    const today = indexOf(["Swam in the lake"], 0).find({
      text: "what's up today",
      nowMs: NOW_MS,
      limit: 1,
      about: true,
    });
    expect(today[0]?.signals.telling ?? 0).toBe(0);
  });

  it("sees keywords as well as the text", () => {
    const index = createKeywordIndex();
    index.add({ id: "1", text: "Larsen", keywords: ["dentist"], createdAtMs: 0, type: "", thread: "", body: "" });
    expect(index.find({ text: "dentist", nowMs: NOW_MS, limit: 1, about: true })[0]?.signals).toMatchObject({
      coverage: 1,
      telling: 1,
    });
  });

  it("is the same in a segment as in the tail, and for any spread over segments", () => {
    const texts = Array.from({ length: 30 }, (_, at) => `entry ${at} of ${at % 3 === 0 ? "harbour" : "garden"} ${at}`);
    const [small, large] = [4, 256].map((segmentAt) => {
      const index = createKeywordIndex({ segmentAt });
      for (const [at, text] of texts.entries())
        index.add({ id: String(at), text, keywords: [], createdAtMs: 0, type: "", thread: "", body: "" });
      return index.search({ text: "harbour 21 garden", nowMs: NOW_MS, limit: 30, about: true });
    });
    expect(small?.map(({ id, signals }) => [id, signals.coverage, signals.telling])).toEqual(
      large?.map(({ id, signals }) => [id, signals.coverage, signals.telling]),
    );
  });
});

describe("isEveryday()", () => {
  it.each(["weekend", "translat", "hello", "翻译", "今天"])("holds of %j", (token) =>
    expect(isEveryday(token)).toBe(true),
  );
  it.each(["dentist", "boiler", "larsen", "房东", "过敏"])("does not hold of %j", (token) =>
    expect(isEveryday(token)).toBe(false),
  );
});

describe("an index that is searched with another beside it", () => {
  const document = (id: string, text: string) => ({
    id,
    text,
    keywords: [],
    createdAtMs: 0,
    type: "",
    thread: "",
    body: "",
  });
  const LIVE = ["the boiler of the house", "the garden of the house"];
  const OLD = ["the boiler was repaired", "the roof of the house"];

  it("ranks all as one index does, those of the other one lower by its worth", () => {
    const [own, other, whole] = [createKeywordIndex(), createKeywordIndex(), createKeywordIndex()];
    for (const [at, text] of LIVE.entries()) own.add(document(`own${at}`, text));
    for (const [at, text] of OLD.entries()) other.add(document(`other${at}`, text));
    for (const [at, text] of LIVE.entries()) whole.add(document(`own${at}`, text));
    for (const [at, text] of OLD.entries()) whole.add(document(`other${at}`, text));
    const query = { text: "who repaired the boiler", nowMs: NOW_MS, limit: 9 };
    const scores = (worth: number) =>
      Object.fromEntries(
        own.find({ ...query, beside: { index: other, worth } }).map((hit) => [hit.document.id, hit.score]),
      );
    const asOne = Object.fromEntries(whole.find(query).map((hit) => [hit.document.id, hit.score]));
    expect(scores(1)).toEqual(asOne);
    expect(scores(0.5)["other0"]).toBeCloseTo((asOne["other0"] ?? 0) / 2);
    expect(
      own.find({ ...query, beside: { index: other, worth: 1 } }).map((hit) => [hit.document.id, hit.isBeside]),
    ).toEqual(whole.find(query).map(({ document: { id } }) => [id, id.startsWith("other")]));
    // And neither is another index for it afterwards.
    expect(other.find(query)[0]?.score).toBe(other.search(query)[0]?.score);
    expect(own.find(query).map((hit) => hit.document.id)).toEqual(["own0"]);
  });

  it("finds what the other has when it has nothing itself", () => {
    const [own, other] = [createKeywordIndex(), createKeywordIndex()];
    other.add(document("1", "the boiler"));
    const hits = own.find({ text: "boiler", nowMs: NOW_MS, limit: 1, beside: { index: other, worth: 0.9 } });
    expect(hits.map(({ document: { id }, isBeside }) => [id, isBeside])).toEqual([["1", true]]);
  });
});
