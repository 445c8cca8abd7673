import { describe, expect, it } from "vitest";
import { offlineModel } from "../../adapters/models/offline/index.ts";
import { type Assistant, createAssistant, memoryStore } from "../../entry.host.ts";

async function withAssistant(body: (assistant: Assistant) => Promise<void>): Promise<void> {
  const store = memoryStore();
  const assistant = await createAssistant({ model: offlineModel(), store, queue: { debounceMs: 0 } });
  try {
    await body(assistant);
  } finally {
    await assistant.stop({ graceMs: 1000 });
  }
}

describe("an assistant with the offline model, asked as README asks it", () => {
  it.each([
    {
      language: "English",
      dialogue: [
        ["remember that my dentist is Doctor Ada", /I will remember: my dentist is Doctor Ada/],
        ["what do you know about my dentist", /^I remember:\n- \d{4}-\d\d-\d\d: my dentist is Doctor Ada$/],
        ["forget my dentist", /Forgotten: my dentist is Doctor Ada/],
        ["what do you know about my dentist", /I remember nothing about that/],
      ],
    },
    {
      language: "Chinese",
      dialogue: [
        ["记住我的牙医是王医生", /王医生/],
        ["关于牙医你记得什么？", /^我记得：\n- \d{4}-\d\d-\d\d: .*王医生/],
        ["忘掉我的牙医", /已忘掉.*王医生/],
        ["关于牙医你记得什么？", /我没有记住这方面的内容/],
      ],
    },
  ] as const)("remembers, tells and forgets in $language", async ({ dialogue }) => {
    await withAssistant(async (assistant) => {
      for (const [text, said] of dialogue) expect((await assistant.send({ text, user: "app:ada" })).text).toMatch(said);
    });
  });

  it("asks which of several it shall forget, and forgets that one", async () => {
    await withAssistant(async (assistant) => {
      const say = async (text: string) => (await assistant.send({ text, user: "app:ada" })).text;
      await say("remember that I prefer green tea");
      await say("remember that I prefer oat milk in tea");
      expect(await say("forget about tea")).toMatch(/Which number shall I forget\?\n1\. /);
      expect(await say("1")).toMatch(/^Forgotten/);
      expect((await say("what do you know about tea?")).match(/^- /gm)).toHaveLength(1);
    });
  });
});

it.each([
  ["remember that I like tea\nthanks", "I like tea"],
  ["remember that I like tea.\n\nThank you so much!", "I like tea."],
  ["remember that I like tea, thanks", "I like tea"],
  ["Remember:\n- milk\n- eggs\nThanks", "- milk\n- eggs"],
  ["记住我喜欢喝茶\n谢谢！", "我喜欢喝茶"],
  ["remember that I owe Tom\nthank you cards", "I owe Tom\nthank you cards"],
  ["remember that the password is thanks", "the password is thanks"],
])("thanks behind what is to be remembered are none of it: %j", async (text, kept) => {
  await withAssistant(async (assistant) => {
    expect((await assistant.send({ text })).text).toContain(kept);
    const entries = [];
    for await (const { content } of assistant.memory.list("sdk")) entries.push(content);
    expect(entries).toEqual([kept]);
  });
});
