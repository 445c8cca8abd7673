import { LoadAPIKeyError } from "@ai-sdk/provider";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type StreamEvent } from "../../entry.host.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import { testAssistant } from "../support/assistant.ts";

const MENDED_BY = "set the environment variable OPENAI_API_KEY";

/** As `openai("gpt-5")` where OPENAI_API_KEY is not set. */
const keyless = () =>
  scriptedModel(() => {
    throw new LoadAPIKeyError({
      message:
        "OpenAI API key is missing. Pass it using the 'apiKey' parameter or the OPENAI_API_KEY environment variable.",
    });
  });

describe("a model without a key", () => {
  afterEach(() => vi.restoreAllMocks());

  it("is named in the reply's error, and in one line of the default logger", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const model = keyless();
    const { assistant } = await testAssistant({ model });
    const reply = await assistant.send({ text: "hi" });
    expect(reply.error).toEqual({ code: "MODEL_UNAVAILABLE", message: expect.stringContaining(MENDED_BY) });
    expect(reply.text).not.toContain("OPENAI");
    expect(model.callCount).toBe(1);
    await assistant.stop();
    const lines = printed.mock.calls.flat().map(String);
    expect(lines).toEqual([expect.stringMatching(/^wakeful: A turn could not be answered: No model answered: .*$/)]);
    expect(lines[0]).toContain(MENDED_BY);
  });

  it("is named in the stream's error, and a logger of the host's own gets the line instead", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const lines: string[] = [];
    const ignore = () => {};
    const logger = { debug: ignore, info: ignore, warn: ignore, error: (line: string) => void lines.push(line) };
    const { assistant } = await testAssistant({ model: keyless(), logger });
    const events: StreamEvent[] = [];
    for await (const event of assistant.stream({ text: "hi" })) events.push(event);
    expect(events.find(({ type }) => type === "error")).toEqual({
      type: "error",
      code: "MODEL_UNAVAILABLE",
      message: expect.stringContaining(MENDED_BY),
    });
    await assistant.stop();
    expect([lines, printed.mock.calls]).toEqual([["A turn could not be answered"], []]);
  });
});
