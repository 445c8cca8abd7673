import { describe, expect, it } from "vitest";
import { offlineModel } from "../../adapters/models/offline/index.ts";
import type { SearchProvider } from "../../kit.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

const open = (more: Pick<TestAssistantOptions, "search" | "agent"> = {}) =>
  testAssistant({
    owner: { ids: ["memory:42"] },
    queue: { debounceMs: 0 },
    memory: { enabled: false },
    model: offlineModel(),
    ...more,
  });

type Dialogue = readonly (readonly [said: string, answered: string])[];

async function expectDialogue(t: Awaited<ReturnType<typeof open>>, dialogue: Dialogue, from = "42"): Promise<void> {
  for (const [said, answered] of dialogue) expect(await t.say(said, { from }), said).toBe(answered);
}

describe("the offline model, asked for a plan", () => {
  it.each<{ language: string; dialogue: Dialogue }>([
    {
      language: "English",
      dialogue: [
        ["show me the plan", "There is no plan yet."],
        ["make a plan: buy flour, bake, eat", "The plan (0 of 3 done):\n1. ☐ buy flour\n2. ☐ bake\n3. ☐ eat"],
        ["step 2 is done", "The plan (1 of 3 done):\n1. ☐ buy flour\n2. ☑ bake\n3. ☐ eat"],
        ["check off step one", "The plan (2 of 3 done):\n1. ☑ buy flour\n2. ☑ bake\n3. ☐ eat"],
        ["step 7 is done", "The plan has no step 7."],
        ["what's our plan?", "The plan (2 of 3 done):\n1. ☑ buy flour\n2. ☑ bake\n3. ☐ eat"],
        ["drop the plan", "I dropped the plan."],
        ["what's our plan?", "There is no plan yet."],
      ],
    },
    {
      language: "Chinese",
      dialogue: [
        ["看看计划", "还没有计划。"],
        ["制定计划：买面粉、烤、吃", "计划（0/3）：\n1. ☐ 买面粉\n2. ☐ 烤\n3. ☐ 吃"],
        ["第二步做完了", "计划（1/3）：\n1. ☐ 买面粉\n2. ☑ 烤\n3. ☐ 吃"],
        ["第九步做完了", "计划没有第 9 步。"],
        ["计划进行得怎么样了？", "计划（1/3）：\n1. ☐ 买面粉\n2. ☑ 烤\n3. ☐ 吃"],
        ["取消计划", "计划已取消。"],
        ["看看计划", "还没有计划。"],
      ],
    },
  ])("makes it, shows it, checks off steps and drops it in $language", async ({ dialogue }) => {
    await expectDialogue(await open(), dialogue);
  });

  it.each([
    ["make a plan", "Which steps? Put commas between them.", "pack, lock the door", "2. ☐ lock the door"],
    ["做个计划", "计划有哪几步？请用逗号隔开。", "收拾行李，锁门", "2. ☐ 锁门"],
  ])("asks for the steps after “%s”", async (said, asked, steps, shown) => {
    const t = await open();
    expect(await t.say(said)).toBe(asked);
    expect(await t.say(steps)).toContain(shown);
  });
});

describe("the offline model, asked for artifacts", () => {
  it.each<{ language: string; dialogue: Dialogue }>([
    {
      language: "English",
      dialogue: [
        ["list artifacts", "There are no artifacts yet."],
        ["read the artifact poem.txt", "There is no artifact called poem.txt."],
        ["keep an artifact called poem.txt with the text roses are red", "I kept the artifact poem.txt."],
        ["save violets are blue as an artifact called more.txt", "I kept the artifact more.txt."],
        ["which artifacts do we have?", "Artifacts:\n- more.txt (16 B)\n- poem.txt (13 B)"],
        ["read the artifact Poem.txt", "roses are red"],
      ],
    },
    {
      language: "Chinese",
      dialogue: [
        ["有哪些文稿？", "还没有文稿。"],
        ["打开文稿诗.txt", "没有叫“诗.txt”的文稿。"],
        ["新建文稿诗.txt，内容是床前明月光", "文稿已保存：诗.txt"],
        ["列出文稿", "文稿：\n- 诗.txt (15 B)"],
        ["文稿诗.txt里写了什么？", "床前明月光"],
      ],
    },
  ])("keeps, lists and reads them in $language", async ({ dialogue }) => {
    await expectDialogue(await open(), dialogue);
  });

  it("says how much of a long one it does not show", async () => {
    const t = await open();
    await t.say(`keep an artifact called long.txt with the text ${"x".repeat(12_100)}`);
    await t.say("read the artifact long.txt");
    expect(t.channel.textsTo("42").join("")).toMatch(/x{2000}\n… \(100 more characters\)$/);
  });
});

