import { estimateTokenCount } from "tokenx";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool } from "../../entry.host.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { calls, says } from "../../src/testing/scripted-model.ts";
import { OWNER_TOKEN, type TestAssistant, type TestAssistantOptions, testAssistant } from "../support/assistant.ts";
import { moment } from "../support/moment.ts";
import { until } from "../support/until.ts";
import { SKILL, greet, shelfRegistry } from "./install/support.ts";

// Skills as a person meets them: a whole assistant, a scripted model, and nothing else made up.

const OWNER = "memory:1";

const tool = (fails = false) =>
  defineTool({
    description: "Works",
    inputSchema: v.object({ city: v.optional(v.string()) }),
    execute: () => (fails ? Promise.reject(new Error("no")) : "done"),
    meta: { idempotent: true },
  });

const options: TestAssistantOptions = {
  owner: { ids: [OWNER] },
  queue: { debounceMs: 0 },
  channel: { access: { dm: "open" } },
  skills: { builtIn: false },
  // Patterns would tell them of the skill before their next turn.
  proactive: { patterns: { enabled: false } },
  tools: { weather_now: tool(), pollen_now: tool(), traffic_now: tool(true) },
};

const textOf = (prompt: unknown) => JSON.stringify(prompt);
const textsOf = (content: readonly object[]) =>
  content.map((part) => ("text" in part ? String(part.text) : "")).join("\n");

/** A model that calls the tools that a message asks for, and says what it was told to follow. */
const script: TestAssistantOptions["script"] = (prompt) => {
  const last = prompt.at(-1);
  const text = textOf(last);
  if (last?.role !== "user") return says("ok");
  if (text.includes("accept it")) return calls(["skills", { action: "accept", name: nameIn(prompt) }]);
  if (text.includes("outlook")) return calls(["weather_now", { city: "Oslo" }], ["pollen_now", { city: "Oslo" }]);
  if (text.includes("jams")) return calls(["weather_now", {}], ["traffic_now", {}]);
  return says("ok");
};

/** The suggestion that a prompt names. */
const nameIn = (prompt: unknown) => /action accept and name (\S+?),/.exec(textOf(prompt))?.[1] ?? "none";

/** A turn, and the time behind it in which it is captured and learnt from: in small steps, since both take turns of the event loop. */
async function work(t: TestAssistant, text: string): Promise<void> {
  await t.say(text, { from: "7" });
  const endMs = t.clock.now() + 40_000;
  await until(t.clock, () => t.clock.now() >= endMs);
}

async function learn(t: TestAssistant, text: string, times: number) {
  for (let time = 0; time < times; time += 1) {
    await work(t, text);
  }
  if (times < 3) return;
  await until(t.clock, async () => (await t.assistant.skills.suggestions({ user: "memory:7" })).length > 0);
}

