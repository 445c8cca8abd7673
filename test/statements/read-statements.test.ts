import { describe, expect, it } from "vitest";
import { readStatements } from "../../src/statements/index.ts";
import { BY_OTHERS, BY_OTHERS_CHINESE } from "./by-others.ts";
import { DICTATED } from "./dictated.ts";
import { FRESH } from "./fresh.ts";
import { HELD_BACK } from "./held-back.ts";
import type { Labelled } from "./labelled.ts";
import * as earlier from "./labelled-statements.ts";
import { TUNED } from "./tuned.ts";

const kindsOf = (text: string) => readStatements(text).flatMap(({ kind }) => kind ?? []);

/** Shares: of statements that are kept; of what is kept that has the wrong kind or states nothing; of sentences that state nothing and are kept. */
function measure({ positive, negative }: Labelled) {
  const kept = positive.filter(([, text]) => kindsOf(text).length > 0);
  const misread = kept.filter(([kinds, text]) => !kindsOf(text).some((kind) => kinds.includes(kind)));
  const wrong = negative.filter((text) => kindsOf(text).length > 0);
  return {
    kept: kept.length / positive.length,
    wrong: (misread.length + wrong.length) / (positive.length + negative.length),
  };
}

describe("readStatements()", () => {
  it.each([
    { set: "English sentences", leastKept: 0.97, mostWrong: 0.01, labelled: TUNED.english },
    { set: "Chinese sentences", leastKept: 0.97, mostWrong: 0.01, labelled: TUNED.chinese },
    { set: "English messages typed in haste", leastKept: 0.94, mostWrong: 0.03, labelled: DICTATED.english },
    { set: "Chinese messages typed in haste", leastKept: 0.94, mostWrong: 0.03, labelled: DICTATED.chinese },
    { set: "English messages written without the rules", leastKept: 0.87, mostWrong: 0.01, labelled: BY_OTHERS },
    {
      set: "Chinese sentences written without the rules",
      leastKept: 0.95,
      mostWrong: 0.02,
      labelled: BY_OTHERS_CHINESE,
    },
    { set: "earlier English sentences", leastKept: 0.97, mostWrong: 0.02, labelled: earlier.ENGLISH },
    { set: "earlier Chinese sentences", leastKept: 0.97, mostWrong: 0.02, labelled: earlier.CHINESE },
    { set: "English sentences that were held back", leastKept: 0.9, mostWrong: 0.03, labelled: HELD_BACK.english },
    { set: "Chinese sentences that were held back", leastKept: 0.9, mostWrong: 0.03, labelled: HELD_BACK.chinese },
    { set: "English sentences written last", leastKept: 0.9, mostWrong: 0.03, labelled: FRESH.english },
    { set: "Chinese sentences written last", leastKept: 0.75, mostWrong: 0.04, labelled: FRESH.chinese },
    {
      set: "earlier English sentences held back",
      leastKept: 0.95,
      mostWrong: 0.03,
      labelled: earlier.ENGLISH_HELD_BACK,
    },
    {
      set: "earlier Chinese sentences held back",
      leastKept: 0.95,
      mostWrong: 0.04,
      labelled: earlier.CHINESE_HELD_BACK,
    },
  ])(
    "keeps what people state in $set, as what it is, and hardly anything else",
    ({ leastKept, mostWrong, labelled }) => {
      const { kept, wrong } = measure(labelled);
      expect(kept).toBeGreaterThanOrEqual(leastKept);
      expect(wrong).toBeLessThanOrEqual(mostWrong);
    },
  );

  it.each([
    "My name's Erik.",
    "My dog's name's Rex",
    "I was laid off in May",
    "我失业了",
    "我被裁员了",
    "I almost always take the bus to work",
    "I live in Peace River",
    "I live in Hell, Norway",
    "I am in debt",
    "我快退休了",
    "我家处在三环",
    "My best friend is called Lena",
    "i moved to leeds lol",
    "we have three cats haha",
    "im vegan lol",
    "我不喜欢这座城市的冬天",
    "my pension's paid by the county",
    "There's still 90,000 left on our mortgage",
    "我最好的朋友叫小雯",
  ])("keeps %s as a fact", (text) => expect(kindsOf(text)).toEqual(["fact"]));

  it.each(["我周五把养老金表格发给安娜", "我周五给安娜买生日蛋糕", "我下周把合同寄给房东", "我下个月一号正式入职"])(
    "keeps %s as a commitment, whatever it is about",
    (text) => expect(kindsOf(text)).toEqual(["commitment"]),
  );

  it.each([
    "I almost bought a Tesla",
    "lol i moved to leeds",
    "i moved to leeds, lol",
    "i moved to leeds lol 🙄",
    "i'm a potato haha",
    "im allergic to mondays lol",
    "call me captain obvious lol",
    "Actually it's a bug, not a feature",
    "actually it's not working",
    "We nearly sold the house",
    "I did not say that I like tea",
    "I dream of living in Paris",
    "I thought I was allergic to nuts",
    "我想有一只猫",
    "我想在上海工作",
    "我梦见我住在巴黎",
    "我想住在巴黎",
    "我很想去日本住",
    "我没失业",
    "I live in fear",
    "my phone's at four percent",
    "Peanut allergies are common",
    "我明天给你打电话",
    "我周五给安娜买什么礼物？",
    "since the update i can't log in",
    "we're at 30 percent",
    "child process exits with code 1",
    "two boys and a wolf, a story please",
    "the function i use returns null",
    "there's a spider in my kitchen",
    "we called the function twice",
    "started the server",
    "lost my train of thought",
    "have a nice day",
    "We are living in constant fear of a flood",
    "I live in the past",
    "I'm in trouble",
    "I'm in hot water",
    "我快失业了",
    "我要被裁了",
    "我生活在恐惧里",
    "我陷入困境",
    "我不舒服",
    "我不满意",
    "我不相信",
    "我不急",
    "我不在家",
    "我不喜欢这个",
    "我不喜欢你这样说",
    "我不习惯这样",
    "我不高兴",
    "我不放心",
    "我不方便",
    "我不好意思",
    "我不得不走",
    "我爸回来了",
    "我妈打电话来了",
    "我儿子发烧了",
    "我老婆生气了",
    "我老板让我加班",
    "我一直在等",
    "我准备睡觉",
    "我妈说我胖",
  ])("keeps nothing of %s", (text) => expect(readStatements(text)).toEqual([]));

  it("keeps no laughter that ends a sentence", () =>
    expect(readStatements("i moved to leeds lol. we have two cats hahaha!").map(({ text }) => text)).toEqual([
      "i moved to leeds",
      "we have two cats",
    ]));

  it.each([
    ["hi im living in oslo, what should i cook tonight", "hi im living in oslo"],
    ["my visa runs out on 3 september, what happens if i overstay", "my visa runs out on 3 september"],
    ["我怀孕五个月了能坐飞机吗", "我怀孕五个月了"],
    ["我近视六百度 能做手术吗", "我近视六百度"],
    ["我吃素，有什么推荐吗？", "我吃素"],
  ])("keeps of %s what stands before the question", (text, stated) =>
    expect(readStatements(text).map((read) => read.text)).toEqual([stated]),
  );

  it.each([
    ["the spare key is with my neighbor in 4b", "fact"],
    ["my dishwasher is a bosch from 2016", "fact"],
    ["now i only have one cat", "fact"],
    ["i got fired yesterday", "fact"],
    ["half of my family is bulgarian", "fact"],
    ["ok we decided no puppy this year", "decision"],
    ["我在工地上干活", "fact"],
    ["actually it's Bergen, not Oslo", "fact"],
    ["my horse is lame since tuesday", "fact"],
    ["we got a tabby cat yesterday", "fact"],
  ])("takes %s for a %s", (text, kind) => expect(kindsOf(text)).toEqual([kind]));
});
