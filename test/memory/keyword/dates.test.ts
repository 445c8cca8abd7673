import { describe, expect, it } from "vitest";
import { datesOfDay, datesOfEntry, datesOfQuery, withoutDates } from "../../../src/memory/keyword/dates.ts";
import { normalise } from "../../../src/memory/keyword/tokens.ts";
import { NOON } from "./documents.ts";

const day = (year: number, month: number, date: number) => `@d${Date.UTC(year, month - 1, date) / 86_400_000}`;
/** By the Monday it begins on. */
const week = (year: number, month: number, date: number) =>
  `@w${Math.floor((Date.UTC(year, month - 1, date) / 86_400_000 + 3) / 7)}`;

describe("datesOfQuery()", () => {
  it.each([
    ["what did she do on 7 May 2023", day(2023, 5, 7)],
    ["on May 7th, 2023", day(2023, 5, 7)],
    ["2023-05-07", day(2023, 5, 7)],
    ["2023/5/7", day(2023, 5, 7)],
    ["2023年5月7日去了哪里", day(2023, 5, 7)],
    ["in May 2023", "@m2023-5"],
    ["2023年5月", "@m2023-5"],
    ["in June", "@n6"],
    ["6月呢", "@n6"],
    ["十月之前", "@n10"],
    ["on June 3", "@a6-3"],
    ["6月3号", "@a6-3"],
    ["六月三号", "@a6-3"],
    ["十二月二十五日", "@a12-25"],
    ["2023年五月七日", day(2023, 5, 7)],
    ["三月一直在忙", "@n3"],
    ["during 2022", "@y2022"],
    ["yesterday", day(2026, 5, 12)],
    ["the day before yesterday", day(2026, 5, 11)],
    ["last night", day(2026, 5, 12)],
    ["today", day(2026, 5, 13)],
    ["tomorrow", day(2026, 5, 14)],
    ["the day after tomorrow", day(2026, 5, 15)],
    ["last week", week(2026, 5, 4)],
    ["this week", week(2026, 5, 11)],
    ["next week", week(2026, 5, 18)],
    ["last month", "@m2026-4"],
    ["next year", "@y2027"],
    ["last Friday", day(2026, 5, 8)],
    ["last Wednesday", day(2026, 5, 6)],
    ["this Friday", day(2026, 5, 15)],
    ["three days ago", day(2026, 5, 10)],
    ["a week ago", week(2026, 5, 6)],
    ["in 2 months", "@m2026-7"],
    ["昨天", day(2026, 5, 12)],
    ["前天", day(2026, 5, 11)],
    ["大前天", day(2026, 5, 10)],
    ["明晚", day(2026, 5, 14)],
    ["后天", day(2026, 5, 15)],
    ["大后天", day(2026, 5, 16)],
    ["上周", week(2026, 5, 4)],
    ["上周五", day(2026, 5, 8)],
    ["下周三", day(2026, 5, 20)],
    ["下星期天", day(2026, 5, 24)],
    ["这个礼拜六", day(2026, 5, 16)],
    ["上上周一", day(2026, 4, 27)],
    ["上个月", "@m2026-4"],
    ["下个月", "@m2026-6"],
    ["去年", "@y2025"],
    ["前年", "@y2024"],
    ["三天前", day(2026, 5, 10)],
    ["十二天后", day(2026, 5, 25)],
    ["两个月前", "@m2026-3"],
    ["3周以后", week(2026, 6, 3)],
  ])("reads %j", (text, word) => {
    expect([...datesOfQuery(normalise(text), NOON)]).toEqual([word]);
  });

  it("takes both Fridays that next Friday may mean", () => {
    expect([...datesOfQuery("next friday", NOON)]).toEqual([day(2026, 5, 15), day(2026, 5, 22)]);
  });

  it.each([
    "you may go",
    "march on",
    "3个月",
    "for two weeks",
    "20235 people",
    "13月40号",
    "十三月",
    "八月初六",
    "一个月",
    "a monthly day",
  ])("reads no date in %j", (text) => {
    expect([...datesOfQuery(normalise(text), NOON)]).toEqual([]);
  });
});

describe("datesOfEntry()", () => {
  it("resolves what the text says against its time", () => {
    const words = datesOfEntry("we went yesterday, and again next month", NOON);
    expect([day(2026, 5, 12), "@a5-12", "@m2026-6", "@n6"].every((word) => words.has(word))).toBe(true);
  });

  it.each([
    ["6月3号去看牙", day(2026, 6, 3)],
    ["on 20 December", day(2025, 12, 20)],
    ["十月一日", day(2026, 10, 1)],
  ])("takes %j, which names no year, for the nearest one", (text, word) => {
    expect(datesOfEntry(normalise(text), NOON)).toContain(word);
  });

  it("has none for a time that is no time", () => {
    expect(datesOfEntry("yesterday", NaN).size).toBe(0);
    expect(datesOfEntry("yesterday", 1e300).size).toBe(0);
  });
});

describe("datesOfDay()", () => {
  it("gives the day, its week, month and year, and the day and month of any year", () => {
    const words = [day(2026, 5, 13), week(2026, 5, 11), "@m2026-5", "@y2026", "@a5-13", "@n5"];
    expect([...datesOfDay(Math.floor(NOON / 86_400_000))].sort()).toEqual(words.sort());
    expect(datesOfDay(NaN).size).toBe(0);
  });
});

describe("withoutDates()", () => {
  it.each([
    ["我三月五号做了什么", "我 做了什么"],
    ["上周五和谁吃饭", " 和谁吃饭"],
    ["昨天的会", " 的会"],
    ["in 2023 they met", "in   they met"],
  ])("leaves of %j what is no date", (text, rest) => {
    expect(withoutDates(normalise(text))).toBe(rest);
  });
});
