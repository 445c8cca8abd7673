import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { offlineModel } from "../../adapters/models/offline/index.ts";
import { everyTool, offering, user } from "./ask.ts";
import { phrasings } from "./offline-phrasings.ts";
import { runs } from "../support/thorough.ts";
import { anyCharacter } from "../support/any-character.ts";

const model = offlineModel();
const said = Object.values(phrasings).flatMap(({ en, zh }) => [...en, ...zh].map(([text]) => text));
/** Texts that are requests, or nearly: cut, joined and with rubbish in them. */
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.constantFrom(...said),
  fc
    .tuple(fc.constantFrom(...said), fc.string({ unit: "grapheme", maxLength: 20 }), fc.constantFrom(...said))
    .map((parts) => parts.join(" ")),
  fc.tuple(fc.constantFrom(...said), fc.nat(40)).map(([whole, length]) => whole.slice(0, length)),
);
const toolName = fc.constantFrom(...everyTool, "unknown");
const output = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((value) => ({ type: "json" as const, value: value as never })),
  fc.string().map((value) => ({ type: "text" as const, value })),
  fc.string().map((value) => ({ type: "error-text" as const, value })),
);
/** What recall and the system message bring, whatever is in it. */
const memory = fc.tuple(fc.constantFrom("2026-05-03, memory: statement", "MEMORY.md", "x"), text);
const recalled = fc.tuple(fc.array(memory, { maxLength: 4 }), text).map(([items, words]) => {
  const lines = items.map(([source, content]) => `- (${source}) ${content}`).join("\n");
  return user(`<wakeful-note source="hooks">\n# From memory\n${lines}\n</wakeful-note>\n\n${words}`);
});
const facts = text.map((words): LanguageModelV4Prompt[number] => ({
  role: "system",
  content: `Rules.\n\n<wakeful-note source="MEMORY.md">\n- ${words}\n</wakeful-note>`,
}));
const message = fc.oneof(
  recalled,
  facts,
  text.map(user),
  text.map((words): LanguageModelV4Prompt[number] => ({ role: "assistant", content: [{ type: "text", text: words }] })),
  text.map((content): LanguageModelV4Prompt[number] => ({ role: "system", content })),
  fc
    .tuple(toolName, fc.constantFrom("a", "b"), fc.jsonValue({ maxDepth: 1 }))
    .map(([name, toolCallId, input]): LanguageModelV4Prompt[number] => ({
      role: "assistant",
      content: [{ type: "tool-call", toolCallId, toolName: name, input }],
    })),
  fc
    .tuple(toolName, fc.constantFrom("a", "b"), output)
    .map(([name, toolCallId, given]): LanguageModelV4Prompt[number] => ({
      role: "tool",
      content: [{ type: "tool-result", toolCallId, toolName: name, output: given }],
    })),
);

describe("offlineModel() on any prompt", () => {
  it("never throws, calls only offered tools with JSON objects, and otherwise says something", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 8 }), fc.subarray(everyTool), async (prompt, tools) => {
        const { content, finishReason, usage } = await model.doGenerate({ prompt, tools: offering(tools) });
        expect(content.length).toBeGreaterThan(0);
        expect(usage.outputTokens.total).toBeGreaterThanOrEqual(0);
        for (const part of content) {
          if (part.type === "tool-call") {
            expect(tools).toContain(part.toolName);
            expect(JSON.parse(part.input)).toBeTypeOf("object");
          } else expect(part.type).toBe("text");
        }
        expect(finishReason.unified).toBe(content[0]?.type === "text" ? "stop" : "tool-calls");
      }),
      { numRuns: runs(300) },
    );
  });

  it("streams exactly what it generates", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 4 }), async (prompt) => {
        const options = { prompt, tools: offering(everyTool) };
        const { content, finishReason, usage } = await model.doGenerate(options);
        let streamed = "";
        const calls = [];
        const { stream } = await model.doStream(options);
        for await (const part of stream) {
          if (part.type === "text-delta") streamed += part.delta;
          if (part.type === "tool-call") calls.push(part);
          if (part.type === "finish") expect(part).toEqual({ type: "finish", finishReason, usage });
        }
        if (content[0]?.type === "text") expect(streamed).toBe(content[0].text);
        else expect(calls).toEqual(content);
      }),
      { numRuns: runs(100) },
    );
  });
});
