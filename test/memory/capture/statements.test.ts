import { describe, expect, it } from "vitest";
import { statements } from "../../../src/memory/index.ts";
const kindsOf = (text: string) => statements(text).map(({ slots }) => slots?.["kind"]);

describe("statements()", () => {
  it.each([
    "_I'm vegetarian_",
    "**I prefer tea**",
    "I   prefer   tea",
    "I prefer `pnpm` over `npm`.",
    "我喜欢用`vim`写代码",
    "I’m allergic to nuts",
    "ｉ ｐｒｅｆｅｒ ｔｅａ",
  ])("finds what is stated in %s, however it is written", (text) => {
    expect(statements(text).map(({ content }) => content)).toEqual([text]);
  });

  it.each([
    ["@wakebot always answer in French", "always answer in French"],
    ["@小助手 以后都用中文回答", "以后都用中文回答"],
    ["@wake_bot we decided to ship on Friday", "we decided to ship on Friday"],
    ["@wake_bot, our standup is at 9:30 from now on", "our standup is at 9:30 from now on"],
    ["@bot: I'm allergic to nuts", "I'm allergic to nuts"],
    ["@bot @ada we decided on blue", "we decided on blue"],
    ["@小助手 我住在上海", "我住在上海"],
    ["Hello! @bot I live in Oslo.", "I live in Oslo."],
    // Of whom is spoken, and not to whom.
    ["@ada and I decided to move the meeting to Tuesday", "@ada and I decided to move the meeting to Tuesday"],
    ["@ada decided to leave", "@ada decided to leave"],
  ])("keeps of %j what is said, and not to whom", (text, content) => {
    expect(statements(text).map((draft) => draft.content)).toEqual([content]);
  });

  it.each([
    ["我喜欢写作\n我对花生过敏", ["我喜欢写作", "我对花生过敏"]],
    ["我在银行做数据分析\n我对花生过敏", ["我在银行做数据分析", "我对花生过敏"]],
    ["我喜歡寫作\n我對花生過敏", ["我喜歡寫作", "我對花生過敏"]],
    ["我有一段话，请翻译：\n我住在北京", []],
    ["我需要翻译这段：我住在北京", []],
    ["幫我潤色：我住在北京", []],
  ])(
    "of %j keeps what people do themselves and the line behind it, sign by sign, but no material",
    (text, contents) => {
      expect(statements(text).map(({ content }) => content)).toEqual(contents);
    },
  );

  it.each([
    ["leaves out whom it speaks of", "been living in Lisbon since 2019", "从小在外婆家长大"],
    ["is typed in haste", "im vegan btw, dont ever suggest steak", "我吃素的啦"],
    ["names who speaks", "Marcus here, the new PM", "大家好，我是会计部的海伦"],
    ["gives a reason", "Since I'm left handed, scissors are a pain", "我对虾过敏，所以不去那家"],
    ["begins with when or where it holds", "At home we speak Tamil", "咖啡我只喝美式"],
    ["doubts beside it", "I'm learning the cello, but I'm not sure it is for me", "我最近在学大提琴，不知道怎么练"],
    ["asks for something beside it", "Please book us a table, I don't eat pork", "帮我订个位子，我不吃猪肉"],
    [
      "tells when something is to be done",
      "When you write mails for me, sign them with Lena",
      "给我写代码的话用TypeScript",
    ],
    ["is about a thing", "Fridays are my gym day", "早上对我来说最合适"],
    ["has its condition behind it", "Always use metric units, if you can", "我在减肥，如果推荐餐厅请注意"],
    ["is said in dialect or slang", "gonna hand in my thesis by the 15th", "我住喺沙田，唔飲酒"],
    ["mixes languages", "I like 王菲 a lot", "我们team用的是Slack"],
  ])("finds what a sentence states that %s", (_, english, chinese) => {
    expect(kindsOf(english)).toHaveLength(1);
    expect(kindsOf(chinese)).toHaveLength(1);
  });

  it.each([
    ["I'm vegetarian, what can I eat there?", "I'm vegetarian"],
    ["I live in Oslo, so when does the train leave?", "I live in Oslo"],
    ["我很喜欢绘画，有什么好的书可以推荐吗？", "我很喜欢绘画"],
  ])("of %s keeps what is stated before the question", (text, content) => {
    expect(statements(text).map((draft) => draft.content)).toEqual([content]);
  });

  it.each([
    "I'm vegetarian, am I?",
    "Do I like jazz, or do I prefer soul?",
    "am I allergic to cats",
    "what if I moved to Lisbon, I like the sea",
    "if I get the job we'll move to Oslo",
    "provided that I moved to Leeds, which school",
    "我该不该搬去北京",
    "如果拿到offer我们就搬去奥斯陆",
    "只要我搬去利兹，哪个学校好",
    "係咪我鍾意飲茶呀",
  ])("finds nothing in %s, which asks or supposes", (text) => {
    expect(statements(text)).toEqual([]);
  });

  it.each([
    ["a forwarded message", "Forwarded message from Ben:\nI'm moving to Lisbon in May and I need a flat."],
    ["a mail with its head", "From: anna@example.org\nSubject: move\n\nI moved to Leeds. My number is 555."],
    ["a forwarded Chinese message", "【转发】\n大家好，我是小楼，我养哈士奇。"],
    ["a Chinese chat log", "聊天记录如下：\n我住约克。\n我讨厌约克。"],
    ["a transcript", "Customer: I moved to a new address"],
    ["a Chinese transcript", "客户：我换地址了"],
    ["a chat with times", "[10:23] Bob: I'm allergic to nuts"],
    ["a Chinese chat with times", "[10:23] 张三：我住在北京"],
    ["a chat with dates", "12/05/2024, 10:23 - Bob: I'm allergic to nuts"],
    ["a chat with names above", "Bob, [12 May 2024 10:23]:\nI'm allergic to nuts"],
    ["a chat with names and times above", "Bob Smith  10:23 AM\nI'm allergic to nuts"],
    ["a chat with nicknames", "10:23 <bob> I live in Oslo"],
    ["a numbered speaker", "Bob (7): I live in Oslo."],
    ["the code of a door", "My door code is 4711. My gate code is #1234."],
    ["the code of a Chinese door", "我的门锁码是1234"],
    ["a code that was sent", "My 2FA code is 123456. My verification code is 889123."],
    ["what recovers an account", "My recovery phrase is apple banana. My passkey is on my phone."],
    ["a login", "my login is erik and my pw is abc123"],
    ["the number of a card", "My card number is 4111 1111. My Visa is 4111 1111 1111 1111."],
    ["a social security number", "My social security number is 4. I am 078-05-1120."],
    ["a short quotation", '"I live in Rome" is what the sign said'],
    ["a short Chinese quotation", "“我住罗马”是牌子上写的"],
    ["single quotation marks", "the sign says 'I'm from Rome and I like it'"],
    ["what others say", "my mum is like what my aunt says, she told me I am rude"],
    ["a song", "♪ I'm walking on sunshine ♪"],
    ["a comment", "// I use tabs here"],
    ["JSON", '{"name": "Lou", "note": "I prefer mail"}'],
    ["an assignment", 'name = "I like tea"'],
    ["a role", "my character is allergic to silver"],
    ["a Chinese role", "我的角色对银过敏"],
    ["laughter", "haha I'm totally a morning person 🙄"],
    ["Chinese laughter", "我跟电脑结婚了哈哈哈"],
    ["a joke that is taken back", "I love spinach. Just kidding."],
    ["a Chinese joke", "骗你的，我爱吃菠菜"],
    ["what is over", "I used to live in Rome"],
    ["what is over in Chinese", "我以前住在罗马"],
    ["an instruction for once", "answer in French just this once"],
    ["a Chinese instruction for once", "就这一次用法语回答"],
    ["the taste of a friend", "My friend is vegan. What can I cook?"],
    ["the taste of a Chinese friend", "我朋友住板橋，很爱吃辣"],
    ["what goes on at the moment", "我正在装驱动，我看不懂这个报错"],
  ])("finds nothing in %s: it is not what the person states", (_, text) => {
    expect(statements(text)).toEqual([]);
  });

  it.each([
    "ok will do, I'll send you the invoice by Friday",
    "周五我把发票发过去",
    "no I meant Tuesday, the meeting is on Tuesday",
    "不对，我说的是周二，会议在周二",
  ])("keeps %s whole, with its date", (text) => {
    expect(statements(text).map(({ content }) => content)).toEqual([text]);
  });

  it("keeps the sentence as it was said, with its kind", () => {
    expect(statements("Hi there! I'm allergic to peanuts. What's for lunch?")).toEqual([
      {
        content: "I'm allergic to peanuts.",
        keywords: ["fact"],
        slots: { type: "statement", source: "conversation", kind: "fact", lasting: true },
      },
    ]);
  });

  it.each([
    ["From now on, answer me in French.", true],
    ["Call me Robin.", true],
    ["Always use metric units.", true],
    ["以后请用中文回答我。", true],
    ["我对花生过敏。", true],
    ["记住，钥匙在隔壁。", true],
    ["I prefer tea.", true],
    ["We decided to move the launch to March.", false],
    ["我喜欢靠窗的座位。", true],
    ["My passport is in the top drawer.", true],
    ["I'm renting in Oslo until March.", false],
    ["I'll call the plumber on Monday.", false],
    ["我现在住在杭州。", false],
    ["I currently live in Lund.", false],
    ["Currently I live in Lund.", false],
    ["I'm currently living in Lund.", false],
  ])("says of %s whether it was stated as lasting", (text, lasting) => {
    expect(statements(text)[0]?.slots?.["lasting"] ?? false).toBe(lasting);
  });

  it.each([
    ["a translation", "Translate the following: I am allergic to peanuts. I prefer tea."],
    ["a request with its material", "请翻译下面的句子：我对花生过敏。我喜欢喝茶。"],
    ["code", "Look at this:\n```\n// I prefer tabs.\n```"],
    ["code in a line", "Type `I prefer tea` or `我喜欢喝红茶` there."],
    ["a quoted mail", "> I prefer the window seat.\n> I live in Rome."],
    ["a password", "My wifi password is hunter2hunter2."],
    ["a Chinese password", "我的邮箱密码是abc12345。"],
    ["nothing", ""],
    ["a sign", "👍"],
  ])("finds nothing in %s", (_, text) => {
    expect(statements(text)).toEqual([]);
  });

  it("finds several in one message, up to five", () => {
    const text = "I live in Oslo. I have two cats. I prefer tea.";
    expect(statements(text).map(({ content }) => content)).toEqual([
      "I live in Oslo.",
      "I have two cats.",
      "I prefer tea.",
    ]);
    expect(statements(`${text} ${text}`)).toHaveLength(5);
  });

  it("finds nothing in a question, unless it asks how things are done for good", () => {
    expect(statements("My sister lives in Oslo, doesn't she?")).toEqual([]);
    expect(statements("When does the train leave, I live in Oslo?")).toEqual([]);
    expect(kindsOf("Can you always answer me in French?")).toEqual(["preference"]);
    expect(kindsOf("Can you al**ways** answer me in French?")).toEqual(kindsOf("Can you always answer me in French?"));
    expect(kindsOf("Which one? I live in Oslo.")).toEqual(["fact"]);
  });

  it("reads only the beginning of a long document", () => {
    expect(statements(`${"The report goes on. ".repeat(200)} I live in Oslo.`)).toEqual([]);
  });
});