describe("work that somebody does again and again", () => {
  it("becomes a suggestion at the third time, a skill with their yes, and comes by itself the next time", async () => {
    const t = await testAssistant({ ...options, script, server: { token: OWNER_TOKEN } });
    await learn(t, "what is the outlook for the picnic", 2);
    expect(await t.assistant.skills.suggestions()).toEqual([]);
    await learn(t, "what is the outlook for the picnic", 3);
    const [suggestion] = await t.assistant.skills.suggestions({ user: "memory:7" });
    expect(suggestion).toMatchObject({ toolSequence: ["weather_now", "pollen_now"], state: "open", successRate: 1 });
    // One injection in their next turn, which the model may act on; and none in a stranger's.
    await t.say("hello", { from: "8" });
    expect(textOf(t.model.requests.at(-1)?.prompt)).not.toContain("action accept");
    await t.say("yes, accept it", { from: "7" });
    const [skill] = await t.assistant.skills.list({ user: "memory:7" });
    expect(skill).toMatchObject({ place: "workspace", people: ["memory:7"], hasTriggers: true });
    expect(await t.assistant.skills.list({ user: "memory:8" })).toEqual([]);
    await t.say("the outlook for our picnic, please", { from: "7" });
    const followed = t.model.requests.find(({ prompt }) => textOf(prompt).includes("# Activated skills"));
    expect(textOf(followed?.prompt)).toContain(`<wakeful-skill name=\\"${skill?.name}\\"`);
    await t.say("the outlook for our picnic, please", { from: "8" });
    const strangers = t.model.requests.filter(({ prompt }) => textOf(prompt).includes("8"));
    expect(textOf(strangers.at(-1)?.prompt)).not.toContain("# Activated skills");
    await until(t.clock, async () => (await t.assistant.skills.stats())[0]?.activations === 1);
    const metrics = new Request("http://localhost/metrics", { headers: { authorization: `Bearer ${OWNER_TOKEN}` } });
    const counted = await (await t.assistant.fetch(metrics)).text();
    expect(counted).toContain('skill_activation_total{activated_by="auto"} 1');
    expect(counted).toContain('skill_suggestion_total{state="open"} 1');
    expect(counted).toContain('skill_suggestion_total{state="accepted"} 1');
  });

  it("is not suggested when it fails too often", async () => {
    const t = await testAssistant({ ...options, script });
    for (let time = 0; time < 4; time += 1) {
      await work(t, "are there jams on my way");
    }
    expect(await t.assistant.skills.suggestions()).toEqual([]);
  });

  it("is not suggested when a skill covers it", async () => {
    const t = await testAssistant({ ...options, script });
    await t.assistant.skills.write(
      "---\nname: outlook\ndescription: Outlook\ntriggers:\n  tool_signals: [weather_now, pollen_now]\n---\nLook.\n",
    );
    for (let time = 0; time < 4; time += 1) {
      await work(t, "what is the outlook for the picnic");
    }
    expect(await t.assistant.skills.suggestions()).toEqual([]);
  });

  it.each([
    { title: "fails too often since", fails: 3, covered: false },
    { title: "is covered by a skill since", fails: 0, covered: true },
  ])("is neither listed nor offered any more when it $title, and is again when that is over", async (given) => {
    let fails = 0;
    const pollen_now = defineTool({
      description: "Works",
      inputSchema: v.object({ city: v.optional(v.string()) }),
      execute: () => ((fails -= 1) >= 0 ? Promise.reject(new Error("no")) : "done"),
      meta: { idempotent: true },
    });
    const t = await testAssistant({ ...options, script, tools: { ...options.tools, pollen_now } });
    const listed = () => t.assistant.skills.suggestions({ user: "memory:7" });
    const offers = () => JSON.stringify(t.model.requests.at(-1)?.prompt).match(/action accept/g)?.length ?? 0;
    await learn(t, "what is the outlook for the picnic", 3);
    const SKILL =
      "---\nname: outlook\ndescription: Outlook\ntriggers: { tool_signals: [weather_now, pollen_now] }\n---\nGo.\n";
    if (given.covered) await t.assistant.skills.write(SKILL);
    fails = given.fails;
    for (let time = 0; time < Math.max(1, given.fails); time += 1) await work(t, "what is the outlook for the picnic");
    expect(await listed()).toEqual([]);
    const before = offers();
    await t.clock.advance(8 * 86_400_000);
    await t.say("hello", { from: "7" });
    expect(offers()).toBe(before);
    expect(await t.say("/skills", { from: "7" })).not.toContain("weather_now → pollen_now");
    if (given.covered) await t.assistant.skills.remove("outlook");
    for (let time = 0; time < 8; time += 1) await work(t, "what is the outlook for the picnic");
    expect(await listed()).toMatchObject([{ state: "open", toolSequence: ["weather_now", "pollen_now"] }]);
  });

  it("does not come again after a no", async () => {
    const t = await testAssistant({ ...options, script });
    await learn(t, "what is the outlook for the picnic", 4);
    const [suggestion] = await t.assistant.skills.suggestions({ user: "memory:7" });
    expect(await t.say(`/skills decline ${suggestion?.name}`, { from: "7" })).toContain(suggestion?.name ?? "none");
    await learn(t, "what is the outlook for the picnic", 4);
    expect(await t.assistant.skills.suggestions({ user: "memory:7" })).toMatchObject([{ state: "declined" }]);
    await t.say("hello", { from: "7" });
    expect(textOf(t.model.requests.at(-1)?.prompt.at(-1))).not.toContain("action accept");
  });

  it("is not offered in the morning when it was answered in the night", async () => {
    const clock = fakeClock(Date.UTC(2026, 0, 5, 23));
    const t = await testAssistant({ ...options, clock, timezone: "UTC", proactive: {}, script });
    await learn(t, "what is the outlook for the picnic", 4);
    const held = async () => (await t.assistant.attention.view({ user: "memory:7" })).held;
    const isOffer = (text: string) => text.includes("make a skill");
    await until(clock, async () => (await held()).some(({ text }) => isOffer(text)));
    const [suggestion] = await t.assistant.skills.suggestions({ user: "memory:7" });
    await t.say(`/skills decline ${suggestion?.name}`, { from: "7" });
    await until(clock, async () => !(await held()).some(({ text }) => isOffer(text)));
    const morning = Date.UTC(2026, 0, 6, 9);
    for (; clock.now() < morning; await moment()) await clock.advance(600_000);
    const said = (part: string) => t.channel.textsTo("7").filter((text) => text.includes(part));
    await until(clock, () => said("Shall I keep the answer").length > 0);
    expect(said("Shall I keep the answer")).toHaveLength(1);
    expect(t.channel.textsTo("7").filter(isOffer)).toEqual([]);
  });
});

