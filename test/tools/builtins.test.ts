import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { createAssistant, defineTool, parseConfig } from "../../entry.host.ts";
import { scriptedModel } from "../../src/testing/scripted-model.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

const mine = defineTool({ description: "Mine", inputSchema: v.object({}), execute: () => "mine" });

const namesWith = async (options: TestAssistantOptions) => {
  const { assistant } = await testAssistant(options);
  return assistant.tools.list({ user: "cli", channel: "cli" }).map(({ name }) => name);
};

describe("the option builtins", () => {
  it("leaves all tools by default, and with true", async () => {
    const all = await namesWith({});
    expect(all).toEqual(expect.arrayContaining(["file_read", "time", "memory_write", "subagent", "scheduler_create"]));
    expect(await namesWith({ builtins: true })).toEqual(all);
  });

  it("leaves none but the host's own with false", async () => {
    expect(await namesWith({ builtins: false, tools: { mine } })).toEqual(["mine"]);
    expect(await namesWith({ builtins: [] })).toEqual([]);
  });

  it("leaves groups, names, and names that begin so", async () => {
    const names = await namesWith({ builtins: ["fs", "group:okr", "time", "bg_*"], tools: { mine } });
    expect(names.toSorted()).toEqual(
      ["bg_collect", "bg_dispatch", "bg_status", "file_edit", "file_read", "file_write"]
        .concat("list_files", "mine", "okr_read", "okr_write", "time")
        .toSorted(),
    );
  });

  it("takes them from turns and from the one dispatch point alike", async () => {
    const { assistant, model } = await testAssistant({ builtins: ["time"] });
    await assistant.send({ text: "Hello" });
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(["time"]);
    expect(await assistant.tools.run("file_read", { path: "a" }, { user: "cli", channel: "cli" })).toMatchObject({
      ok: false,
      error: { code: "UNKNOWN_TOOL" },
    });
  });

  it("leaves nothing in the prompt that speaks of tools which are not there", async () => {
    for (const { builtins, excludeTools } of [
      { builtins: false },
      { builtins: ["time"] },
      { builtins: true, excludeTools: ["skills", "acp_*"] },
    ]) {
      const { assistant, model } = await testAssistant({ builtins });
      await assistant.send({ text: "Hello", ...(excludeTools && { context: { excludeTools } }) });
      const [first] = model.requests[0]?.prompt ?? [];
      expect(first?.content).not.toMatch(/the tool skills|acp_context/);
      if (!excludeTools) continue;
      await assistant.send({ text: "Hello again" });
      expect(model.requests[1]?.prompt[0]?.content).toMatch(/acp_context[^]*the tool skills/);
    }
  });

  it("refuses what names nothing, with the nearest name, in code and in the file", async () => {
    const model = scriptedModel([]);
    await expect(createAssistant({ model, builtins: ["web", "memry"] })).rejects.toThrow(
      'builtins[1]: no built-in tool or group is called "memry": did you mean "memory"?',
    );
    await expect(createAssistant({ model, builtins: ["zzzz*"] })).rejects.toThrow("the groups are fs, exec");
    expect(() => parseConfig("version: 1\nbuiltins:\n  - fs\n  - serch\n", { env: {}, file: "wakeful.yaml" })).toThrow(
      /wakeful\.yaml:4.*did you mean "search"/,
    );
    expect(parseConfig("version: 1\nbuiltins: [fs, time]\n", { env: {} })).toMatchObject({ builtins: ["fs", "time"] });
  });
});
