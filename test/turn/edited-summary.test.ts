import { describe, expect, it } from "vitest";
import { type Script } from "../../src/testing/scripted-model.ts";
import { testAssistant } from "../support/assistant.ts";

const LINES = "sessions/main/sdk:direct:trip/summary.jsonl";

/** A conversation of which /compact can make a summary. */
async function trip(script: Script = () => "The words that the model says.") {
  const t = await testAssistant({ script, compaction: { keepLastTurns: 1 } });
  return { ...t, say: (text: string) => t.assistant.send({ text, session: "trip" }) };
}

/** One that has a summary. */
async function setUp() {
  const t = await trip();
  for (const place of ["Oslo", "Bergen", "Tromsø"]) await t.say(`We may go to ${place}`);
  return { ...t, key: (await t.say("/compact")).sessionKey };
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
  });

  it("is folded in also when it is written while the model writes the next one", async () => {
    let duringSummary: (() => Promise<unknown>) | undefined;
    const { assistant, say } = await trip(async (_prompt, _call, { tools = [] }) => {
      if (tools.length > 0) return "The words that the model says.";
      const edit = duringSummary;
      duringSummary = undefined;
      await edit?.();
      return "The words that the model says.";
    });
    for (const place of ["Oslo", "Bergen"]) await say(`We may go to ${place}`);
    const { sessionKey: key } = await say("/compact");
    await say("And then?");
    duringSummary = () => assistant.sessions.editSummary(key, "Remember that the boat leaves at 7:45.");
    await say("/compact");
    const summaries = await assistant.sessions.summaries(key);
    expect(summaries.map(({ reason }) => reason)).toEqual(["command", "edit", "command"]);
    expect(summaries.at(-1)?.summary).toContain("7:45");
  });

  it("goes with its session, and nothing of it comes back", async () => {
    const { store, assistant, say, key } = await setUp();
    expect(await store.lastSeq(LINES)).toBe(1);
    expect(await assistant.sessions.remove(key)).toBe(true);
    expect(await store.lastSeq(LINES)).toBe(0);
    await say("Hello again");
    expect(await assistant.sessions.summaries(key)).toEqual([]);
    expect((await assistant.sessions.show(key))?.entries.map(({ type }) => type)).toEqual(["user", "assistant"]);
  });
});