describe("a skill", () => {
  const TEA = `---\nname: brew-tea\ndescription: Brews tea\ntriggers:\n  intent_patterns: ["brew.*tea|泡茶"]\n---\n1. Boil water.\n`;

  it("is listed in the beginning of each prompt, which stays the same bytes through activations", async () => {
    const t = await testAssistant(options);
    await t.assistant.skills.write(TEA);
    await t.say("hello");
    await t.say("please brew some tea");
    await t.say("thanks");
    const [hello, tea, thanks] = t.model.requests.map(({ prompt }) => prompt);
    expect(textOf(hello?.[0])).toContain("- brew-tea: Brews tea");
    expect(textOf(tea?.[0])).toBe(textOf(hello?.[0]));
    expect(textOf(thanks?.[0])).toBe(textOf(hello?.[0]));
    expect(textOf(tea)).toContain("1. Boil water.");
    expect(textOf(thanks)).not.toContain("1. Boil water.");
  });

  it("of 4,000 tokens comes whole, and is followed to its last step by a model that obeys the instructions", async () => {
    const steps = Array.from(
      { length: 400 },
      (_, at) => `${at + 1}. Look at shelf ${at + 1}, and note what lies there.`,
    );
    const end = "\n\nLast, say: all shelves were seen.";
    while (estimateTokenCount(steps.join("\n\n") + end) > 4000) steps.pop();
    const body = steps.join("\n\n") + end;
    expect(estimateTokenCount(body)).toBeGreaterThan(3980);
    /** Follows what stands in the boundary that the instructions name, for this task, and nothing else. */
    const obeys: TestAssistantOptions["script"] = (prompt) => {
      const [rule = "", ...rest] = prompt.map(({ content }) =>
        typeof content === "string" ? content : textsOf(content),
      );
      const boundary = /<(wakeful-skill)>[^\n]*follow its steps for this task/.exec(rule)?.[1] ?? "none";
      const inside = new RegExp(`<${boundary} name="count-shelves"[^>]*>\\n([^]*?)\\n</${boundary}>`);
      const followed = rest.map((text) => inside.exec(text)?.[1]).find((text) => text !== undefined);
      return says(followed === undefined ? "hello" : (/Last, say: (.*)$/.exec(followed)?.[1] ?? "lost the end"));
    };
    const t = await testAssistant({ ...options, script: obeys });
    await t.assistant.skills.write(
      `---\nname: count-shelves\ndescription: Counts\nmax_tokens: 4000\ntriggers: { intent_patterns: [shelves] }\n---\n${body}\n`,
    );
    expect(await t.say("hi")).toBe("hello");
    expect(await t.say("count the shelves")).toBe("all shelves were seen.");
    expect(textOf(t.model.requests.at(-1)?.prompt)).toContain(textOf(body).slice(1, -1));
    expect(await t.say("thanks")).toBe("hello");
  });

  it("that the model reads counts as activated by hand, and takes a verdict by the tool", async () => {
    const t = await testAssistant({
      ...options,
      script: [
        calls(["skills", { action: "show", name: "brew-tea" }]),
        says("done"),
        calls(["skills", { action: "feedback", name: "brew-tea", helpful: true }]),
        says("noted"),
      ],
    });
    const read: unknown[] = [];
    t.assistant.events.subscribe("proactive.skill.manual_activated", ({ payload }) => void read.push(payload), {
      name: "read",
    });
    await t.assistant.skills.write(TEA.replace(/triggers[^]*?\]\n/, ""));
    await t.say("what do I do with these leaves?");
    await until(t.clock, async () => (await t.assistant.skills.stats()).length === 1);
    expect(read).toMatchObject([{ skill: "brew-tea", user: "memory:42" }]);
    await t.say("that helped");
    expect(await t.assistant.skills.stats()).toMatchObject([{ name: "brew-tea", activations: 1, helpful: 1 }]);
  });

  it("that a hand edits is followed as it is then", async () => {
    const t = await testAssistant(options);
    await t.assistant.skills.write(TEA);
    await t.say("brew tea");
    await t.store.put("skills/brew-tea/SKILL.md", TEA.replace("Boil water", "Boil snow"));
    t.assistant.skills.invalidate();
    await t.receive("brew tea");
    // A turn waits 2 s for the skills, and they are hashed in turns of the event loop.
    await until(t.clock, () => t.model.requests.length === 2, { stepMs: 20 });
    expect(textOf(t.model.requests.at(-1)?.prompt)).toContain("Boil snow");
  });

  it("waits for its cool-down in the session, also after a restart", async () => {
    const t = await testAssistant(options);
    await t.assistant.skills.write(TEA.replace("---\n1.", "cooldown: 3600\n---\n1."));
    await t.say("brew tea");
    const again = await t.restart();
    await again.say("brew tea");
    const [first, second] = again.model.requests.map(({ prompt }) => textOf(prompt));
    expect(first).toContain("# Activated skills");
    expect(second).not.toContain("# Activated skills");
    await again.clock.advance(3_700_000);
    await again.say("brew tea");
    expect(textOf(again.model.requests.at(-1)?.prompt)).toContain("# Activated skills");
  });

  it("of an agent's choice alone comes there", async () => {
    const t = await testAssistant({ ...options, agents: [{ id: "main", skills: ["other"] }] });
    await t.assistant.skills.write(TEA);
    await t.say("brew tea");
    expect(textOf(t.model.requests.at(-1)?.prompt)).not.toContain("brew-tea");
  });
});

