import { describe, expect, it } from "vitest";
import { createAssistant } from "../../entry.host.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { says, scriptedModel } from "../../src/testing/scripted-model.ts";

describe("assistant.memory", () => {
  it("names the field of a call that lacks it or has it wrong, as a program without types makes it", async () => {
    const { memory, stop } = await createAssistant({ model: scriptedModel(() => says("ok")), clock: fakeClock() });
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
    await stop();
  });
});
