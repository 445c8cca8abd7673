import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool } from "../../entry.host.ts";
import type { SearchProvider } from "../../kit.ts";
import { BUILT_IN_SKILLS } from "../../src/skills/built-in-skills.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { type ScriptedStep, calls, says } from "../../src/testing/scripted-model.ts";
import { testAssistant } from "../support/assistant.ts";

type Prompt = readonly { readonly role: string; readonly content: unknown }[];

/** A Wednesday. */
const NOW = Date.UTC(2026, 2, 4, 8);

const search: SearchProvider = {
  name: "harbour",
  search: async (query) => [{ title: query, url: "https://energy.example/heat-pumps", snippet: "COP 2.9 at −7 °C" }],
};

/** Instead of the network; every other tool is the real one. */
const web_fetch = defineTool({
  description: "Reads a page",
  inputSchema: v.object({ url: v.string() }),
  execute: ({ url }) => ({ url, status: 200, title: "Field trial", text: "In 41 houses the mean COP was 2.9." }),
  meta: { idempotent: true, untrusted: true },
});

function open(steps: readonly ScriptedStep[]) {
  let next = 0;
  return testAssistant({
    clock: fakeClock(NOW),
    timezone: "Asia/Shanghai",
    search: { providers: [search] },
    tools: { web_fetch },
    owner: { ids: ["in-memory:42"] },
    // What else asks the model (a digest, a review of what was said) is answered with nothing.
    script: (prompt) =>
      JSON.stringify(prompt).includes("<wakeful-skill ") ? (steps[next++] ?? says("NO_REPLY")) : says("NO_REPLY"),
  });
}

const skillsIn = (prompt: Prompt) =>
  [...JSON.stringify(prompt).matchAll(/<wakeful-skill name=\\"([a-z-]+)\\"/g)].map(([, name]) => name);
const resultsIn = (prompt: Prompt) =>
  prompt.filter(({ role }) => role === "tool").flatMap(({ content }) => content as { readonly output: unknown }[]);

const NOTE = "Decision 2026-03-04: We use Postgres for orders, not MongoDB.\nReason: transactions.";
const SKILL = "---\nname: invoice-check\ndescription: Checks invoices against orders\n---\n\n1. Read the invoice.";

/** What a person says, what a model does that follows the skill, and what comes of it. */
const CONVERSATIONS: readonly {
  readonly skill: string;
  readonly said: string;
  readonly steps: readonly ScriptedStep[];
  /** In the results of the tools. */
  readonly results: readonly string[];
  readonly reply: string;
}[] = [
  {
    skill: "deep-research",
    said: "Can you research whether heat pumps work in old stone houses? With sources please",
    steps: [
      calls(["memory_recall", { query: "heat pump house" }], ["time", {}]),
      calls(["plan", { steps: ["Efficiency in frost", "Old houses", "What speaks against it"] }]),
      calls(["web_search", { query: "heat pump field trial old houses COP", limit: 8 }]),
      calls(["web_fetch", { url: "https://energy.example/heat-pumps" }]),
      calls([
        "artifact_write",
        { name: "Heat pumps research.md", content: "# Heat pumps", media_type: "text/markdown" },
      ]),
      says("Yes, with a COP of 2.9 in a trial of 41 houses [1], one source."),
    ],
    results: ["Wednesday", "energy.example", "41 houses", "Heat pumps research.md"],
    reply: "Yes, with a COP of 2.9 in a trial of 41 houses [1], one source.",
  },
  {
    skill: "daily-briefing",
    said: "早上好，今天有什么安排？",
    steps: [
      calls(
        ["time", {}],
        ["scheduler_list", {}],
        ["okr_read", {}],
        ["memory_recall", { query: "3月4日 安排 截止" }],
        ["channel_history", { limit: 50 }],
      ),
      says("今天没有安排。"),
    ],
    results: ["2026-03-04T16:00", "jobs", "goals", "memories", "messages"],
    reply: "今天没有安排。",
  },
  {
    skill: "weekly-review",
    said: "let's do my weekly review",
    steps: [
      calls(["time", {}], ["memory_recall", { query: "weekly review" }], ["okr_read", {}]),
      calls(["channel_history", { limit: 50 }], ["scheduler_list", {}], ["artifact_list", {}]),
      says("**Week 10 · 2–8 March**\n\nI find nothing yet: what got done this week?"),
    ],
    results: ["Wednesday", "memories", "goals", "messages", "jobs", "artifacts"],
    reply: "**Week 10 · 2–8 March**\n\nI find nothing yet: what got done this week?",
  },
  {
    skill: "meeting-notes",
    said: "Turn this transcript into minutes: Anna: launch moves to 12 May. Bo: I call the vendor by Friday.",
    steps: [
      calls(["time", {}]),
      calls([
        "artifact_write",
        {
          name: "2026-03-04 Launch minutes.md",
          content: "## Actions\nBo: call the vendor",
          media_type: "text/markdown",
        },
      ]),
      says("Launch moves to 12 May (Anna). Bo calls the vendor by Friday."),
    ],
    results: ["Wednesday", "Launch minutes.md"],
    reply: "Launch moves to 12 May (Anna). Bo calls the vendor by Friday.",
  },
  {
    skill: "reminders-and-routines",
    said: "每个工作日早上九点提醒我站会",
    steps: [
      calls(["scheduler_list", {}]),
      calls(["scheduler_create", { schedule: "每个工作日早上九点", task: "提醒 Ida 参加站会", name: "站会" }]),
      says("好，工作日九点提醒你站会，下一次是周四。"),
    ],
    results: ["jobs", "2026-03-05 09:00"],
    reply: "好，工作日九点提醒你站会，下一次是周四。",
  },
  {
    skill: "web-page-to-note",
    said: "save https://energy.example/heat-pumps to my notes",
    steps: [
      calls(["memory_recall", { query: "https://energy.example/heat-pumps" }]),
      calls(["web_fetch", { url: "https://energy.example/heat-pumps" }], ["time", {}]),
      calls([
        "memory_write",
        {
          content: "Note: Field trial (read 4 March 2026)\nMean COP 2.9 in 41 houses.",
          keywords: ["heat pump", "web note"],
        },
      ]),
      says("Kept: Field trial. Mean COP 2.9 in 41 houses."),
    ],
    results: ["memories", "41 houses", "saved"],
    reply: "Kept: Field trial. Mean COP 2.9 in 41 houses.",
  },
  {
    skill: "decision-log",
    said: "Log this decision: Postgres for orders, not MongoDB, because of transactions",
    steps: [
      calls(["memory_recall", { query: "decision orders database" }], ["time", {}]),
      calls(["memory_write", { content: NOTE, keywords: ["decision", "决定", "Postgres", "MongoDB"] }]),
      says("Recorded: We use Postgres for orders. Reason: transactions."),
    ],
    results: ["memories", "saved"],
    reply: "Recorded: We use Postgres for orders. Reason: transactions.",
  },
  {
    skill: "skill-author",
    said: "帮我写一个核对发票的技能",
    steps: [
      calls(["channel_history", { limit: 20 }]),
      calls(["artifact_write", { name: "SKILL.md", content: SKILL, media_type: "text/markdown" }]),
      says("写好了：SKILL.md。放到数据目录的 skills/invoice-check/ 下就会生效。"),
    ],
    results: ["messages", "SKILL.md"],
    reply: "写好了：SKILL.md。放到数据目录的 skills/invoice-check/ 下就会生效。",
  },
];