describe("the offline model, asked for its notes about a person", () => {
  it.each([
    ["the owner", "42"],
    ["a stranger", "7"],
  ])("writes and reads those of %s in a direct chat, and no one else's", async (_, from) => {
    const t = await open();
    await expectDialogue(
      t,
      [
        ["show me your notes about me", "I have no notes about you yet."],
        ["put in your notes about me that I work nights", "Noted about you: I work nights"],
        ["把我会拉大提琴写进你关于我的笔记里", "已写进笔记：我会拉大提琴"],
        ["what's in your notes on me?", "- 2026-01-05 I work nights\n- 2026-01-05 我会拉大提琴"],
        ["看看你关于我的笔记", "- 2026-01-05 I work nights\n- 2026-01-05 我会拉大提琴"],
      ],
      from,
    );
    await expectDialogue(t, [["你关于我的笔记里写了什么？", "还没有笔记。"]], "9");
  });

  it("says that it may not as an agent of another name", async () => {
    const t = await open({ agent: { id: "work" } });
    expect(await t.say("show me your notes about me")).toBe("I could not read them: permission denied");
  });

  it.each([
    ["add a note about me: I am left-handed", "I could not note it: "],
    ["在关于我的笔记里写上我上夜班", "没能写下："],
    ["show me your notes about me", "I could not read them: "],
    ["看看你关于我的笔记", "没能读到："],
  ])("says to “%s” in a group, where others listen, that it could not", async (said, answered) => {
    const t = await open();
    expect(await t.say(said, { group: "g", mentioned: true })).toContain(answered);
  });
});

describe("the offline model, asked to search the web", () => {
  const openWith = (search: SearchProvider["search"]) => open({ search: { providers: [{ name: "harbour", search }] } });

  it.each([
    ["search the web for tide tables", "tide tables", "This is what I found:"],
    ["上网搜一下潮汐表", "潮汐表", "搜索结果："],
  ])("answers “%s” with what was found", async (said, query, head) => {
    const asked: string[] = [];
    const t = await openWith(async (words) => {
      asked.push(words);
      return [
        { title: "Tides", url: "https://tides.example/today", snippet: "High water at nine." },
        { title: "Moon", url: "https://moon.example/", snippet: "" },
      ];
    });
    expect(await t.say(said)).toBe(
      `${head}\n- Tides\n  https://tides.example/today\n  High water at nine.\n- Moon\n  https://moon.example/`,
    );
    expect(asked).toEqual([query]);
  });

  it.each([
    ["search the web for tide tables", "I found nothing."],
    ["上网搜一下潮汐表", "没有找到结果。"],
  ])("says after “%s” that nothing was found", async (said, answered) => {
    const t = await openWith(async () => []);
    expect(await t.say(said)).toBe(answered);
  });

  it("says so when the engine fails, and when there is none", async () => {
    const t = await openWith(() => Promise.reject(new Error("out of order")));
    expect(await t.say("search the web for tide tables")).toContain("harbour: out of order");
    expect(await (await open()).say("search the web for tide tables")).toContain("I have not got the tool web_search");
  });
});

describe("the offline model as a sub-agent", () => {
  it.each([
    ["write the file tea.txt with green", "Written to tea.txt."],
    ["把绿茶写入 tea.txt", "已写入 tea.txt。"],
  ])("does what is handed on to it: %s", async (task, result) => {
    const t = await open();
    const done = await t.during(t.assistant.tools.run("subagent", { task }, { user: "memory:42" }));
    expect(done).toMatchObject({ ok: true, output: { state: "done", result } });
  });
});
