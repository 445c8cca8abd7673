import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../entry.host.ts";
import type { Store } from "../../../src/store/index.ts";
import { meaningEmbedder } from "../../memory/semantic/stub-store.ts";
import { type TestAssistantOptions, testAssistant } from "../../support/assistant.ts";
import { until } from "../../support/until.ts";

const USER = "memory:42";
const VECTORS = `.index/memory/${USER}/vectors/`;
const FOCUS = "drafting the harbour scene";
const GOALS = `goals:\n  - { objective: Finish the novel, current_focus: ${FOCUS} }\n`;
const IN_OTHER_WORDS = "Compose the port chapter";
const SERVES = "serves the person's goal “Finish the novel”";
const MEANINGS = ["drafting compose write", "harbour port dock", "scene chapter passage", "the a"];
/** Of many things, some of them about the same. */
const REMEMBERED = [
  "tea is green",
  "tea is hot",
  "rain falls",
  "the car",
  "the bus",
  "dogs bark",
  "cats purr",
  "bread and butter",
  "bread and salt",
  "green fields",
];

/** A person of whom enough is remembered to tell what chance makes alike. */
async function setUp({ goals = GOALS, memory }: Partial<Situation> = {}) {
  const embedder = meaningEmbedder(MEANINGS, { dimensions: 512 });
  const store = memoryStore();
  if (goals !== null) await store.put("goals/memory:42.yaml", goals);
  const t = await testAssistant({
    queue: { debounceMs: 0 },
    memory: { embedder, autoCapture: false, ...memory },
    store,
  });
  for (const content of REMEMBERED) await t.assistant.memory.save({ userId: USER, content });
  await until(t.clock, () => isCalibrated(store));
  embedder.calls.length = 0;
  const lastPrompt = () => JSON.stringify(t.model.requests.at(-1)?.prompt.at(-1));
  return { ...t, embedder, lastPrompt };
}

async function isCalibrated(store: Store): Promise<boolean> {
  for await (const { key } of store.list(VECTORS))
    if (JSON.stringify(await store.get(key)).includes('"calibration"')) return true;
  return false;
}

interface Situation {
  readonly goals: string | null;
  readonly memory: TestAssistantOptions["memory"];
}

describe("the initiative hook with an embedder", () => {
  it("finds the goal that a task serves in other words, and asks for each text once", async () => {
    const t = await setUp();
    await t.say(IN_OTHER_WORDS);
    expect(t.lastPrompt()).toContain(SERVES);
    expect(t.embedder.calls).toEqual([[IN_OTHER_WORDS], [FOCUS]]);
    await t.say("/new");
    await t.say("Write the dock passage");
    expect(t.lastPrompt()).toContain(SERVES);
    expect(t.embedder.calls.slice(2)).toEqual([["Write the dock passage"]]);
  });

  it("finds nothing in a task about something else", async () => {
    const t = await setUp();
    await t.say("Book the table for two");
    expect(t.lastPrompt()).not.toContain(SERVES);
    expect(t.embedder.calls).toEqual([["Book the table for two"], [FOCUS]]);
  });

  it.each([
    { title: "fails", wait: () => Promise.reject(new Error("down")) },
    { title: "does not answer", wait: () => new Promise<void>(() => {}) },
    {
      title: "does not answer, and recall would wait for it",
      wait: () => new Promise<void>(() => {}),
      memory: { recall: { timeoutMs: 5000 } },
    },
  ])("lets words alone decide where the embedder $title", async ({ wait, memory }) => {
    const t = await setUp({ memory });
    t.embedder.wait = wait;
    await t.say(IN_OTHER_WORDS);
    expect(t.lastPrompt()).not.toContain(SERVES);
    await t.say("Draft the harbour scene");
    expect(t.lastPrompt()).toContain(SERVES);
  });

  it.each([
    { title: "without goals", goals: null },
    { title: "with a goal that has no focus", goals: "goals:\n  - objective: Finish the novel\n" },
  ])("embeds nothing in a turn $title, besides what recall asks for", async ({ goals }) => {
    const t = await setUp({ goals, memory: { autoRecall: false } });
    await t.say(IN_OTHER_WORDS);
    expect(t.embedder.calls).toEqual([]);
  });

  it.each([
    { title: "does not remember", memory: { enabled: false } },
    { title: "has a greater least similarity", memory: { minSimilarity: 1 } },
  ])("embeds no goal where the memory $title", async ({ memory }) => {
    const t = await setUp({ memory });
    await t.say(IN_OTHER_WORDS);
    expect(t.lastPrompt()).not.toContain(SERVES);
    expect(t.embedder.calls.flat()).not.toContain(FOCUS);
  });

  it("goes by words without an embedder", async () => {
    const store = memoryStore();
    await store.put("goals/memory:42.yaml", GOALS);
    const t = await testAssistant({ queue: { debounceMs: 0 }, store });
    await t.say(IN_OTHER_WORDS);
    await t.say("Draft the harbour scene");
    expect(t.model.requests.map(({ prompt }) => JSON.stringify(prompt.at(-1)).includes(SERVES))).toEqual([false, true]);
  });
});
