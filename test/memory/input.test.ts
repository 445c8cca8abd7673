import { describe, expect, it } from "vitest";
import { testAssistant } from "../support/assistant.ts";

describe("assistant.memory", () => {
  it("names the field of a call that lacks it or has it wrong, as a program without types makes it", async () => {
    const { memory } = (await testAssistant({ start: false })).assistant;
    const wrong: readonly (readonly [string, () => unknown])[] = [
      ["userId", () => memory.save({ content: "x" } as never)],
      ["userId", () => memory.save(null as never)],
      ["userId", () => memory.recall({ text: "x" } as never)],
      ["userId", () => memory.get(undefined as never, "x")],
      ["userId", () => memory.update("", "x", {})],
      ["userId", () => memory.digest({ userId: 5 as never })],
      ["userId", () => memory.digest(undefined as never)],
      ["userId", () => memory.extract(undefined as never)],
      ["userId", () => memory.forget(null as never)],
      ["text", () => memory.recall({ userId: "telegram:1", text: 5 as never })],
    ];
    for (const [field, call] of wrong)
      await expect(call()).rejects.toMatchObject({
        code: "OPTION_INVALID",
        message: expect.stringContaining(`Invalid ${field}: expected`),
      });
  });
});