describe("what is said of a message", () => {
  it("is what comes with it in a new conversation: with its slots, its channel and the limits", async () => {
    const autoActivation = { maxActivated: 1, tokenBudget: 100 };
    const t = await testAssistant({ ...options, skills: { builtIn: false, autoActivation } });
    const skill = (name: string, slots: string, body = "Do.") =>
      `---\nname: ${name}\ndescription: Does it\ntriggers: { confidence_threshold: 0.1, ${slots} }\n---\n${body}\n`;
    await t.assistant.skills.write(skill("chinese", "context_signals: { slots: { language: [zh] } }"));
    await t.assistant.skills.write(skill("here", "context_signals: { slots: { channel: [memory] } }"));
    await t.assistant.skills.write(skill("long", "intent_patterns: [zebra]", "word ".repeat(300)));
    const match = async (text: string, user?: string) =>
      (await t.assistant.skills.match({ text, ...(user !== undefined && { user }) })).map(
        ({ name, leftOut = "comes" }) => `${name}: ${leftOut}`,
      );
    expect(await match("你好")).toEqual(["chinese: comes"]);
    expect(await match("你好", "memory:42")).toEqual([
      "chinese: comes",
      "here: 1 others are better, and at most 1 are activated",
    ]);
    expect(await match("zebra")).toEqual([expect.stringMatching(/^long: It has \d+ tokens, and 100 of 100 are left$/)]);
  });
});

