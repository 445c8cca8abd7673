import { describe, expect, it } from "vitest";
import { shippedIntents } from "../../adapters/models/offline/index.ts";
import { createMatcher } from "../../adapters/models/offline/matcher.ts";
import { ask, everyTool, offering } from "./ask.ts";
import { phrasings } from "./offline-phrasings.ts";

const match = createMatcher(shippedIntents);
const rows = Object.entries(phrasings).flatMap(([intent, languages]) =>
  (["en", "zh"] as const).flatMap((language) =>
    languages[language].map(([said, expected]) => ({ intent, language, said, expected })),
  ),
);

describe("the offline model's intents", () => {
  it.each(rows)("understands “$said” as $intent", async ({ intent, language, said, expected }) => {
    expect(match(said)).toMatchObject({ intent: { name: intent }, language });
    const answer = await ask(said);
    if (typeof expected === "string") expect(answer).toContain(expected);
    else expect(answer).toEqual([expected]);
  });

  it("has a table of at least five phrasings in each language for every intent, and none for others", () => {
    expect(Object.keys(phrasings).toSorted()).toEqual(shippedIntents.map(({ name }) => name).toSorted());
    for (const [name, { en, zh }] of Object.entries(phrasings)) {
      expect([name, en.length >= 5, zh.length >= 5]).toEqual([name, true, true]);
    }
    for (const intent of shippedIntents) {
      expect([intent.name, intent.phrasings.en.length >= 5, intent.phrasings.zh.length >= 5]).toEqual([
        intent.name,
        true,
        true,
      ]);
    }
  });

  it.each(shippedIntents.filter(({ help }) => help !== undefined))(
    "understands the example of $name in its own help",
    ({ name, help }) => {
      for (const language of ["en", "zh"] as const) {
        expect(match(help?.[language][1] ?? "")).toMatchObject({ intent: { name }, language });
      }
    },
  );

  it.each(shippedIntents.filter(({ tools }) => tools.length > 0))(
    "says that it cannot $name without its tool",
    async ({ name, tools }) => {
      const [missing = ""] = tools;
      const without = offering(everyTool.filter((tool) => tool !== missing));
      for (const [said] of [...(phrasings[name]?.en ?? []), ...(phrasings[name]?.zh ?? [])]) {
        const answer = await ask(said, { tools: without });
        expect(answer).toMatch(new RegExp(`(I cannot do that here|这里做不到).*${missing}`));
      }
    },
  );

  it.each([
    "why is the sky blue?",
    "write me a poem about the sea",
    "call me later",
    "read https://example.com/a.txt",
    "read between the lines",
    "say something nice",
    "run it again",
    "run away",
    "teach me every day at 9",
    "tell me a joke",
    "delete notes.txt",
    "what makes trains run so fast?",
    "make a plan to visit Oslo, Bergen and Tromsø",
    "the plan is to leave, but not yet",
    "search your memory",
    "search for my files",
    "search for it",
    "step aside, that is done",
    "12345",
    "?!",
    "天为什么是蓝的？",
    "写一首关于大海的诗",
    "读书有什么好处",
    "说明一下这个问题",
    "你几点开会",
    "how do I bake bread?",
    "what should I cook tonight?",
    "why am I tired?",
    "where do you live?",
    "what is the weather like?",
    "我该怎么办？",
    "我们为什么要睡觉？",
    "删除 notes.txt",
    "给我讲个笑话",
    "搜索你的记忆",
    "搜索文件",
    "计划是什么，怎么样了",
    "第几步做完了",
    "叫他来",
  ])("does not guess at “%s”", async (said) => {
    expect(await ask(said)).toMatch(
      /^(I did not understand that\. Without a configured model I can only: |我没听懂。)/,
    );
  });

  it.each([
    ["I am tired", /^I have read that, /],
    ["I am hungry and want pizza", /^I have read that, /],
    ["My name is spelled with a k", /^I have read that, /],
    ["My name is not Ada", /^I have read that, /],
    ["我很累", /^我看到了，/],
    ["我叫了外卖", /^我看到了，/],
    ["I live in Oslo. Book me a table there.", /^I did not understand that\./],
    ["我住在上海。订一张桌子。", /^我没听懂。/],
  ])("says of “%s” no more than that it read it, and only where nothing is asked besides", async (said, expected) => {
    expect(await ask(said)).toMatch(expected);
  });

  it("names in its help only what the offered tools allow", async () => {
    for (const said of ["help", "whatever this is"]) {
      const all = await ask(said);
      expect(all).toContain("write a file");
      const few = await ask(said, { tools: offering(["time"]) });
      expect(few).toContain("tell the time");
      expect(few).not.toContain("write a file");
    }
    expect(await ask("帮助", { tools: [] })).not.toContain("报时");
    expect(await ask("help", { tools: offering(everyTool), toolChoice: { type: "none" } })).not.toContain(
      "tell the time",
    );
  });
});
