import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MemoryEntry, differsInSubstance, duplicateOf, mergeEntries } from "../../../src/memory/index.ts";
import { runs } from "../../support/thorough.ts";

function entry(id: string, content: string, more: Partial<MemoryEntry> = {}): MemoryEntry {
  const at = new Date(Date.UTC(2026, 0, 5));
  return { id, userId: "@ada", content, keywords: [], slots: {}, createdAt: at, updatedAt: at, ...more };
}

const ENGLISH =
  "prefer strong black coffee from the small roastery near the office when working late on the quarterly report";
const CHINESE = "我平时加班写季度报告的时候最喜欢喝公司楼下那家小店里现磨的黑咖啡不加糖也不加奶";

describe("duplicateOf()", () => {
  it.each([
    ["the same", "I prefer dark roast coffee in the morning", "I prefer dark roast coffee in the morning"],
    ["another order", "In the morning I prefer dark roast coffee", "I prefer dark roast coffee in the morning"],
    ["one small word more", `I ${ENGLISH}`, `Really, I ${ENGLISH}`],
    ["one noun in a long sentence", `I ${ENGLISH}`, `I ${ENGLISH.replace("strong ", "")}`],
    ["the same in Chinese", CHINESE, CHINESE],
    ["a particle", "我喜欢早上喝黑咖啡", "我喜欢早上喝黑咖啡啊"],
    ["a name of capitals and traditional signs", `A會 ${ENGLISH}`, `A會 ${ENGLISH}`],
    ["a word that was added in Chinese", CHINESE, CHINESE.replace("黑咖啡", "热黑咖啡")],
  ])("finds an entry that says the same: %s", (_, one, other) => {
    expect(duplicateOf({ content: one }, [entry("1", other)])?.id).toBe("1");
    expect(duplicateOf({ content: other }, [entry("1", one)])?.id).toBe("1");
  });

  it.each([
    ["a number", `I ${ENGLISH} 2`, `I ${ENGLISH} 3`],
    ["a number in words", `I drink two cups and ${ENGLISH}`, `I drink three cups and ${ENGLISH}`],
    ["a number that only one has", `I ${ENGLISH}`, `I ${ENGLISH} 12`],
    ["a day", `On Monday I ${ENGLISH}`, `On Friday I ${ENGLISH}`],
    ["a date", `Since 2026-01-05 I ${ENGLISH}`, `Since 2026-01-06 I ${ENGLISH}`],
    ["a time of day", `In the morning I ${ENGLISH}`, `In the evening I ${ENGLISH}`],
    ["a name", `Anna and I ${ENGLISH}`, `Bella and I ${ENGLISH}`],
    ["a name at the beginning", `Anna does ${ENGLISH}`, `Bella does ${ENGLISH}`],
    ["a negation", `I ${ENGLISH}`, `I do not ${ENGLISH}`],
    ["a short negation", `I ${ENGLISH}`, `I don't ${ENGLISH}`],
    ["never", `I always ${ENGLISH}`, `I never ${ENGLISH}`],
    ["who it is of", `She says they ${ENGLISH}`, `He says they ${ENGLISH}`],
    ["on and off", `Turn the big machine on when I ${ENGLISH}`, `Turn the big machine off when I ${ENGLISH}`],
    ["a Chinese number", CHINESE, `${CHINESE}每天三杯`],
    ["a Chinese negation", CHINESE, CHINESE.replace("最喜欢", "最不喜欢")],
    ["a Chinese name", `和张伟${CHINESE}`, `和李伟${CHINESE}`],
    ["a Chinese name that only one has", CHINESE, CHINESE.replace("平时加班", "平时和王芳加班")],
    ["a Chinese place", `我在北京，${CHINESE}`, `我在上海，${CHINESE}`],
    ["a Chinese day", `周一${CHINESE}`, `周五${CHINESE}`],
    ["a negation in traditional signs", "我沒有打算在今年買新的電動車", "我有打算在今年買新的電動車"],
    ["a person in traditional signs", "我媽媽非常喜歡在花園裡種白色的花", "我非常喜歡在花園裡種白色的花"],
    ["a German negation", `Ich mag ${ENGLISH}`, `Ich mag nicht ${ENGLISH}`],
    ["a Korean negation", `나는 ${ENGLISH} 마신다`, `나는 ${ENGLISH} 안 마신다`],
    ["a code", `Ticket AB-17: I ${ENGLISH}`, `Ticket AB-18: I ${ENGLISH}`],
  ])("never joins what differs in %s", (_, one, other) => {
    expect(duplicateOf({ content: one }, [entry("1", other)])).toBeUndefined();
    expect(duplicateOf({ content: other }, [entry("1", one)])).toBeUndefined();
  });

  it("never joins texts in which a number, name, day or negation was put, whatever stands around it", () => {
    const word = fc.constantFrom(
      ..."garden window paper bridge river market engine butter candle violin planet forest".split(" "),
    );
    const zh = fc.constantFrom(...Array.from("花园窗户桥河市场蜡烛森林机器牛奶茶杯书架台灯"));
    const pairs = [
      ...[
        ["7", "8"],
        ["Marta", "Jonas"],
        ["Tuesday", "Thursday"],
        ["not", "quickly"],
        ["2026-02-01", "2026-03-01"],
      ].map((pair) => ({ pair, word, by: " " })),
      ...[
        ["七", "八"],
        ["周二", "周四"],
        ["不", "好"],
        ["张伟", "李娜"],
      ].map((pair) => ({ pair, word: zh, by: "" })),
    ];
    for (const { pair, word: words, by } of pairs) {
      const [one = "", other = ""] = pair;
      fc.assert(
        fc.property(fc.array(words, { minLength: 14, maxLength: 30 }), fc.nat(13), (parts, at) => {
          const make = (put: string) => parts.toSpliced(at, 0, put).join(by);
          expect(duplicateOf({ content: make(one) }, [entry("1", make(other))])).toBeUndefined();
          expect(differsInSubstance(make(one), parts.join(by))).toBe(true);
          expect(duplicateOf({ content: make(one) }, [entry("1", make(one))])?.id).toBe("1");
        }),
        { numRuns: runs(60) },
      );
    }
  });

  it("asks the same of both sides", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 40 }),
        fc.string({ unit: "grapheme", maxLength: 40 }),
        (one, other) => {
          expect(differsInSubstance(one, other)).toBe(differsInSubstance(other, one));
          expect(differsInSubstance(one, one)).toBe(false);
        },
      ),
    );
  });

  it("takes likeness in meaning only together with common words, and only above the embedder's own threshold", () => {
    const older = entry("1", "likes to spend holidays hiking with friends around mountain lakes");
    const draft = { content: "enjoys holidays spent hiking with friends around lakes" };
    expect(duplicateOf(draft, [older])).toBeUndefined();
    expect(duplicateOf(draft, [older], { similarity: () => 0.97, minSimilarity: 0.95 })?.id).toBe("1");
    expect(duplicateOf(draft, [older], { similarity: () => 0.94, minSimilarity: 0.95 })).toBeUndefined();
    expect(duplicateOf(draft, [older], { similarity: () => 1 })).toBeUndefined();
    const unlike = entry("2", "keeps bees behind the summer cottage");
    expect(duplicateOf(draft, [unlike], { similarity: () => 1, minSimilarity: 0.9 })).toBeUndefined();
  });

  it("takes a stricter threshold, and never joins entries of different types", () => {
    const content = "one shelf holds cups plates bowls spoons forks knives pans lids";
    const other = "one shelf holds cups plates bowls spoons forks knives pans trays";
    expect(duplicateOf({ content }, [entry("1", other)])?.id).toBe("1");
    expect(duplicateOf({ content }, [entry("1", other)], { threshold: 0.85 })).toBeUndefined();
    const known = entry("1", content, { slots: { type: "statement" } });
    expect(duplicateOf({ content, slots: { type: "auto_capture" } }, [known])).toBeUndefined();
    expect(duplicateOf({ content }, [known])?.id).toBe("1");
  });
});

describe("mergeEntries()", () => {
  it("keeps the newer wording under the older id, all keywords, both ids, and what is lasting", () => {
    const older = entry("A", "old words", {
      keywords: ["a", "b"],
      slots: { type: "statement", lasting: true, merged_ids: ["0"], session_id: "one" },
      expiresAt: new Date(5),
    });
    const later = new Date(Date.UTC(2026, 1, 1));
    const newer = entry("B", "new words", {
      keywords: ["b", "c"],
      slots: { type: "statement", session_id: "two" },
      createdAt: later,
      updatedAt: later,
    });
    expect(mergeEntries(older, newer)).toEqual({
      id: "A",
      userId: "@ada",
      content: "new words",
      keywords: ["a", "b", "c"],
      slots: { type: "statement", lasting: true, session_id: "two", merged_ids: ["A", "0", "B"] },
      createdAt: older.createdAt,
      updatedAt: later,
    });
    expect(mergeEntries(older, { ...newer, expiresAt: new Date(9) }).expiresAt).toEqual(new Date(9));
  });
});