describe("the cool-down of a skill", () => {
  it.each([
    {
      title: "when earlier turns became a summary",
      more: Array.from({ length: 30 }, () => "a long note ".repeat(300)),
    },
    { title: "after /new", more: ["/new"] },
  ])("holds in its session $title, over a restart, and not in another one", async ({ more }) => {
    const t = await testAssistant(options);
    const triggers = "cooldown: 86400\ntriggers: { intent_patterns: [zebra] }";
    await t.assistant.skills.write(`---\nname: zebra\ndescription: Zebras\n${triggers}\n---\nCount stripes.\n`);
    const comes = async (now: TestAssistant, from: string) => {
      await now.say("a zebra", { from });
      return textOf(now.model.requests.at(-1)?.prompt).includes('<wakeful-skill name=\\"zebra\\"');
    };
    expect(await comes(t, "7")).toBe(true);
    for (const text of more) await t.say(text, { from: "7" });
    expect(await comes(t, "7")).toBe(false);
    const again = await t.restart();
    expect(await comes(again, "7")).toBe(false);
    expect(await comes(again, "8")).toBe(true);
    await again.clock.advance(86_400_000);
    expect(await comes(again, "7")).toBe(true);
  });
});

describe("the names of skills in a prompt", () => {
  it("end with how many there are besides, also where their descriptions are Chinese", async () => {
    const t = await testAssistant(options);
    const description = "整理会议记录并列出待办事项".repeat(20);
    for (let index = 10; index < 60; index += 1)
      await t.store.put(`skills/s-${index}/SKILL.md`, `---\nname: s-${index}\ndescription: ${description}\n---\nDo.\n`);
    t.assistant.skills.invalidate();
    await t.say("hello");
    const text = textOf(t.model.requests.at(-1)?.prompt[0]);
    const named = text.match(/- s-\d\d: /g)?.length ?? 0;
    expect(named).toBeGreaterThan(10);
    expect(text).toContain(`${50 - named} more: the tool skills searches them`);
  });
});

