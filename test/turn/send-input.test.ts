import { describe, expect, it } from "vitest";
import { type SendInput, createAssistant } from "../../mod.ts";
import { says, scriptedModel } from "../../src/testing/index.ts";

describe("what send() takes", () => {
  it.each([
    [{ context: { excludeTools: "bash" } }, "context.excludeTools must be a list of names"],
    [{ context: { includeMemory: 1 } }, "context.includeMemory must be true or false"],
    [{ context: { historyTokens: -1 } }, "context.historyTokens must be a whole number of 0 or more"],
    [{ context: { strategy: "most" } }, "context.strategy must be one of full, lite, custom"],
    [{ context: { exclude: [] } }, "context.exclude is unknown: known: strategy"],
    [{ user: ":42" }, 'user must be "channel:id": current value is ":42"'],
    [{ user: "telegram:" }, 'user must be "channel:id": current value is "telegram:"'],
  ])("is refused with its name when it is wrong: %j", async (input, message) => {
    const assistant = await createAssistant({ model: scriptedModel([]) });
    await expect(assistant.send({ text: "Hello", ...(input as Partial<SendInput>) })).rejects.toMatchObject({
      code: "OPTION_INVALID",
      message: expect.stringContaining(message) as unknown,
    });
    await assistant.stop();
  });

  it("is a prompt of its own: no runtime block, no memory, without a tool", async () => {
    const model = scriptedModel(() => says("Yes"), { record: true });
    const assistant = await createAssistant({ model });
    const context = {
      strategy: "custom",
      excludeTools: ["file_write"],
      includeRuntime: false,
      includeMemory: false,
    } as const;
    await assistant.send({ text: "One" });
    await assistant.send({ text: "Two", session: "other", context });
    const [whole, own] = model.requests.map(({ prompt, tools = [] }) => ({
      said: JSON.stringify(prompt),
      tools: tools.map(({ name }) => name),
    }));
    expect(whole?.said).toContain("channel: sdk");
    expect(own?.said).not.toContain("channel: sdk");
    expect(whole?.tools).toContain("file_write");
    expect(own?.tools).not.toContain("file_write");
    await assistant.stop();
  });
});
