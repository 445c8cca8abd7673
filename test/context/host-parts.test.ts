import { describe, expect, it } from "vitest";
import { type AssistantOptions } from "../../entry.host.ts";
import { testAssistant } from "../support/assistant.ts";

const HOUSE = { name: "house", text: "Speak plainly." };
const STOCK = { name: "stock", text: () => "tea, salt", tokens: 100, data: true };

async function setUp(context: AssistantOptions["context"], channelContext?: AssistantOptions["context"]) {
  const t = await testAssistant({
    channel: { access: { dm: "open", groups: "always", ...(channelContext && { context: channelContext }) } },
    ...(context && { context }),
  });
  const instructions = () => {
    const first = t.model.requests.at(-1)?.prompt[0];
    return first?.role === "system" ? first.content : "";
  };
  return { ...t, instructions };
}

describe("context.parts", () => {
  it("stand in the instructions of every turn, and explainContext lists them", async () => {
    const { assistant, instructions } = await setUp({ parts: [HOUSE, STOCK] });
    await assistant.send({ text: "hi", session: "s" });
    const end = 'Speak plainly.\n\n<wakeful-note source="context.parts">\ntea, salt\n</wakeful-note>';
    expect(instructions()).toContain(end);
    const { parts, totalTokens } = await assistant.explainContext({ session: "s", text: "and now?" });
    expect(parts.map(({ name }) => name)).toEqual([
      "instructions",
      "rules",
      "house",
      "stock",
      "context-tool",
      "skills",
      "history",
      "runtime",
      "message",
    ]);
    for (const part of parts)
      expect(Object.keys(part).every((key) => ["name", "tokens", "source", "cut"].includes(key))).toBe(true);
    expect(totalTokens).toBe(parts.reduce((sum, { tokens }) => sum + tokens, 0));
  });

  it.each([
    [{ strategy: "custom", includeParts: ["stock"] }, false, true],
    [{ strategy: "lite" }, false, false],
    [{ strategy: "full" }, true, true],
  ] as const)("follow the strategy of a channel: %o", async (channelContext, house, stock) => {
    const { say, instructions } = await setUp({ parts: [HOUSE, STOCK] }, channelContext);
    await say("hi");
    expect([instructions().includes(HOUSE.text), instructions().includes("tea, salt")]).toEqual([house, stock]);
  });

  it.each([
    [{ name: "history", text: "x" }, '"history"'],
    [{ name: "house" }, "the text of house"],
    [{ name: "house", text: "x", tokens: 1.5 }, "tokens of house"],
  ])("that cannot be are refused at once: %o", async (part, told) => {
    await expect(setUp({ parts: [part as never] })).rejects.toThrow(told);
  });

  it.each([HOUSE, "Speak plainly.", [null], ["Speak plainly."]])(
    "that are no list of parts are refused: %o",
    async (parts) => {
      await expect(setUp({ parts: parts as never })).rejects.toMatchObject({
        code: "OPTION_INVALID",
        message: "Invalid option context.parts: expected a list of parts, each with a name and a text",
      });
    },
  );
});
