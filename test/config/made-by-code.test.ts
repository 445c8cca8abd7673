import { describe, expect, it } from "vitest";
import { type AssistantOptions, createAssistant, memoryStore } from "../../entry.host.ts";
import { says, scriptedModel } from "../../src/testing/index.ts";

describe("what is made by code", () => {
  it.each<[object, string]>([
    [
      { store: {} },
      "option store: expected an object with the functions get, put, remove, list, append, read, got {  }",
    ],
    [
      { store: null },
      "option store: expected an object with the functions get, put, remove, list, append, read, got null",
    ],
    [{ engine: {} }, "option engine: expected an object with the functions start, wake, stop, got {  }"],
    [{ clock: { now: () => 0 } }, "option clock: expected an object with the functions now, sleep, at, got { now }"],
    [{ logger: console.log }, "option logger: expected an object with the functions debug, info, warn, error, got"],
    [{ fetch: 1 }, "option fetch: expected a function, got 1"],
    [{ lookup: "x" }, "option lookup: expected a function, got x"],
    [{ memory: { store: {} } }, "option memory.store: expected an object with the functions save, get, search, list"],
    [{ memory: { embedder: 5 } }, "option memory.embedder: expected an object with the functions doEmbed, got 5"],
    [{ patterns: {} }, "option patterns: expected an object with the functions compile, got {  }"],
    [
      { workspace: { read() {} } },
      "option workspace: expected an object with the functions read, write, list, stat, remove",
    ],
    [{ agents: [{ id: "a", workspace: {} }] }, "option workspace: expected an object with the functions read, write"],
    [{ channels: {} }, "option channels: expected a list of channels, got {  }"],
    [{ hooks: {} }, "option hooks: expected a list of hooks, got {  }"],
    [{ registries: null }, "option registries: expected a list of registries, got null"],
    [
      { proactive: { patterns: { detectors: { detect() {} } } } },
      "option proactive.patterns.detectors: expected a list of detectors, got { detect }",
    ],
    [
      { proactive: { patterns: { detectors: [{ name: "nights" }] } } },
      "option proactive.patterns.detectors[0]: expected an object with the functions detect, suggest, got { name }",
    ],
    [{ channels: [{}] }, "option channels[0]: expected an object with the functions send, got {  }"],
    [{ channels: [{ send() {} }] }, "option channels[0]: expected a channel, with name and access, got { send }"],
    [{ tools: null }, "option tools: expected tools by name, got null"],
    [{ tools: { x: 1 } }, "option tools.x: expected an object with the functions execute, got 1"],
    [{ tools: { x: { execute() {} } } }, "option tools.x: expected a tool with an inputSchema, as defineTool makes it"],
  ])("is told by its option's name when it cannot be what it is for: %j", async (options, message) => {
    const made = createAssistant({ model: scriptedModel([]), ...(options as AssistantOptions) });
    await expect(made).rejects.toThrow(`Invalid ${message}`);
  });

  it("may come by a prototype, and the store in a promise", async () => {
    const model = scriptedModel(() => says("hi"));
    for (const options of [
      Object.create({ model, store: memoryStore() }) as AssistantOptions,
      { model, store: Promise.resolve(memoryStore()) } as never,
    ]) {
      const assistant = await createAssistant(options);
      expect(await assistant.send({ text: "hello" })).toMatchObject({ text: "hi" });
      await assistant.stop();
    }
  });
});
