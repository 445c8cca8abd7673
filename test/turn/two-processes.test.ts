import { describe, expect, it } from "vitest";
import { memoryStore } from "../../mod.ts";
import { says } from "../../src/testing/scripted-model.ts";
import { type TestAssistant, testAssistant } from "../support/assistant.ts";

async function twoProcesses() {
  const store = memoryStore();
  const first = await testAssistant({ store, script: () => says("of the first") });
  const second = await testAssistant({ store, clock: first.clock, script: () => says("of the second") });
  return { store, first, second, during: first.during };
}

const ask = ({ assistant }: TestAssistant, text: string) => assistant.send({ id: text, text, user: "sdk:ada" });

describe("two processes on one store", () => {
  it("answer a conversation once, whichever of them was asked", async () => {
    const { store, first, second, during } = await twoProcesses();
    // Both know the conversation.
    expect((await during(ask(first, "1"))).text).toBe("of the first");
    expect((await during(ask(second, "2"))).text).toBe("of the second");
    // One that the other answered meanwhile, and one that both are asked for at once.
    expect((await during(ask(first, "2"))).text).toBe("of the second");
    const replies = await during(Promise.all([ask(first, "3"), ask(second, "3"), ask(second, "4"), ask(first, "5")]));
    expect(replies[0].turnId).toBe(replies[1].turnId);
    const answered: unknown[] = [];
    for await (const { record } of store.read("sessions/main/sdk:direct:ada/log.jsonl"))
      if (record["type"] === "out") answered.push(...(record["of"] as unknown[]));
    expect(answered).toHaveLength(5);
    expect(new Set(answered)).toEqual(new Set(["send:1", "send:2", "send:3", "send:4", "send:5"]));
  });

  it("begin anew after one of them forgot a person or removed a conversation", async () => {
    const { store, first, second, during } = await twoProcesses();
    const said = () => JSON.stringify(first.model.requests.at(-1));
    for (const text of ["my bird is yellow", "my dog is brown"]) await during(ask(first, text));
    await during(second.assistant.memory.forget({ userId: "sdk:ada" }));
    expect((await during(ask(first, "hello"))).text).toBe("of the first");
    expect(said()).not.toContain("my bird is yellow");
    // Also while the first has a turn at work: that one goes with its message.
    const gone = ask(first, "a cat").catch(() => undefined);
    await store.remove("sessions/main/sdk:direct:ada/log.jsonl");
    expect((await during(ask(first, "hello again"))).text).toBe("of the first");
    await during(first.assistant.stop({ graceMs: 0 }));
    await gone;
  });
});
