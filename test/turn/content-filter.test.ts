import { APICallError } from "@ai-sdk/provider";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool } from "../../entry.host.ts";
import { calls, fails, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { testAssistant } from "../support/assistant.ts";

const REFUSED = new APICallError({
  message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
  url: "http://scripted.invalid/",
  requestBodyValues: {},
  statusCode: 400,
  responseBody: '{"error":{"code":"content_filter"}}',
});

/** As providers do: they look at the whole prompt, so words that were refused are refused in each later one. */
function filteringModel() {
  return scriptedModel(
    (prompt) => (JSON.stringify(prompt).includes("unspeakable") ? fails(REFUSED) : says("Of course")),
    { record: true },
  );
}

describe("words that a provider's content filter refuses", () => {
  it("are told of, and left out of later prompts, so that the conversation goes on", async () => {
    const { assistant } = await testAssistant({ model: filteringModel() });
    await assistant.send({ text: "Hello" });
    expect(await assistant.send({ text: "Something unspeakable" })).toMatchObject({
      text: expect.stringMatching(/content filter/),
      error: { code: "CONTENT_FILTERED" },
    });
    expect(await assistant.send({ text: "Something else then" })).toMatchObject({ text: "Of course" });
    expect(await assistant.send({ text: "And more" })).toMatchObject({ text: "Of course" });
  });

  it("may stand in a tool's result: what was called is still known", async () => {
    const model = scriptedModel(
      (prompt) => {
        const shown = JSON.stringify(prompt);
        if (shown.includes("unspeakable")) return fails(REFUSED);
        return shown.includes("Read it") ? calls(["page", {}]) : says("Of course");
      },
      { record: true },
    );
    const page = defineTool({ description: "Reads", inputSchema: v.object({}), execute: () => "unspeakable" });
    const { assistant } = await testAssistant({ model, tools: { page } });
    expect(await assistant.send({ text: "Read it" })).toMatchObject({ error: { code: "CONTENT_FILTERED" } });
    expect(await assistant.send({ text: "What did you do?" })).toMatchObject({ text: "Of course" });
    expect(JSON.stringify(model.requests.at(-1)?.prompt)).toContain("Tools that had been called: page.");
  });

  it("are in no summary of the conversation's beginning", async () => {
    const model = filteringModel();
    const { assistant } = await testAssistant({ model, compaction: { keepLastTurns: 1 } });
    for (const text of ["Something unspeakable", "One", "Two", "Three"]) await assistant.send({ text });
    const before = model.requests.length;
    expect((await assistant.send({ text: "/compact" })).text).toMatch(/^\d turns are in a summary/);
    expect(model.requests.length).toBeGreaterThan(before);
    expect(JSON.stringify(model.requests.slice(1))).not.toContain("unspeakable");
    expect(await assistant.send({ text: "Four" })).toMatchObject({ text: "Of course" });
  });
});
