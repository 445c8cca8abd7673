import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../entry.host.ts";
import { isHeldOut } from "../../../src/proactive/initiative/held-out.ts";
import { type TestAssistant, type TestAssistantOptions, testAssistant } from "../../support/assistant.ts";

const USER = "memory:42";
const DAY = 86_400_000;
const GOALS = `core_drives:
  - { name: learning, intensity: 5 }
  - { name: sleep, intensity: 2 }
goals:
  - objective: Finish the novel
    current_focus: drafting chapter seven, the harbour scene
`;
const TASK = "Draft chapter seven of the harbour book";
const finding = (id: string, more: object = {}) => ({
  id,
  detector: "time_routine",
  key: `time_routine:${id}`,
  state: "open",
  confidence: 0.7,
  evidenceIds: ["e"],
  frequency: 3,
  language: "en",
  raisedAt: 1,
  raised: 1,
  told: true,
  said: true,
  suggestion: { text: `Shall I do ${id}?`, priority: 0.8, action: { kind: "hint" } },
  ...more,
});

async function setUp(options: TestAssistantOptions = {}, documents: Readonly<Record<string, unknown>> = {}) {
  const store = memoryStore();
  for (const [key, value] of Object.entries(documents)) await store.put(key, value as string);
  const t = await testAssistant({ queue: { debounceMs: 0 }, ...options, store });
  const taken: unknown[] = [];
  t.assistant.events.subscribe("proactive.initiative", ({ payload }) => void taken.push(payload.initiatives), {
    name: "test",
  });
  return { ...t, taken };
}
const lastPrompt = (t: TestAssistant) => JSON.stringify(t.model.requests.at(-1)?.prompt.at(-1));
const goalFile = { "goals/memory:42.yaml": GOALS, "goals/group:memory:g.yaml": GOALS };
const found = (...findings: readonly object[]) => ({ [`patterns/${USER}`]: { v: 1, answers: {}, findings } });

