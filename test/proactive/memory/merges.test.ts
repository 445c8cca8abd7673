import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../entry.host.ts";
import { MAX_MODEL_MERGES_A_DAY } from "../../../src/proactive/memory/merges.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { type ScriptedStep, fails, hangs, says, scriptedModel } from "../../../src/testing/scripted-model.ts";
import { until } from "../../support/until.ts";
import { DAY_MS } from "../../memory/assistant.ts";
import { type TestAssistantOptions, testAssistant } from "../../support/assistant.ts";

const ADA = "telegram:1";
const SAID = "prefers quiet window seats in the first carriage of long trains through the high mountains";
const WORDS = [
  "amber",
  "birch",
  "cedar",
  "daisy",
  "elder",
  "fern",
  "grass",
  "hazel",
  "iris",
  "jasmine",
  "kelp",
  "lilac",
];
const own = (word: string) => ["berry", "house", "road"].map((end) => `${word}${end}`).join(" ");
const LESS = (word: string) => `${word} ${own(word)} ${SAID}`;
const MORE = (word: string) => `${word} ${own(word)} ${SAID}\ngladly`;
const ONE = (word: string) => `${word} ${own(word)} ${SAID}, gladly.`;

interface SetUp extends TestAssistantOptions {
  readonly answer?: ScriptedStep;
  readonly provider?: string;
}

/** Pairs of memories that say nearly the same, one for each word. */
async function setUp(words: readonly string[], { answer, provider = "scripted", ...options }: SetUp = {}) {
  const model = scriptedModel(
    (prompt) => answer ?? says(ONE(/"note 1\\+">\\n(\w+)/.exec(JSON.stringify(prompt))?.[1] ?? "")),
    { provider, record: true },
  );
  const t = await testAssistant({ model, channels: [], ...options });
  const { assistant, clock } = t;
  const save = async (content: string, daysAgo: number) =>
    assistant.memory.save({
      userId: ADA,
      content,
      slots: { type: "statement" },
      createdAt: new Date(clock.now() - daysAgo * DAY_MS),
    });
  for (const word of words) {
    await save(MORE(word), 2);
    await save(LESS(word), 1);
  }
  return {
    ...t,
    save,
    async contents() {
      const found: string[] = [];
      for await (const { content } of assistant.memory.list(ADA)) found.push(content);
      return found.sort();
    },
  };
}

describe("memories that say nearly the same", () => {
  it("are joined in the words of a real model, which is counted as their person's", async () => {
    const t = await setUp(["amber"]);
    await t.assistant.memory.tidy({ userId: ADA });
    expect(await t.contents()).toEqual([ONE("amber")]);
    expect(t.model.callCount).toBe(1);
    const [request] = t.model.requests;
    expect(request?.tools ?? []).toEqual([]);
  });

  it.each<{ title: string; given: SetUp; calls: number }>([
    { title: "with the offline model", given: { provider: "wakeful" }, calls: 0 },
    { title: "when the model makes something up", given: { answer: says(`${ONE("amber")} With 3 cats.`) }, calls: 1 },
    { title: "when the model fails", given: { answer: fails(400) }, calls: 1 },
  ])("are joined without a model $title", async ({ given, calls }) => {
    const t = await setUp(["amber"], given);
    await t.assistant.memory.tidy({ userId: ADA });
    expect(await t.contents()).toEqual([MORE("amber")]);
    expect(t.model.callCount).toBe(calls);
  });

  it("are joined without a model when a secret stands in one that somebody wrote by hand", async () => {
    const secret = `ghp_${"aB3dE6gH9kL2".repeat(3)}`;
    const t = await setUp([]);
    // As a file that a person wrote: `save` leaves texts as they are too.
    await t.save(`${secret} ${MORE("amber")}`, 2);
    await t.save(`${secret} ${LESS("amber")}`, 1);
    await t.assistant.memory.tidy({ userId: ADA });
    expect(await t.contents()).toEqual([`${secret} ${MORE("amber")}`]);
    expect(JSON.stringify(t.model.requests)).not.toContain(secret);
  });

  it("are joined without a model when it does not answer in twenty seconds", async () => {
    const t = await setUp(["amber"], { answer: hangs() });
    const tidied = t.assistant.memory.tidy({ userId: ADA });
    await until(t.clock, () => t.model.callCount === 1);
    await t.clock.advance(25_000);
    await tidied;
    expect(await t.contents()).toEqual([MORE("amber")]);
  });

  it("are joined without a model when the budget is used up", async () => {
    const t = await setUp(["amber"], { budget: { daily: { tokens: 10 } } });
    await t.assistant.send({ text: "hello" });
    await t.assistant.memory.tidy({ userId: ADA });
    expect(await t.contents()).toContain(MORE("amber"));
    expect(t.model.callCount).toBe(1);
  });

  it("are joined by a model ten times a day, over restarts", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    const first = await setUp(WORDS.slice(0, 6), { store, clock });
    await first.assistant.memory.tidy({ userId: ADA });
    await first.assistant.stop();
    const second = await setUp(WORDS.slice(6), { store, clock });
    await second.assistant.memory.tidy({ userId: ADA });
    expect(first.model.callCount + second.model.callCount).toBe(MAX_MODEL_MERGES_A_DAY);
    expect(await second.contents()).toHaveLength(WORDS.length);

    clock.step(DAY_MS);
    await second.save(MORE("tulip"), 2);
    await second.save(LESS("tulip"), 1);
    await second.assistant.memory.tidy({ userId: ADA });
    expect(first.model.callCount + second.model.callCount).toBe(MAX_MODEL_MERGES_A_DAY + 1);
    expect(await second.contents()).toContain(ONE("tulip"));
  });
});
