import { describe, expect, it } from "vitest";
import { createKeywordIndex, openKeywordIndex } from "../../../src/memory/index.ts";
import { NOON, entry, idsOf } from "./documents.ts";

describe("createKeywordIndex()", () => {
  it("finds by stems, best first, and gives documents back as they were", () => {
    const index = createKeywordIndex();
    const given = entry("a1", "She paints in the garden", { keywords: ["hobby"], type: "statement", thread: "t" });
    index.add(given);
    index.add(entry("a2", "The garden was sold"));
    const [first, second] = index.search({ text: "painting the garden", nowMs: NOON, limit: 5 });
    expect([first?.id, second?.id]).toEqual(["a1", "a2"]);
    expect(first?.document).toEqual(given);
    expect(index.get("a1")).toEqual(given);
    expect(first!.score).toBeGreaterThan(second!.score);
  });

  it("keeps what cannot be UTF-8, also through bytes", () => {
    const index = createKeywordIndex();
    const given = entry("x\ud800", "half \udc00 a character \0 and nothing", { body: "\ud83d" });
    index.add(given);
    const { write, manifest } = index.seal();
    const again = openKeywordIndex(manifest, (name) => write.find((segment) => segment.name === name)?.bytes);
    expect(again.get("x\ud800")).toEqual(given);
  });

  it("finds nothing for words that nobody wrote, or that say nothing", () => {
    const index = createKeywordIndex();
    index.add(entry("a1", "She paints"));
    expect(idsOf(index, "quantum")).toEqual([]);
    expect(idsOf(index, "what is it")).toEqual([]);
    expect(idsOf(createKeywordIndex(), "paint")).toEqual([]);
  });

  it("gives the newest for an empty query", () => {
    const index = createKeywordIndex();
    for (const id of ["a2", "a9", "a4"]) index.add(entry(id, "something"));
    expect(idsOf(index, " ", 2)).toEqual(["a9", "a4"]);
  });

  it("replaces an entry of the same id, and forgets a removed one", () => {
    const index = createKeywordIndex();
    index.add(entry("a1", "tea"));
    index.add(entry("a1", "coffee"));
    expect(index.size).toBe(1);
    expect(idsOf(index, "tea")).toEqual([]);
    expect(idsOf(index, "coffee")).toEqual(["a1"]);
    expect(index.remove("a1")).toBe(true);
    expect(index.remove("a1")).toBe(false);
    expect([index.size, index.has("a1"), index.get("a1"), [...index.ids()]]).toEqual([0, false, undefined, []]);
    expect(idsOf(index, "coffee")).toEqual([]);
  });

  it("searches keywords too, for less than the text", () => {
    const index = createKeywordIndex();
    index.add(entry("a1", "blue mountain", { keywords: ["coffee"] }));
    index.add(entry("a2", "coffee tomorrow"));
    index.add(entry("a3", "unrelated words"));
    expect(idsOf(index, "coffee")).toEqual(["a2", "a1"]);
    expect(index.search({ text: "", keywords: ["coffee"], nowMs: NOON, limit: 5 }).map(({ id }) => id)).toEqual([
      "a2",
      "a1",
    ]);
  });

  it("filters before it ranks", () => {
    const index = createKeywordIndex();
    for (let at = 0; at < 300; at += 1) index.add(entry(`a${at}`, "coffee coffee", { type: "workflow_trace" }));
    index.add(entry("b1", "coffee in a long text about everything else that happened on that day", { type: "" }));
    const search = (also: object) =>
      index.search({ text: "coffee", nowMs: NOON, limit: 3, ...also }).map(({ id }) => id);
    expect(search({})).not.toContain("b1");
    expect(search({ withoutTypes: ["workflow_trace"] })).toEqual(["b1"]);
    expect(search({ accepts: ({ id }: { id: string }) => id.startsWith("b") })).toEqual(["b1"]);
    expect(search({ sinceMs: NOON + 298 * 60_000 })).toEqual(["a299", "a298"]);
  });

  it("finds an entry by the day it was made, and by the day it speaks of", () => {
    const index = createKeywordIndex();
    const day = 86_400_000;
    index.add(entry("a1", "went to the dentist", { createdAtMs: NOON - 20 * day }));
    index.add(entry("a2", "went to the cinema", { createdAtMs: NOON - day }));
    index.add(entry("a3", "the day before yesterday I went to the lake", { createdAtMs: NOON + day }));
    index.add(entry("a4", "went to bed", { createdAtMs: NOON - 40 * day }));
    expect(idsOf(index, "where did I go yesterday", 2)).toEqual(["a3", "a2"]);
    expect(idsOf(index, "where did I go in April", 1)).toEqual(["a1"]);
  });

  it("says what each part of a score is", () => {
    const index = createKeywordIndex();
    for (const [at, text] of [
      "Ann: Where is the red bicycle?",
      "Bob: Behind the shed",
      "Ann: Thanks a lot",
    ].entries()) {
      index.add(entry(`a${at}`, text));
    }
    const hits = index.search({ text: "red bicycle", nowMs: NOON, limit: 3 });
    expect(hits.map(({ id }) => id)).toEqual(["a0", "a1", "a2"]);
    for (const { score, signals } of hits) {
      const { keyword = 0, neighbours = 0, proximity = 0, feedback = 0 } = signals;
      expect(keyword + neighbours + proximity + feedback).toBeCloseTo(score, 9);
    }
    expect(hits[0]!.signals).toMatchObject({ keyword: expect.any(Number), proximity: expect.any(Number) });
    expect(hits[1]!.signals.keyword).toBeUndefined();
    expect(hits[1]!.signals.neighbours).toBeGreaterThan(0);
  });

  it("ranks by the best terms of a very long query without growing slow", () => {
    const index = createKeywordIndex();
    for (let at = 0; at < 50; at += 1) index.add(entry(`a${at}`, `topic${at} shared words`));
    const long = Array.from({ length: 3000 }, (_, at) => `filler${at} shared`).join(" ");
    expect(idsOf(index, `${long} topic7`, 1)).toEqual(["a7"]);
  });
});

