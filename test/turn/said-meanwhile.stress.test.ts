import { describe, expect, it } from "vitest";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { delayed, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { testAssistant } from "../support/assistant.ts";

describe("the mode interrupt", () => {
  it("comes to an answer however fast people write", async () => {
    const clock = fakeClock();
    const model = scriptedModel(() => delayed(5000, says("answer")), { clock });
    const t = await testAssistant({ model, clock, queue: { mode: "interrupt" } });
    let answered = 0;
    for (let number = 0; number < 60; number += 1) {
      void t.assistant.send({ text: `message ${number}`, session: "s" }).then(
        () => (answered += 1),
        () => {},
      );
      for (let moment = 0; moment < 10; moment += 1) {
        await clock.advance(100);
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    }
    expect(answered, "while they still write").toBeGreaterThan(20);
  });
});