describe("a skill of one person's", () => {
  const USER_TOKEN = "user-token-of-eight-0123456789";
  const people: TestAssistantOptions = {
    ...options,
    server: { token: OWNER_TOKEN, tokens: [{ token: USER_TOKEN, role: "user", user: "memory:8" }] },
  };
  const skill = (name: string, fields: string, body = `Do ${name}.`) =>
    `---\nname: ${name}\ndescription: Does ${name}\n${fields}\n---\n${body}\n`;
  const ASKED = "triggers: { intent_patterns: [zebra] }";
  const SECRET = skill("divorce", 'people: ["memory:7"]\ntriggers: { intent_patterns: [lawyer] }', "ADA ALONE");

  /** Ada's skill, a chain of everybody's that it is a step of, and a skill that has it as prerequisite. */
  async function shared(more: TestAssistantOptions = {}) {
    const t = await testAssistant({ ...people, ...more });
    await t.assistant.skills.write(SECRET);
    await t.assistant.skills.write(skill("steps", `${ASKED}\nchain: [{ skill: divorce }]`));
    await t.assistant.skills.write(skill("behind", `${ASKED}\nprerequisites: [divorce]`));
    await t.assistant.skills.write(skill("open", ASKED));
    return t;
  }

  it("is not named to another person who asks what would come, nor is what needs it", async () => {
    const t = await shared();
    const match = async (text: string, token: string, user?: string) =>
      (await t.call("/skills/match", { token, body: { text, ...(user !== undefined && { user }) } })).json();
    expect(await match("my lawyer", USER_TOKEN)).toEqual({ matches: [] });
    expect(await match("a zebra", USER_TOKEN)).toMatchObject({ matches: [{ name: "open" }] });
    expect(JSON.stringify(await match("a zebra, my lawyer", USER_TOKEN))).not.toContain("divorce");
    expect(await match("my lawyer", OWNER_TOKEN)).toMatchObject({ matches: [{ left_out: "It is not offered here" }] });
    expect(await match("my lawyer", OWNER_TOKEN, "memory:7")).toMatchObject({ matches: [{ name: "divorce" }] });
  });

  it("is not shown to another person as the step of a chain, and the chain is not offered to them", async () => {
    const show = (name: string) => calls(["skills", { action: "show", name }]);
    const t = await shared({ script: [show("steps"), says("ok"), show("steps"), says("ok")] });
    const named = async (user: string) => (await t.assistant.skills.list({ user })).map(({ name }) => name);
    expect(await named("memory:8")).toEqual(["open"]);
    expect(await named("memory:7")).toEqual(["behind", "divorce", "open", "steps"]);
    await t.say("what are the steps?", { from: "8" });
    expect(textOf(t.model.requests.at(-1)?.prompt)).not.toMatch(/ADA ALONE|divorce/);
    await t.say("what are the steps?", { from: "7" });
    expect(textOf(t.model.requests.at(-1)?.prompt)).toContain("ADA ALONE");
  });

  it("shows the beginning of a long file that is no ASCII, and of none that is no text", async () => {
    const t = await testAssistant({ ...options });
    await t.store.put("skills/long/SKILL.md", "---\nname: long\ndescription: Reads\n---\nRead it.");
    await t.store.put("skills/long/words.md", "调".repeat(400_000));
    await t.store.put("skills/long/torn.md", new Uint8Array([0xe8, 0xb0]));
    t.assistant.skills.invalidate();
    const show = (file: string) =>
      t.assistant.tools.run("skills", { action: "show", name: "long", file }, { user: OWNER });
    expect(await show("words.md")).toMatchObject({ ok: true });
    expect(await show("torn.md")).toMatchObject({ ok: false, error: { code: "NOT_FOUND" } });
  });

  it("is searched for by query, or by what stands in name", async () => {
    const t = await shared();
    const search = (by: object) => t.assistant.tools.run("skills", { action: "search", ...by }, { user: OWNER });
    const found = await search({ query: "open" });
    expect(found).toMatchObject({ ok: true, output: { skills: [{ name: "open" }] } });
    expect(await search({ name: "open" })).toEqual(found);
    expect(await search({})).toMatchObject({ error: { message: "Cannot search as query is missing" } });
  });

  it("is not shown to an agent that is given its chain alone", async () => {
    const t = await shared({
      agents: [{ id: "main", skills: ["steps", "open"] }],
      script: [calls(["skills", { action: "show", name: "steps" }]), says("ok")],
    });
    await t.say("what are the steps?", { from: "7" });
    expect(textOf(t.model.requests.at(-1)?.prompt)).not.toContain("ADA ALONE");
  });

  it("goes with its person, is given to them and moves with them, whatever its folder and its mistakes", async () => {
    const t = await testAssistant(people);
    const tea = (name: string, fields: string) => skill(name, `${fields}people: ["memory:7"]`);
    await t.store.put("skills/brewing/SKILL.md", tea("tea", ""));
    await t.store.put("skills/coffee/SKILL.md", tea("coffee", "priority: 77\n"));
    await t.store.put("skills/coffee/more.md", "more");
    await t.store.put("skills/cocoa/SKILL.md", tea("cocoa", "chain: [{ skill: nothing }]\n"));
    await t.store.put("skills/juice/SKILL.md", skill("juice", 'people: ["memory:7", "memory:8"]'));
    t.assistant.skills.invalidate();
    const exported = async (from: TestAssistant, userId: string) => {
      let text = "";
      for await (const piece of await from.assistant.memory.export({ userId, everything: true })) text += piece;
      return [...new Set(text.match(/skills\/\w+\/SKILL\.md/g))];
    };
    const theirs = ["skills/brewing/SKILL.md", "skills/cocoa/SKILL.md", "skills/coffee/SKILL.md"];
    expect(await exported(t, "memory:7")).toEqual(theirs);
    const linked = await t.restart({ session: { identityLinks: { ada: ["memory:7", "memory:70"] } } });
    await linked.say("hello", { from: "7" });
    for (const key of theirs) expect((await t.store.get(key))?.value, key).toContain('people:\n  - "@ada"\n');
    expect(await exported(linked, "@ada")).toEqual(theirs);
    await linked.during(linked.assistant.memory.forget({ userId: "memory:7" }));
    const left: string[] = [];
    for await (const { key } of t.store.list("skills/")) left.push(key);
    expect(left).toEqual(["skills/juice/SKILL.md"]);
  });
});