describe("a skill that is built in", () => {
  it.each(CONVERSATIONS)(
    "is followed with the tools that it names: $skill",
    async ({ skill, said, steps, ...expected }) => {
      const { model, say } = await open(steps);
      expect(await say(said)).toBe(expected.reply);
      const prompts = model.requests.map(({ prompt }) => prompt as Prompt).filter((one) => skillsIn(one).length > 0);
      expect(skillsIn(prompts[0]!)).toEqual([skill]);
      const results = resultsIn(prompts.at(-1)!).map(({ output }) => JSON.stringify(output));
      expect(results.filter((one) => /"ok":\s*false|error-(?:text|json)/.test(one))).toEqual([]);
      for (const piece of expected.results) expect(results.join("\n")).toContain(piece);
      // It says to use every tool that is used here.
      const { text } = BUILT_IN_SKILLS.find(({ name }) => name === skill)!;
      for (const step of steps) {
        if (step.type === "answer")
          for (const [name] of step.calls) expect(text.includes(`\`${name}\``), name).toBe(true);
      }
    },
  );

  it("stays away from small talk", async () => {
    const { model, assistant } = await testAssistant({});
    await assistant.send({ text: "thanks, have a nice weekend" });
    expect(skillsIn(model.requests[0]!.prompt as Prompt)).toEqual([]);
  });

  it("names no tool that does not exist", async () => {
    const { assistant } = await open([]);
    const tools = new Set(assistant.tools.list().map(({ name }) => name));
    // A tool's name in the texts, in a tool's place: `memory_write`.
    const KNOWN_WORDS =
      /^(?:current_focus|task_type|next_offset|next_before|last_run|more_links|old_text|approval_required|intent_patterns|tool_signals|context_signals|confidence_threshold|exclusive_group|session_id|media_type)$/;
    for (const { name, text, frontmatter } of BUILT_IN_SKILLS) {
      const written = [...text.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, one = ""]) => one);
      const { tool_signals: signals = [] } = (frontmatter["triggers"] ?? {}) as { tool_signals?: readonly string[] };
      const required = (frontmatter["requires"] ?? {}) as { tools?: readonly string[] };
      const named = [...written.filter((one) => !KNOWN_WORDS.test(one)), ...signals, ...(required.tools ?? [])];
      expect(
        named.filter((one) => !tools.has(one)),
        name,
      ).toEqual([]);
    }
  });
});
