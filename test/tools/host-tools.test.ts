import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool } from "../../entry.host.ts";
import { testAssistant } from "../support/assistant.ts";

describe("a call of the host program", () => {
  it("may end within the grace of a stop, and is aborted after it", async () => {
    const waiting: (() => void)[] = [];
    const signals: AbortSignal[] = [];
    const slow = defineTool({
      description: "takes its time",
      inputSchema: v.object({}),
      execute: (_, { signal }) => {
        signals.push(signal);
        return new Promise<string>((resolve) => waiting.push(() => resolve("done")));
      },
    });
    const { assistant, clock } = await testAssistant({ tools: { slow } });
    const calls = [assistant.tools.run("slow", {}), assistant.tools.run("slow", {})];
    await clock.advance(10);
    const stopping = assistant.stop({ graceMs: 1000 });
    await clock.advance(500);
    waiting[0]?.();
    expect(await calls[0]).toEqual({ ok: true, output: "done" });
    expect(signals[1]?.aborted).toBe(false);
    await clock.advance(500);
    expect(await calls[1]).toMatchObject({ ok: false, error: { code: "ABORTED" } });
    expect(signals[1]?.aborted).toBe(true);
    await stopping;
  });
});