describe("a skill of the workspace that is not loaded", () => {
  const suspicious = async () => {
    const shelf = {
      greet: { archive: greet([{ name: "a.sh", data: "echo" }]), meta: { verdict: "suspicious" } },
    } as const;
    const t = await testAssistant({
      ...options,
      server: { token: OWNER_TOKEN },
      registries: [shelfRegistry("hub", { greet: { ...shelf.greet } })],
    });
    await t.assistant.skills.install({ slug: "greet" });
    return t;
  };

  it("since its registry calls it suspicious can be seen and read before it is enabled", async () => {
    const t = await suspicious();
    const { skills } = (await (await t.call("/skills")).json()) as { skills: unknown[] };
    const view = { name: "greet", description: "Says hello", place: "workspace", disabled: true };
    expect(skills).toMatchObject([{ ...view, origin: { registry: "hub" } }]);
    expect(await (await t.call("/skills/greet")).json()).toMatchObject({ ...view, text: SKILL(), files: ["a.sh"] });
    expect(await t.assistant.skills.list({ user: "memory:7" })).toEqual([]);
    await t.call("/skills/greet/enable", { method: "POST" });
    const enabled = (await (await t.call("/skills/greet")).json()) as object;
    expect(enabled).toMatchObject({ missing: [], files: ["a.sh"] });
    expect(enabled).not.toHaveProperty("disabled");
  });

  it("since its registry calls it suspicious can be written over, still disabled, and removed", async () => {
    const t = await suspicious();
    const written = await t.call("/skills", { body: { text: SKILL("greet", "Say hi.") } });
    expect(written.status).toBe(200);
    expect(await written.json()).toMatchObject({ name: "greet", disabled: true });
    expect((await t.call("/skills/greet", { method: "DELETE" })).status).toBe(204);
    expect(await t.assistant.skills.list()).toEqual([]);
    expect((await t.call("/skills/greet", { method: "DELETE" })).status).toBe(404);
  });

  it("since somebody made a mistake in it is listed as installed, and can be compared", async () => {
    const t = await suspicious();
    await t.store.put("skills/greet/SKILL.md", SKILL().replace("description", "priority: 77\ndescription"));
    t.assistant.skills.invalidate();
    expect((await t.call("/skills/greet")).status).toBe(404);
    await t.assistant.skills.enable("greet");
    const [view] = await t.assistant.skills.list();
    expect(view).toMatchObject({ name: "greet", origin: { registry: "hub" }, missing: [expect.any(String)] });
    expect(view).not.toHaveProperty("disabled");
    expect((await t.call("/skills/greet")).status).toBe(404);
    expect(await t.assistant.skills.verify("greet")).toMatchObject({ ok: false, changed: ["SKILL.md"] });
    expect(await t.assistant.skills.list({ user: "memory:7" })).toEqual([]);
  });

  it("since it has a mistake can be removed by its folder, which is not that of another skill", async () => {
    const t = await testAssistant({ ...options, skills: {}, server: { token: OWNER_TOKEN } });
    const remove = async (name: string) => (await t.call(`/skills/${name}`, { method: "DELETE" })).status;
    await t.store.put("skills/bad/SKILL.md", SKILL("bad").replace("description", "priority: 77\ndescription"));
    await t.store.put("skills/deep-research/SKILL.md", "no skill");
    await t.store.put("skills/folder/SKILL.md", SKILL("tea"));
    await t.store.put("skills/folder/more.md", "more");
    t.assistant.skills.invalidate();
    expect((await t.assistant.skills.problems())[0]).toMatchObject({ skill: "bad", file: "skills/bad/SKILL.md" });
    expect(await remove("bad")).toBe(204);
    expect([await remove("deep-research"), await remove("deep-research")]).toEqual([204, 403]);
    expect([await remove("folder"), await remove("tea"), await remove("tea")]).toEqual([404, 204, 404]);
    const left: string[] = [];
    for await (const { key } of t.store.list("skills/")) left.push(key);
    expect(left).toEqual([]);
  });
});

