import { describe, expect, it } from "vitest";
import { says, streams } from "../../src/testing/scripted-model.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import { testAssistant } from "../support/assistant.ts";

const thinks = (text: string) => [
  { type: "reasoning-start", id: "r1" },
  { type: "reasoning-delta", id: "r1", delta: text },
  { type: "reasoning-end", id: "r1", providerMetadata: { anthropic: { signature: "signed" } } },
];
const writes = (text: string) => [
  { type: "text-start", id: "t1", providerMetadata: { openai: { itemId: "msg_1", phase: "final" } } },
  { type: "text-delta", id: "t1", delta: text },
  { type: "text-end", id: "t1" },
];
const ends = (unified: string) => ({
  type: "finish",
  finishReason: { unified, raw: undefined },
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
});
const callsTime = { type: "tool-call", toolCallId: "c1", toolName: "time", input: "{}" };

describe("the prompt of a later turn", () => {
  it("has no thoughts of turns that ended, which the turn itself was shown, and no ids of stored items", async () => {
    const model = scriptedModel(
      [
        streams([...thinks("I must look"), callsTime, ends("tool-calls")]),
        streams([...thinks("I know now"), ...writes("It is noon."), ends("stop")]),
        streams([...thinks("Nothing to say"), ends("stop")]),
        says("Still noon."),
      ],
      { record: true },
    );
    const { assistant } = await testAssistant({ model });
    const streamed = async (text: string) => {
      for await (const event of assistant.stream({ text })) if (event.type === "reply") return event.reply;
      return undefined;
    };
    expect(await streamed("What time is it?")).toMatchObject({ text: "It is noon." });
    expect(await streamed("Thanks")).toMatchObject({ silent: true });
    await assistant.send({ text: "And now?" });
    const shown = model.requests.map(({ prompt }) => JSON.stringify(prompt));
    expect(shown[1]).toContain("I must look");
    expect(shown[1]).toContain("signed");
    for (const later of [shown[2], shown[3]]) {
      expect(later).toContain("It is noon.");
      expect(later).toContain('"toolCallId":"c1"');
      expect(later).not.toMatch(/I must look|I know now|Nothing to say|signed|msg_1/);
    }
    expect(shown[3]).toContain('"phase":"final"');
  });
});