describe("an index without documents", () => {
  it("holds no room for any: each person has several, and most stay empty", () => {
    const made = arraysMadeBy(() => {
      const index = createKeywordIndex();
      expect(idsOf(index, "garden")).toEqual([]);
      index.seal();
    });
    expect(made).toBe(0);
    expect(arraysMadeBy(() => createKeywordIndex().add(entry("a1", "She paints")))).toBeGreaterThan(0);
  });
});

/** How many typed arrays for 256 documents and more were made meanwhile. */
function arraysMadeBy(work: () => void): number {
  const { Float64Array: Original } = globalThis;
  let count = 0;
  globalThis.Float64Array = new Proxy(Original, {
    construct(target, given: [number], newTarget) {
      if (given[0] >= 256) count += 1;
      return Reflect.construct(target, given, newTarget) as object;
    },
  });
  try {
    work();
  } finally {
    globalThis.Float64Array = Original;
  }
  return count;
}

describe("lines of a conversation", () => {
  /** Who was lent something by a neighbour. */
  const lentTo = (texts: readonly string[], also: (at: number) => object = () => ({})) => {
    const index = createKeywordIndex();
    for (const [at, text] of texts.entries()) index.add(entry(`a${at}`, text, also(at)));
    const hits = index.search({ text: "Which instrument does the neighbour play", nowMs: NOON, limit: 9 });
    expect(hits[0]?.id).toBe("a0");
    return hits.filter(({ signals }) => signals.neighbours).map(({ id }) => id);
  };
  const talk = ["Ann: Which instrument did you play?", "Bob: The cello, for ten years", "Ann: Lovely!", "Bob: I know"];

  it("lend each other score: the answer comes with its question", () => {
    expect(lentTo(talk)).toEqual(["a1", "a2"]);
  });

  it("do so in Chinese, with a full-width colon", () => {
    const index = createKeywordIndex();
    for (const [at, text] of ["小红：你会什么乐器？", "小明：大提琴，学了十年", "小红：真好"].entries())
      index.add(entry(`a${at}`, text));
    expect(idsOf(index, "乐器").slice(0, 2)).toEqual(["a0", "a1"]);
  });

  it.each([
    { title: "notes without speakers", texts: talk.map((text) => text.slice(5)) },
    { title: "notes that one person labels", texts: talk.map((text) => text.replace(/^.../, "Todo")) },
    { title: "labels that do not come again", texts: ["Todo: play the instrument", "Idea: a cello", "Note: lovely"] },
    { title: "web addresses", texts: talk.map((text, at) => text.replace(/^...: /, at % 2 ? "https://" : "http://")) },
  ])("are not $title", ({ texts }) => {
    expect(lentTo(texts)).toEqual([]);
  });

  it("end where there was silence for ten minutes", () => {
    expect(lentTo(talk, (at) => ({ createdAtMs: NOON + at * 11 * 60_000 }))).toEqual([]);
  });

  it("are of one thread only", () => {
    expect(lentTo(talk, (at) => ({ thread: at === 1 ? "other" : "one" }))).not.toContain("a1");
  });

  it("do not lend through a filter", () => {
    const index = createKeywordIndex();
    for (const [at, text] of talk.entries())
      index.add(entry(`a${at}`, text, { type: at === 1 ? "workflow_trace" : "" }));
    const hits = index.search({ text: "instrument", nowMs: NOON, limit: 9, withoutTypes: ["workflow_trace"] });
    expect(hits.map(({ id }) => id)).not.toContain("a1");
  });

  it("count more where the one asked about speaks", () => {
    const index = createKeywordIndex();
    index.add(entry("a0", "Bob: Ann likes tea"));
    index.add(entry("b900", "Ann: I like tea, Bob"));
    expect(idsOf(index, "What does Bob like: tea?", 1)).toEqual(["a0"]);
    expect(idsOf(index, "What does Ann like: tea?", 1)).toEqual(["b900"]);
  });
});

