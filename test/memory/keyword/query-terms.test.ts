import { describe, expect, it } from "vitest";
import { datesOfQuery } from "../../../src/memory/keyword/dates.ts";
import { createKeyWorth } from "../../../src/memory/keyword/key-table.ts";
import { createKnownWords } from "../../../src/memory/keyword/known-words.ts";
import { readQuery, readText } from "../../../src/memory/keyword/query-terms.ts";
import type { KeywordQuery } from "../../../src/memory/index.ts";
import { keyOf } from "../../../src/memory/keyword/term-key.ts";
import { createKeywordIndex } from "../../../src/memory/index.ts";
import { NOON, entry, idsOf } from "./documents.ts";

function termsOf(query: KeywordQuery): ReadonlyMap<number, number> {
  const into = createKeyWorth();
  readQuery(query, readText(query.text, query.nowMs), { known: createKnownWords(), hasSpeakers: true, into });
  return new Map(Array.from(into.keys.subarray(0, into.count), (key, at) => [key, into.worth[at] ?? NaN]));
}

function sharesOf(text: string, tokens: readonly string[], keywords: readonly string[] = []) {
  const terms = termsOf({ text, keywords, nowMs: NOON, limit: 5 });
  return tokens.map((token) => terms.get(keyOf(token, /[^\0-\x7f]/.test(token))));
}

describe("readQuery()", () => {
  it.each(["什么时候", "為什麼呢？", "怎么样", "多少", "几号", "哪天", "谁", "请问"])(
    "looks for nothing of %j",
    (text) => {
      expect(termsOf({ text, nowMs: NOON, limit: 5 }).size).toBe(0);
    },
  );

  it("counts less what is one character, and least what has one that says little", () => {
    expect(sharesOf("我的猫", ["猫", "的猫", "我"])).toEqual([0.5, 0.3, 0.3]);
  });

  it("looks for what means the same too, unless it is asked for itself", () => {
    expect(sharesOf("妈妈的生日", ["生日", "出生", "母亲"])).toEqual([1, 0.6, 0.6]);
    expect(sharesOf("出生的日子，生日", ["生日", "出生"])).toEqual([1, 1]);
  });

  it("looks for a date as a date, and hardly by its characters", () => {
    expect(sharesOf("三月五号去了北京", ["月", "五号", "北京"])).toEqual([0.15, 0.15, 1]);
    const [date = ""] = datesOfQuery("三月五号", NOON);
    expect(termsOf({ text: "三月五号", nowMs: NOON, limit: 5 }).get(keyOf(date))).toBe(1);
  });

  it("looks for keywords as they are", () => {
    expect(sharesOf("", ["什么", "3"], ["什么", "3月"])).toEqual([0.3, 1]);
  });
});

describe("a Chinese question", () => {
  it("does not find talk that has nothing but its question word", () => {
    const index = createKeywordIndex();
    index.add(entry("a1", "没什么事，就是想聊聊"));
    index.add(entry("a2", "我最喜欢做木工"));
    expect(idsOf(index, "我有什么爱好？")).toEqual(["a2"]);
  });

  it("about a day of a year finds what names the day alone", () => {
    const index = createKeywordIndex();
    index.add(entry("a1", "6月3号去看牙", { createdAtMs: NOON }));
    index.add(entry("a2", "6月13号交房租", { createdAtMs: NOON }));
    expect(idsOf(index, "2026年6月3日")[0]).toBe("a1");
  });

  it("about a day finds what was made on it, and what names it", () => {
    const index = createKeywordIndex();
    for (let at = 0; at < 20; at += 1) index.add(entry(`b${at}`, `散步${at}公里`, { createdAtMs: NOON }));
    index.add(entry("a1", "和小王见了一面", { createdAtMs: Date.UTC(2026, 2, 5, 9) }));
    index.add(entry("a2", "四月五号要交房租"));
    index.add(entry("a3", "3月5日是他的生日"));
    expect(idsOf(index, "三月五号有什么事", 2).toSorted()).toEqual(["a1", "a3"]);
  });
});
