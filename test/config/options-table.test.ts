import { describe, expect, it } from "vitest";
import { sdkOptions } from "../../src/config/schema/sdk.ts";
import { type Section, optionOf } from "../../src/settings/index.ts";
import type { AssistantOptions } from "../../src/options.ts";

describe("the table of options", () => {
  it("has every option of createAssistant that has an effect, and no other", () => {
    // The type makes this list complete.
    const options: Record<keyof AssistantOptions, true> = {
      model: true,
      modelInfo: true,
      budget: true,
      store: true,
      engine: true,
      channels: true,
      tools: true,
      hooks: true,
      workspace: true,
      agent: true,
      agents: true,
      bindings: true,
      owner: true,
      policy: true,
      roles: true,
      users: true,
      timezone: true,
      session: true,
      queue: true,
      context: true,
      compaction: true,
      memory: true,
      artifacts: true,
      patterns: true,
      search: true,
      mcp: true,
      pageReader: true,
      fetch: true,
      deliver: true,
      lookup: true,
      server: true,
      approvals: true,
      modelTimeoutMs: true,
      clock: true,
      platform: true,
      logger: true,
      secrets: true,
    };
    const now = Object.entries((optionOf(sdkOptions) as Section).keys).filter(
      ([, schema]) => (optionOf(schema).status ?? "now") === "now",
    );
    expect(now.map(([name]) => name).sort()).toEqual(Object.keys(options).sort());
  });
});