describe("what is wrong with skills", () => {
  const FIXED = "description: Does it\n";
  const setUp = async (files: Record<string, string>) => {
    const warned: string[] = [];
    const logger = {
      debug() {},
      info() {},
      error() {},
      warn: (_: string, more?: object) => void warned.push(JSON.stringify(more)),
    };
    const t = await testAssistant({ ...options, server: { token: OWNER_TOKEN }, logger, start: false });
    for (const [name, fields] of Object.entries(files))
      await t.store.put(`skills/${name}/SKILL.md`, `---\nname: ${name}\n${FIXED}${fields}\n---\nDo.\n`);
    await t.assistant.start();
    const problems = (await (await t.call("/skills/problems")).json()) as { problems: unknown[] };
    return { t, warned: () => warned.join("\n"), problems: problems.problems };
  };

  it("as they stand together is reported with its line, logged, and no such skill is listed", async () => {
    const { t, warned, problems } = await setUp({
      alone: "chain: [{ skill: nothing }]",
      behind: "metadata:\n  wakeful:\n    prerequisites: [alone]",
      round: "priority: 3\nchain: [{ skill: round }]",
      fine: "triggers: { intent_patterns: ['(?=a)b', fine] }",
    });
    expect((await t.assistant.skills.list()).map(({ name }) => name)).toEqual(["fine"]);
    expect(problems).toMatchObject([
      { file: "skills/alone/SKILL.md", line: 4, column: 1, field: "chain", message: 'There is no skill "nothing"' },
      { file: "skills/behind/SKILL.md", line: 6, field: "prerequisites", level: "error" },
      { file: "skills/round/SKILL.md", line: 5, field: "chain", message: "It names itself" },
      { skill: "fine", line: 4, column: 31, field: "triggers.intent_patterns[0]", level: "warning" },
    ]);
    for (const told of ["There is no skill", "was left out itself", "It names itself", "(?=a)b", "fine/SKILL.md:4:31"])
      expect(warned()).toContain(told);
  });

  it("says why a skill is not offered that needs one which is not", async () => {
    const { t, problems } = await setUp({ base: "requires: { tools: [no_such] }", top: "prerequisites: [base]" });
    expect(await t.assistant.skills.list()).toMatchObject([
      { name: "base", missing: ["there is no tool no_such"] },
      { name: "top", missing: ["it needs the skill base, which is not offered: there is no tool no_such"] },
    ]);
    expect(problems).toEqual([]);
  });

  it("names a skill that another one of its name hides", async () => {
    const { t } = await setUp({ tea: "" });
    await t.store.put("skills/other/SKILL.md", `---\nname: tea\n${FIXED}---\nDo.\n`);
    t.assistant.skills.invalidate();
    const told = { skill: "tea", file: "skills/other/SKILL.md", level: "note" } as const;
    expect(await t.assistant.skills.problems()).toContainEqual({
      ...told,
      message: "it is not used, since skills/tea/SKILL.md has its name",
    });
  });

  it("keeps a text from being written that could not be loaded beside the others", async () => {
    const { t } = await setUp({});
    for (const step of ["round", "nothing"]) {
      const text = `---\nname: round\n${FIXED}chain: [{ skill: ${step} }]\n---\nDo.\n`;
      const answer = await t.call("/skills", { body: { text } });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ issues: [{ line: 4, field: "chain" }] });
    }
    expect(await t.assistant.skills.list()).toEqual([]);
  });

  it("is found in a text alone: mistakes, and what should be mended, also in an empty and a long one", async () => {
    const { t } = await setUp({});
    const check = async (text: string) =>
      (await (await t.call("/skills/check", { body: { text, path: "x/tea/SKILL.md" } })).json()) as object;
    const skill = (fields: string) => `---\nname: tea\n${FIXED}${fields}\n---\nDo.\n`;
    expect(await check(skill("chain: [{ skill: other }]"))).toEqual({ problems: [] });
    expect(await check(skill("chain: [{ skill: tea }]"))).toMatchObject({
      problems: [{ line: 4, field: "chain", message: "It names itself", level: "error" }],
    });
    expect(await check(skill("triggers: { intent_patterns: [fine, '(?=a)b'] }"))).toMatchObject({
      problems: [{ line: 4, field: "triggers.intent_patterns[1]", level: "warning" }],
    });
    expect(await check(skill("prioritty: 3"))).toMatchObject({
      problems: [
        {
          file: "x/tea/SKILL.md",
          line: 4,
          column: 1,
          message: "has no effect: did you mean priority?",
          level: "warning",
        },
      ],
    });
    expect(await check(skill("").replace("tea", "coffee"))).toMatchObject({
      problems: [{ line: 2, level: "warning" }],
    });
    expect(await check("")).toMatchObject({ problems: [{ message: expect.stringContaining("no frontmatter") }] });
    expect(await check("x".repeat(1_000_000))).toMatchObject({
      problems: [{ message: expect.stringContaining("no frontmatter") }],
    });
  });
});