describe("the initiative hook", () => {
  it("says which goal and which drive a message serves, and says it once", async () => {
    const t = await setUp({}, goalFile);
    await t.say(`${TASK}, I am learning`);
    expect(lastPrompt(t)).toContain("serves the person's goal “Finish the novel”");
    expect(lastPrompt(t)).toContain("touches what moves the person: learning (5 of 5)");
    expect(t.taken).toEqual([
      [
        { type: "drive_nudge", confidence: 1, driveReference: "learning" },
        { type: "goal_alignment", confidence: 0.8, driveReference: "Finish the novel" },
      ],
    ]);
    await t.say(`${TASK} again, I am learning`);
    expect(lastPrompt(t)).not.toContain("serves the person's goal");
    expect(t.taken).toHaveLength(1);
  });

  it.each([
    { title: "another message", text: "Book a table for two" },
    { title: "a group", text: TASK, group: "g" },
    { title: "another person", text: TASK, from: "43" },
  ])("says nothing for $title", async ({ text, ...writing }) => {
    const t = await setUp({}, goalFile);
    await t.say(text, { ...writing, mentioned: true });
    expect(lastPrompt(t)).not.toContain("serves");
    expect(t.taken).toEqual([]);
  });

  it("brings up one open finding that the person was told of, once a week", async () => {
    const t = await setUp({}, found(finding("walks"), finding("runs"), finding("untold", { said: undefined })));
    await t.say("Hello there");
    expect(lastPrompt(t)).toContain("Shall I do walks?");
    expect(lastPrompt(t)).not.toContain("Shall I do runs?");
    await t.say("Hello there");
    expect(lastPrompt(t)).toContain("Shall I do runs?");
    await t.say("Hello there");
    expect(lastPrompt(t)).not.toContain("Shall I do");
    t.clock.step(8 * DAY);
    await t.say("/new");
    await t.say("Hello there");
    expect(lastPrompt(t)).toContain("Shall I do walks?");
    expect(JSON.stringify(t.model.requests)).not.toContain("untold");
  });

  it.each([
    { title: "was answered", more: { state: "declined" } },
    { title: "is not so any more", more: { lapsed: true } },
    {
      title: "is a skill's, which is offered elsewhere",
      more: { suggestion: { text: "Shall I do it?", priority: 1, action: { kind: "skill", suggestion: "s" } } },
    },
  ])("brings up no finding that $title", async ({ more }) => {
    const t = await setUp({}, found(finding("it", more)));
    await t.say("Hello there");
    expect(lastPrompt(t)).not.toContain("Shall I do it");
  });

  it("shows what it would say, and notes nothing, when a prompt is only explained", async () => {
    const t = await setUp({}, found(finding("walks"), finding("runs")));
    await t.say("Hello there");
    const before = (await t.store.get(`patterns/${USER}`))?.version;
    const { parts } = await t.assistant.explainContext({ session: "agent:main:memory:direct:42", text: "Hello" });
    expect(parts.find(({ name }) => name === "injections")).toMatchObject({ source: "hooks: initiative" });
    expect((await t.store.get(`patterns/${USER}`))?.version).toBe(before);
    expect(t.taken).toHaveLength(1);
  });

  it("is quiet about a type that was of no use", async () => {
    const t = await setUp({}, goalFile);
    for (let times = 0; times < 8; times += 1)
      await t.assistant.proactive.feedback({ user: USER, type: "goal_alignment", useful: false });
    await t.say(TASK);
    expect(lastPrompt(t)).not.toContain("serves the person's goal");
  });

  it("is told what is no type and no verdict", async () => {
    const { proactive } = (await setUp({}, goalFile)).assistant;
    const given = { user: USER, type: "drive_nudge", useful: true } as const;
    await expect(proactive.feedback({ ...given, type: "nudge" as never })).rejects.toThrow(
      'type: Expected goal_alignment, drive_nudge, pattern_suggestion, got "nudge"',
    );
    await expect(proactive.feedback({ ...given, useful: "no" as never })).rejects.toThrow(
      'useful: Expected true, false, got "no"',
    );
  });

  it.each([
    { title: "is off", proactive: { initiative: { enabled: false } }, heldOut: undefined },
    { title: "holds all tasks out", proactive: { holdout: 1 }, heldOut: "true" },
    { title: "holds no task out", proactive: { holdout: 0 }, heldOut: "false" },
  ])("counts tasks where it $title", async ({ proactive, heldOut }) => {
    const t = await setUp(
      { proactive, server: { tokens: [{ token: "metrics-token-0123456789", role: "owner" }] } },
      goalFile,
    );
    await t.say(TASK);
    await t.clock.advance(1000);
    expect(lastPrompt(t).includes("serves")).toBe(heldOut === "false");
    const answer = await t.assistant.fetch(
      new Request("http://localhost/metrics", { headers: { authorization: "Bearer metrics-token-0123456789" } }),
    );
    const counted = /proactive_task_total\{held_out="(\w+)",outcome="completed"\} 1/.exec(await answer.text());
    expect(counted?.[1]).toBe(heldOut);
  });

  it("holds out by the id of the task alone", async () => {
    const t = await setUp({ proactive: { holdout: 0.5 } }, goalFile);
    const prompts: boolean[] = [];
    const ids: string[] = [];
    t.assistant.events.subscribe("task.started", ({ payload }) => void ids.push(payload.taskId), { name: "test" });
    for (let index = 0; index < 8; index += 1) {
      await t.say("/new");
      await t.say(TASK);
      prompts.push(lastPrompt(t).includes("serves the person's goal"));
    }
    const expected = ids.slice(-8).map((id) => !isHeldOut(id, 0.5));
    expect(prompts).toEqual(expected);
  });

  it("reads nothing for a minute for who has neither goals nor findings", async () => {
    const store = memoryStore();
    let reads = 0;
    const counting = {
      ...store,
      get: (key: string) => {
        if (key.startsWith("patterns/")) reads += 1;
        return store.get(key);
      },
    };
    const t = await testAssistant({
      queue: { debounceMs: 0 },
      store: counting,
      proactive: { patterns: { enabled: false } },
    });
    for (let times = 0; times < 5; times += 1) await t.say("Hello there");
    expect(reads).toBe(1);
    t.clock.step(61_000);
    await t.say("Hello there");
    expect(reads).toBe(2);
  });
});
