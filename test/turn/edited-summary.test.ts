import { describe, expect, it } from "vitest";
import { createAssistant } from "../../entry.host.ts";
import { memoryStore } from "../../src/store/index.ts";
import { scriptedModel } from "../../src/testing/scripted-model.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

const LINES = "sessions/main/sdk:direct:trip/summary.jsonl";

async function setUp() {
  const store = memoryStore();
  const model = scriptedModel(() => "The words that the model says.", { record: true });
  const assistant = await createAssistant({
    model,
    store,
    clock: fakeClock(),
    server: { token: "owner-token-0123456789" },
    compaction: { keepLastTurns: 1 },
  });
  const say = (text: string) => assistant.send({ text, session: "trip" });
  for (const place of ["Oslo", "Bergen", "Tromsø"]) await say(`We may go to ${place}`);
  const key = (await say("/compact")).sessionKey;
  return { store, model, assistant, say, key };
}

describe("a summary that a person edits", () => {
  it("is what the next prompt shows, and the next summary begins with", async () => {
    const { model, assistant, say, key } = await setUp();
    expect(await assistant.sessions.summaries(key)).toMatchObject([{ reason: "command" }]);
    await assistant.sessions.editSummary(key, "Ada decided on Lofoten, in May.");
    await say("And then?");
    const asked = JSON.stringify(model.requests.at(-1)?.prompt);
    expect(asked).toContain("Ada decided on Lofoten, in May.");
    await say("/compact");
    expect(JSON.stringify(model.requests.at(-1)?.prompt)).toContain("Lofoten");
    expect((await assistant.sessions.summaries(key)).map(({ reason }) => reason)).toEqual([
      "command",
      "edit",
      "command",
    ]);
    await assistant.stop();
  });

  it("is folded in also when it is written while the model writes the next one", async () => {
    let duringSummary: (() => Promise<unknown>) | undefined;
    const store = memoryStore();
    const model = scriptedModel(async (_prompt, _call, { tools = [] }) => {
      if (tools.length > 0) return "The words that the model says.";
      const edit = duringSummary;
      duringSummary = undefined;
      await edit?.();
      return "The words that the model says.";
    });
    const assistant = await createAssistant({ model, store, clock: fakeClock(), compaction: { keepLastTurns: 1 } });
    const say = (text: string) => assistant.send({ text, session: "trip" });
    for (const place of ["Oslo", "Bergen"]) await say(`We may go to ${place}`);
    const { sessionKey: key } = await say("/compact");
    await say("And then?");
    duringSummary = () => assistant.sessions.editSummary(key, "Remember that the boat leaves at 7:45.");
    await say("/compact");
    const summaries = await assistant.sessions.summaries(key);
    expect(summaries.map(({ reason }) => reason)).toEqual(["command", "edit", "command"]);
    expect(summaries.at(-1)?.summary).toContain("7:45");
    await assistant.stop();
  });

  it("goes with its session, and nothing of it comes back", async () => {
    const { store, assistant, say, key } = await setUp();
    expect(await store.lastSeq(LINES)).toBe(1);
    expect(await assistant.sessions.remove(key)).toBe(true);
    expect(await store.lastSeq(LINES)).toBe(0);
    await say("Hello again");
    expect(await assistant.sessions.summaries(key)).toEqual([]);
    expect((await assistant.sessions.show(key))?.entries.map(({ type }) => type)).toEqual(["user", "assistant"]);
    await assistant.stop();
  });
});