describe("seal() and openKeywordIndex()", () => {
  it("keeps its contract: what the manifest names is written, what it no longer names is dropped", () => {
    const index = createKeywordIndex({ segmentAt: 4 });
    const stored = new Map<string, Uint8Array>();
    let manifest = index.seal().manifest;
    for (let at = 0; at < 60; at += 1) {
      index.add(entry(`a${at}`, `topic${at % 7} and more`));
      if (at % 11 === 5) index.remove(`a${at - 3}`);
      if (at % 3 !== 0) continue;
      const sealed = index.seal();
      expect(index.unsealed).toBe(0);
      for (const { name, bytes } of sealed.write) stored.set(name, bytes);
      manifest = JSON.parse(JSON.stringify(sealed.manifest));
      for (const name of sealed.dropped) expect(stored.delete(name)).toBe(true);
      expect([...stored.keys()].sort()).toEqual(manifest.segments.map(({ name }) => name).sort());
      const again = openKeywordIndex(manifest, (name) => stored.get(name));
      expect([...again.ids()].sort()).toEqual([...index.ids()].sort());
      expect(idsOf(again, "topic3", 20)).toEqual(idsOf(index, "topic3", 20));
    }
    expect(manifest.segments.length).toBeLessThan(9);
  });

  it("counts what is in no sealed segment", () => {
    const index = createKeywordIndex({ segmentAt: 4 });
    for (let at = 0; at < 6; at += 1) index.add(entry(`a${at}`, "tea"));
    expect([index.size, index.unsealed]).toEqual([6, 6]);
    index.seal();
    index.add(entry("a6", "tea"));
    expect([index.size, index.unsealed]).toEqual([7, 1]);
    expect(index.bytes).toBeGreaterThan(0);
  });

  it("writes nothing when nothing changed, and a removal into the manifest alone", () => {
    const index = createKeywordIndex({ segmentAt: 4 });
    for (let at = 0; at < 8; at += 1) index.add(entry(`a${at}`, "tea"));
    index.seal();
    expect(index.seal()).toMatchObject({ write: [], dropped: [] });
    index.remove("a1");
    const { write, dropped, manifest } = index.seal();
    expect([write, dropped]).toEqual([[], []]);
    expect(manifest.segments.flatMap(({ removed }) => removed)).toHaveLength(1);
  });

  it("reads bytes that lie at an odd place of a larger buffer", () => {
    const index = createKeywordIndex();
    index.add(entry("a1", "tea"));
    const { write, manifest } = index.seal();
    const { bytes } = write[0]!;
    const larger = new Uint8Array(bytes.length + 3);
    larger.set(bytes, 3);
    expect(
      idsOf(
        openKeywordIndex(manifest, () => larger.subarray(3)),
        "tea",
      ),
    ).toEqual(["a1"]);
  });

  it("refuses another version, a missing segment and places that are none", () => {
    const index = createKeywordIndex();
    index.add(entry("a1", "tea"));
    const { write, manifest } = index.seal();
    const bytesOf = () => write[0]!.bytes;
    const { name } = manifest.segments[0]!;
    expect(() => openKeywordIndex({ ...manifest, version: manifest.version + 1 }, bytesOf)).toThrow(/version/);
    expect(() => openKeywordIndex(manifest, () => undefined)).toThrow(/there is none/);
    for (const place of [1, -1, 0.5, NaN]) {
      expect(() => openKeywordIndex({ ...manifest, segments: [{ name, removed: [place] }] }, bytesOf)).toThrow(
        /below 1/,
      );
    }
    expect(() => openKeywordIndex(manifest, () => new Uint8Array(0))).toThrow(/complete segment/);
  });
});
