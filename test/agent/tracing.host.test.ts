import { tracingChannel } from "node:diagnostics_channel";
import { describe, expect, it } from "vitest";
import { askOnce } from "../../src/agent/ask-once.ts";
import { platform } from "../support/this-platform.ts";
import { fakeClock, scriptedModel } from "../../src/testing/index.ts";

describe("the channel that tracers listen to", () => {
  it("hears of the calls while somebody listens", async () => {
    const heard: string[] = [];
    const listener = { start: (message: unknown) => void heard.push((message as { type: string }).type) };
    const ask = () =>
      askOnce(
        scriptedModel(["here"]),
        { clock: fakeClock(), isTracing: platform.isTracing },
        {
          instructions: "",
          messages: [{ role: "user", content: "are you there?" }],
          tools: [],
          signal: new AbortController().signal,
        },
      );
    const channel = tracingChannel("ai:telemetry");
    channel.start.subscribe(listener.start);
    await ask();
    channel.start.unsubscribe(listener.start);
    const { length } = heard;
    expect(heard).toContain("generateText");

    await ask();
    expect(heard).toHaveLength(length);
  });
});
