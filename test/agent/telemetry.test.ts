import { afterEach, describe, expect, it } from "vitest";
import { askOnce } from "../../src/agent/ask-once.ts";
import { fakeClock, scriptedModel } from "../../src/testing/index.ts";

const call = () => ({
  instructions: "Be brief",
  messages: [{ role: "user", content: "are you there?" }] as const,
  tools: [{ modelName: "look", description: "Looks", jsonSchema: { type: "object" } }],
  signal: new AbortController().signal,
});

describe("the AI SDK's telemetry", () => {
  const before = globalThis.AI_SDK_TELEMETRY_INTEGRATIONS;
  afterEach(() => {
    globalThis.AI_SDK_TELEMETRY_INTEGRATIONS = before;
  });

  it("tells an integration that the host registered of each call, and nobody after it has gone", async () => {
    const told: string[] = [];
    const integration = { onStart: () => void told.push("start"), onEnd: () => void told.push("end") };
    globalThis.AI_SDK_TELEMETRY_INTEGRATIONS = [integration] as typeof before;
    expect((await askOnce(scriptedModel(["here"]), { clock: fakeClock() }, call())).text).toBe("here");
    expect(told).toEqual(["start", "end"]);

    globalThis.AI_SDK_TELEMETRY_INTEGRATIONS = [];
    expect((await askOnce(scriptedModel(["still here"]), { clock: fakeClock() }, call())).text).toBe("still here");
    expect(told).toEqual(["start", "end"]);
  });
});
