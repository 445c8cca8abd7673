import { generateText } from "ai";
import { describe, expect, it } from "vitest";
import { withThoughtsApart } from "../../src/agent/index.ts";
import { foldStream } from "../../src/agent/fold-stream.ts";
import { type ScriptedStep, says, scriptedModel, streams } from "../../src/testing/scripted-model.ts";

async function ask(step: ScriptedStep, streamed: boolean) {
  const model = withThoughtsApart(scriptedModel(() => step));
  const told: string[] = [];
  const asked = streamed ? foldStream(model, ({ type, text }) => type === "text" && told.push(text)) : model;
  const { text, reasoningText = "" } = await generateText({ model: asked, prompt: "hi", maxRetries: 0 });
  if (streamed) expect(told.join("")).toBe(text);
  return [reasoningText, text];
}

/** An answer whose pieces have `size` characters each. */
function inPieces(text: string, size: number): ScriptedStep {
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
  return streams([
    { type: "text-start", id: "1" },
    ...pieces.map((delta) => ({ type: "text-delta" as const, id: "1", delta })),
    { type: "text-end", id: "1" },
    {
      type: "finish",
      finishReason: { unified: "stop", raw: "stop" },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
    },
  ]);
}

describe("withThoughtsApart()", () => {
  it.each([
    ["<think>Who?</think>It is Ada.", "Who?", "It is Ada."],
    ["\n <think>\nWho?</think>\n\nIt is Ada.", "\nWho?", "\n\nIt is Ada."],
    ["<think>Who?</think>\n<think>Ada</think>\nIt is Ada.", "Who?Ada", "\nIt is Ada."],
    ["<think></think>\n\nIt is Ada.", "", "\n\nIt is Ada."],
    ["<think>Is 1 </ 2, or </th", "Is 1 </ 2, or </th", ""],
    ["<th", "", "<th"],
    ["", "", ""],
    ["  It is Ada.", "", "  It is Ada."],
    ["Models write `<think>` before an answer.", "", "Models write `<think>` before an answer."],
    ["```xml\n<think>Who?</think>\n```\nThat is all.", "", "```xml\n<think>Who?</think>\n```\nThat is all."],
    ["<think>Who?</think>Write <think> first, then </think>.", "Who?", "Write <think> first, then </think>."],
  ])("takes thoughts at the beginning out, and leaves the tag alone further on: %j", async (answer, thought, text) => {
    const expected = [thought, text];
    expect(await ask(says(answer), false)).toEqual(expected);
    for (const size of [1, 3, 7, 100]) expect(await ask(inPieces(answer, size), true)).toEqual(expected);
  });
});
