import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { describe, expect, it } from "vitest";
import { offlineModel } from "../../adapters/models/offline/index.ts";
import type { SkillRegistry } from "../../kit.ts";
import { greet, shelfRegistry } from "../skills/install/support.ts";
import { testAssistant } from "../support/assistant.ts";
import { ask, assistant, ran, user } from "./ask.ts";

/** What is said when the tool that is asked for gave this. */
async function told(said: string, output: unknown): Promise<unknown> {
  const called = await ask(said);
  if (typeof called === "string") throw new Error(`${said} called nothing: ${called}`);
  return ask([user(said), ...ran(called, [output])]);
}

const activated = (...names: readonly string[]): LanguageModelV4Prompt[number] =>
  user(
    [
      "# Activated skills",
      ...names.map(
        (name) =>
          `<wakeful-skill name="${name}" confidence="0.75" origin="sha256:0123">\nremind me in 5 minutes to leave\n</wakeful-skill>`,
      ),
    ].join("\n\n"),
  );

describe("the offline model, asked about skills", () => {
  const skills = [
    { name: "news", description: "Reads\nthe news", place: "built-in" },
    { name: "tea", description: "Makes tea" },
  ];

  it.each([
    {
      said: "which skills do you have?",
      output: { skills },
      answer: "Skills:\n- news: Reads the news\n- tea: Makes tea",
    },
    { said: "你有哪些技能？", output: skills, answer: "技能：\n- news: Reads the news\n- tea: Makes tea" },
    { said: "list your skills", output: { skills: [] }, answer: "There are no such skills." },
    { said: "do you have a skill for cooking?", output: { skills: [skills[1]] }, answer: "Skills:\n- tea: Makes tea" },
    {
      said: "show skill tea",
      output: { ...skills[1], text: "1. Boil water" },
      answer: "tea: Makes tea\n\n1. Boil water",
    },
    {
      said: "what does the tea skill do?",
      output: { name: "tea", instructions: "1. Boil water", files: ["cups.md"] },
      answer: "tea\n\n1. Boil water",
    },
    {
      said: "use skill tea",
      output: { name: "tea", text: "1. Boil water" },
      answer:
        "I am the offline model and understand no text, so I cannot follow the skill tea; a configured model would. This is what it says:\ntea\n\n1. Boil water",
    },
    { said: "that skill helped", output: { activations: 3 }, answer: "Noted: it helped." },
    { said: "这个技能没用", output: { activations: 3 }, answer: "记下了：没有帮助。" },
    { said: "yes, make it a skill", output: { skill: "page-to-note" }, answer: "It is a skill now: page-to-note" },
    { said: "no, not as a skill", output: {}, answer: "All right: I do not suggest it again." },
    {
      said: "find a skill for tea",
      output: {
        skills: [{ slug: "ann/tea", name: "tea", description: "Makes tea", registry: "hub" }],
        failed: [{ registry: "far", reason: "no answer" }],
      },
      answer: "These skills can be installed:\n- ann/tea (hub): Makes tea\nfar could not be asked.",
    },
    { said: "找一个泡茶的技能", output: { skills: [] }, answer: "没有找到这样的技能。" },
    {
      said: "install skill tea",
      output: { name: "tea", version: "1.2.0" },
      answer: "The skill tea 1.2.0 is installed.",
    },
    {
      said: "安装技能 tea",
      output: { name: "tea", verdict: "suspicious", note: "The registry calls it suspicious" },
      answer: "技能 tea 已安装，但技能库认为它可疑：所有者同意之后才会使用。",
    },
    {
      said: "install skill tea",
      output: { ok: false, error: "No registry has it" },
      answer: "That did not work: No registry has it",
    },
    {
      said: "install skill tea",
      output: "awaiting approval 7KXQ2M: install_skill",
      answer: "That waits for the owner's approval (7KXQ2M); nothing ran yet.",
    },
  ])("answers “$said” with what came back", async ({ said, output, answer }) => {
    expect(await told(said, output)).toBe(answer);
  });

  it.each(["use a skill", "install the skill", "show me the skill", "用技能", "it helps to sleep", "没用的东西"])(
    "does not guess which skill “%s” means",
    async (said) => {
      expect(await ask(said)).toMatch(/^(I did not understand that|我没听懂)/);
    },
  );
});

describe("the offline model, with a registry", () => {
  it("names what find_skills gives, and says when that is nothing", async () => {
    const hub = shelfRegistry("hub", { greet: { archive: greet(), meta: {} } });
    const search: SkillRegistry["search"] = async (query) => (query === "tea" ? [] : hub.search(query));
    const t = await testAssistant({ model: offlineModel(), registries: [{ ...hub, search }] });
    const say = async (text: string) => (await t.assistant.send({ text })).text;
    expect(await say("find a skill for greetings")).toBe("These skills can be installed:\n- greet (hub): About greet");
    expect(await say("find a skill for tea")).toBe("I found no skill for that.");
  });
});

describe("skills that came into a turn of the offline model", () => {
  it("are named when it does not understand the request, and are no request themselves", async () => {
    expect(await ask([activated("brew-tea"), user("tea would be nice")])).toMatch(
      /^I did not understand that\. [^\n]*\nThe skill brew-tea fits this and would be followed, but I am the offline model and understand no text\.$/,
    );
    expect(await ask([activated("brew-tea", "news"), user("来杯茶多好")])).toMatch(
      /^我没听懂。[^\n]*\n技能 brew-tea, news 适合这件事：模型会照着做，但我是离线模型，读不懂文字。$/,
    );
  });

  it("change nothing about what it does understand", async () => {
    expect(await ask([activated("brew-tea"), user("read notes.txt")])).toEqual([["file_read", { path: "notes.txt" }]]);
    expect(await ask([activated("brew-tea"), user("thanks")])).toBe("You are welcome!");
  });

  it("do not come between a question and its answer", async () => {
    const asked = "What shall I search for?";
    const prompt = [user("search the web"), assistant(asked), activated("brew-tea"), user("green tea")];
    expect(await ask(prompt)).toEqual([["web_search", { query: "green tea" }]]);
  });

  it("come from the runtime in the form that it reads", async () => {
    const t = await testAssistant({ model: offlineModel(), memory: { enabled: false } });
    t.assistant.hooks.add({
      name: "x",
      onTaskStart: () => [
        {
          type: "skill_activation",
          content: "1. Boil water",
          source: "brew-tea",
          priority: 5,
          skill: { name: "brew-tea", hash: "0123456789abcdef".repeat(4), confidence: 0.75, signals: [] },
        },
      ],
    });
    const { text } = await t.assistant.send({ text: "tea would be nice" });
    expect(text).toMatch(/\nThe skill brew-tea fits this and would be followed/);
  });
});

describe("the offline model, told that something helped", () => {
  it.each([
    ["that was helpful", "Good. No skill was part of it."],
    ["that didn't help", "I am sorry. No skill was part of it."],
    ["这很有用", "那就好。刚才没有用到技能。"],
  ])("says that no skill was part of it: %s", async (said, expected) => {
    const t = await testAssistant({ owner: { ids: ["memory:42"] }, model: offlineModel(), queue: { debounceMs: 0 } });
    expect(await t.say(said)).toContain(expected);
  });
});
