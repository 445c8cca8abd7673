import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { type StreamEvent, defineTool } from "../../entry.host.ts";
import { type ScriptedStep, calls, says } from "../../src/testing/scripted-model.ts";
import { testAssistant } from "../support/assistant.ts";

describe("an answer that its model did not end itself", () => {
  it.each([
    { finish: "length", text: "The first half of", said: "Tell me all", told: /^The first half of\n\n\[.*go on/s },
    { finish: "length", text: "", said: "Tell me all", told: /^\[.*cut off.*\]$/ },
    { finish: "length", text: "前半段", said: "都告诉我", told: /^前半段\n\n\[.*继续/s },
    { finish: "content-filter", text: "", said: "Tell me all", told: /^\[.*content filter\.\]$/ },
    { finish: "content-filter", text: "Well,", said: "都告诉我", told: /^Well,\n\n\[.*内容过滤/s },
    { finish: "stop", text: "All of it", said: "Tell me all", told: /^All of it$/ },
    { finish: "stop", text: "", said: "Tell me all", told: /^$/ },
  ] as const)("says so after $finish: $text", async ({ finish, text, said, told }) => {
    const { assistant } = await testAssistant({ script: [says(text, { finish }), says("and so on")] });
    const reply = await assistant.send({ text: said });
    expect(reply.text).toMatch(told);
    expect(reply.silent).toBe(reply.text === "");
    expect((await assistant.send({ text: "go on" })).text).toBe("and so on");
  });

  it("is streamed with what says so behind it", async () => {
    const { assistant } = await testAssistant({ script: [says("Half", { finish: "length" })] });
    const events: StreamEvent[] = [];
    for await (const event of assistant.stream({ text: "Tell me all" })) events.push(event);
    expect(events).toContainEqual({
      type: "reply",
      reply: expect.objectContaining({ text: expect.stringMatching(/^Half\n\n\[/) }),
    });
  });

  it("says of a call that it was cut off, without its input once more, and goes on", async () => {
    const input = `{"text": "${"long ".repeat(1000)}`;
    const write = defineTool({
      description: "Writes",
      inputSchema: v.object({ text: v.string() }),
      execute: ({ text }) => text.length,
    });
    const cutOff = { ...calls(["write", input]), finish: "length" } as ScriptedStep;
    const { assistant } = await testAssistant({
      tools: { write },
      script: [cutOff, calls(["write", { text: "short" }]), says("Written")],
    });
    const reply = await assistant.send({ text: "Write it" });
    expect(reply.text).toBe("Written");
    expect(reply.toolCalls.map(({ error, output }) => error ?? output)).toEqual([
      { code: "BAD_CALL", message: expect.stringMatching(/^The call is cut off.{1,120}$/) },
      5,
    ]);
  });
});
