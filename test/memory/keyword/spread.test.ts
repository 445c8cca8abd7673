import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type IndexedDocument,
  type KeywordIndex,
  createKeywordIndex,
  openKeywordIndex,
} from "../../../src/memory/index.ts";
import { NOON } from "./documents.ts";
import { WHOLE, runs } from "../../support/thorough.ts";

// However documents came, went and were spread over segments: the ranking is that of an index which was made of them at once.

const WORDS = ["tea", "cup", "lake", "paint", "yesterday", "may 2026", "老板", "生日", "昨天", "ann", "went", "?"];
const text = fc
  .tuple(fc.constantFrom("", "", "Ann: ", "Bob: ", "小明："), fc.array(fc.constantFrom(...WORDS), { maxLength: 7 }))
  .map(([speaker, words]) => speaker + words.join(" "));
const document: fc.Arbitrary<IndexedDocument> = fc.record({
  id: fc.integer({ min: 0, max: 25 }).map((at) => `id${at}`),
  text,
  keywords: fc.array(fc.constantFrom("tea", "lake", "生日"), { maxLength: 2 }),
  createdAtMs: fc.integer({ min: 0, max: 20 }).map((minutes) => NOON + minutes * 240_000),
  type: fc.constantFrom("", "note", "workflow_trace"),
  thread: fc.constantFrom("", "", "one"),
  body: fc.constant("{}"),
});
const step = fc.oneof(
  { weight: 8, arbitrary: document.map((add) => ({ add })) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 25 }).map((at) => ({ remove: `id${at}` })) },
  { weight: 1, arbitrary: fc.constant({ seal: true }) },
  { weight: 1, arbitrary: fc.constant({ reopen: true }) },
  // A search leaves nothing behind that the next one could meet.
  { weight: 2, arbitrary: fc.record({ search: text }) },
);
const query = fc.record({
  text,
  limit: fc.integer({ min: 1, max: 12 }),
  withoutTypes: fc.constantFrom([], ["workflow_trace"]),
});

describe("the ranking", () => {
  it("is that of a fresh index, to the last bit", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 90 }),
        fc.array(query, { minLength: 1, maxLength: 4 }),
        (steps, queries) => {
          let index = createKeywordIndex({ segmentAt: 3 });
          const stored = new Map<string, Uint8Array>();
          const expected = new Map<string, IndexedDocument>();
          const seal = () => {
            const { write, manifest, dropped } = index.seal();
            for (const { name, bytes } of write) stored.set(name, bytes);
            for (const name of dropped) stored.delete(name);
            return manifest;
          };
          for (const one of steps) {
            if ("add" in one) {
              index.add(one.add);
              expected.delete(one.add.id);
              expected.set(one.add.id, one.add);
            } else if ("remove" in one) {
              expect(index.remove(one.remove)).toBe(expected.delete(one.remove));
            } else if ("search" in one) index.search({ text: one.search, limit: 4, nowMs: NOON });
            else if ("seal" in one) seal();
            else index = openKeywordIndex(seal(), (name) => stored.get(name), { segmentAt: 3 });
          }
          const fresh = createKeywordIndex();
          for (const one of [...expected.values()].reverse()) fresh.add(one);
          expect(index.size).toBe(expected.size);
          expect([...index.ids()].sort()).toEqual([...expected.keys()].sort());
          for (const one of queries) expect(hitsOf(index, one)).toEqual(hitsOf(fresh, one));
        },
      ),
      { numRuns: runs(150) },
    );
  });

  it("takes documents and terms beyond its first room, in an index that was searched before", () => {
    const index = createKeywordIndex();
    const fresh = createKeywordIndex();
    const documents = Array.from({ length: 200 }, (_, at) => ({
      id: `id${at}`,
      text: `word${at} word${at % 7} ${Array.from({ length: at % 9 }, (_, more) => `rare${at}x${more}`).join(" ")} tea`,
      ...{ keywords: [], createdAtMs: NOON + at, type: "note", thread: "", body: "{}" },
    }));
    for (const one of documents) {
      index.add(one);
      index.search({ text: `tea ${one.text}`, limit: 3, nowMs: NOON });
    }
    for (const one of documents) fresh.add(one);
    for (const { text } of documents) {
      const query = { text, limit: 40, withoutTypes: [] };
      expect(hitsOf(index, query)).toEqual(hitsOf(fresh, query));
    }
  });
});

function hitsOf(index: KeywordIndex, query: { text: string; limit: number; withoutTypes: readonly string[] }) {
  return index.search({ ...query, nowMs: NOON });
}

describe("bytes that were changed", () => {
  const index = createKeywordIndex();
  for (let at = 0; at < 20; at += 1) {
    const text = `Ann: topic${at} 生日 ${"word ".repeat(at)}`;
    index.add({ id: `id${at}`, text, keywords: ["k"], createdAtMs: NOON + at, type: "note", thread: "", body: "{}" });
  }
  const { write, manifest } = index.seal();
  const whole = write[0]!.bytes;
  const open = (bytes: Uint8Array) => openKeywordIndex(manifest, () => bytes);

  it("are refused wherever they are cut off", () => {
    for (let length = 0; length < whole.length; length += WHOLE ? 1 : 3)
      expect(() => open(whole.slice(0, length))).toThrow(/segment/);
  });

  it("are refused when any of them is another, or more follow", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const changed = whole.slice();
        changed[at]! ^= by;
        expect(() => open(changed)).toThrow(/segment/);
      }),
      { numRuns: runs(400) },
    );
    const longer = new Uint8Array(whole.length + 8);
    longer.set(whole);
    expect(() => open(longer)).toThrow(/segment/);
  });

  it("are refused when they are anything else", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(() => open(bytes)).toThrow(/segment/);
      }),
    );
  });
});
