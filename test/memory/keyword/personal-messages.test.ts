import { describe, expect, it } from "vitest";
import { createKeywordIndex } from "../../../src/memory/index.ts";
import { entry } from "./documents.ts";

// Short messages as people leave them for an assistant, all about one person's life, among two hundred of the same kind about other people.

const MESSAGES = [
  "我老板叫韩振宇，是做建材生意起家的。",
  "韩振宇的生日是8月19号，记得提前订蛋糕。",
  "老板办公室在国贸三期的26楼。",
  "我下周三上午十点要去市图书馆听古建筑讲座。",
  "古建筑讲座大概有八十个人参加。",
  "我表妹叫苏晓棠，在苏州一家医院当护士。",
  "苏晓棠的手机号是13900001234。",
  "苏晓棠平时最喜欢做陶艺。",
  "我对花生过敏，点外卖要注意。",
];
const QUESTIONS: readonly (readonly [string, readonly number[]])[] = [
  ["我老板叫什么名字？", [0]],
  ["韩振宇的生日是哪天？", [1]],
  ["老板的办公室在哪一层？", [2]],
  ["我下周三要做什么？", [3]],
  ["古建筑讲座在哪里听，有多少人参加？", [3, 4]],
  ["我表妹是做什么工作的？", [5]],
  ["苏晓棠的手机号码是多少？", [6]],
  ["苏晓棠有什么爱好，喜欢做什么？", [7]],
  ["点外卖的时候我不能吃什么，对什么过敏？", [8]],
];

const NAMES = ["林婉秋", "高建军", "唐诗雨", "彭浩", "叶青", "邓子墨", "罗文静", "贺一鸣", "方雪", "石磊"];
const ROLES = ["同事", "姐姐", "邻居", "叔叔", "同学", "下属", "舅舅", "室友", "客户", "教练"];
const SENTENCES = [
  (name: string, role: string) => `我${role}叫${name}，人很热心。`,
  (name: string) => `${name}的老家在西安，过年才回去。`,
  (name: string) => `${name}在一家广告公司做设计师。`,
  (name: string) => `${name}的邮箱换成了公司的。`,
  (name: string) => `${name}今年刚满三十岁。`,
  (_: string, role: string) => `我${role}周末喜欢去爬山。`,
  (_: string, role: string) => `下个月要和${role}一起去看演唱会。`,
  (name: string) => `${name}身高一米七八，打篮球很厉害。`,
  (name: string, role: string) => `${role}${name}借走了我的相机。`,
  (_: string, role: string) => `周五晚上七点和${role}在火锅店聚餐。`,
  (name: string) => `${name}是硕士毕业，学的是化学。`,
  (_: string, role: string) => `给${role}挑的礼物放在书房里。`,
];

function messagesAmongOthers() {
  const index = createKeywordIndex({ segmentAt: 64 });
  for (let at = 0; at < 200; at += 1) {
    const sentence = SENTENCES[at % SENTENCES.length]!;
    const [name, role] = [NAMES[(at * 7) % NAMES.length]!, ROLES[(at * 3 + Math.floor(at / 10)) % ROLES.length]!];
    index.add(entry(`other${at}`, sentence(name, role)));
    const own = MESSAGES[(at - 5) / 20];
    if (own) index.add(entry(`own${(at - 5) / 20}`, own, { createdAtMs: Date.UTC(2026, 4, 13) + at * 3_600_000 }));
  }
  return index;
}

describe("short Chinese messages", () => {
  const index = messagesAmongOthers();
  const found = (text: string, limit: number) =>
    index.search({ text, nowMs: Date.UTC(2026, 4, 15), limit }).map(({ id }) => id);

  it.each(QUESTIONS)("answer %j within the first five", (question, messages) => {
    expect(found(question, 5)).toEqual(expect.arrayContaining(messages.map((at) => `own${at}`)));
  });

  it("answer most questions with the first hit", () => {
    const first = QUESTIONS.filter(([question, messages]) =>
      messages.some((at) => found(question, 1)[0] === `own${at}`),
    );
    expect(first.length).toBeGreaterThanOrEqual(7);
  });

  it("lend each other nothing, though they lie minutes apart", () => {
    const signals = QUESTIONS.flatMap(([text]) => index.search({ text, nowMs: 0, limit: 20 })).map(
      ({ signals }) => signals,
    );
    expect(signals.every(({ neighbours }) => neighbours === undefined)).toBe(true);
  });
});
