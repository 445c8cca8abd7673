import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { type SendInput, defineTool } from "../../entry.host.ts";
import { calls, says } from "../../src/testing/index.ts";
import { testAssistant } from "../support/assistant.ts";

describe("what send() takes", () => {
  it.each([
    [{ context: { excludeTools: "bash" } }, "context.excludeTools must be a list of names"],
    [
      { context: { excludeTools: ["file_wirte"] } },
      'has "file_wirte", which is not a tool: did you mean "file_write"?',
    ],
    [{ context: { excludeTools: ["flie_*"] } }, 'context.excludeTools has "flie_*", which is not a tool'],
    [{ context: { includeMemory: 1 } }, "context.includeMemory must be true or false"],
    [{ context: { historyTokens: -1 } }, "context.historyTokens must be a whole number of 0 or more"],
    [{ context: { strategy: "most" } }, "context.strategy must be one of full, lite, custom"],
    [{ context: { exclude: [] } }, "context.exclude is unknown: known: strategy"],
    [
      { context: { historyTokens: 5n } },
      'context.historyTokens must be a whole number of 0 or more: current value is "5n"',
    ],
    [{ context: { toString: 1 } }, "context.toString is unknown: known: strategy"],
    [{ context: "lite" }, 'context must be an object: current value is "lite"'],
    [{ context: [] }, "context must be an object"],
    [{ user: ":42" }, 'user must be "channel:id": current value is ":42"'],
    [{ user: "telegram:" }, 'user must be "channel:id": current value is "telegram:"'],
  ])("is refused with its name when it is wrong: %o", async (input, message) => {
    const { assistant } = await testAssistant({ script: [] });
    await expect(assistant.send({ text: "Hello", ...(input as Partial<SendInput>) })).rejects.toMatchObject({
      code: "OPTION_INVALID",
      message: expect.stringContaining(message) as unknown,
    });
  });

  it("is refused with what was expected when it is missing, or a tool that is registered is none", async () => {
    const { assistant } = await testAssistant({ script: [] });
    const { send, tools } = assistant as unknown as Record<"send", () => Promise<unknown>> & {
      readonly tools: { register(...given: readonly unknown[]): unknown };
    };
    await expect(send()).rejects.toMatchObject({
      code: "OPTION_INVALID",
      message: expect.stringContaining("text must be a string") as unknown,
    });
    expect(() => tools.register({ description: "x" })).toThrow(/its name must be 1 to 128 letters/);
    for (const given of [undefined, "look", {}])
      expect(() => tools.register("look", given)).toThrow('Cannot register "look": expected a tool');
  });

  it("leaves out no tool that there is not, for all and for a channel, but those of MCP servers come later", async () => {
    const wrong = {
      code: "OPTION_INVALID",
      message: 'Invalid option: context.excludeTools has "wipee", which is not a tool: did you mean "wipe"?',
    };
    const wipe = defineTool({ description: "Wipes", inputSchema: v.object({}), execute: () => "wiped" });
    const context = { excludeTools: ["wipee"] };
    await expect(testAssistant({ tools: { wipe }, context })).rejects.toMatchObject(wrong);
    const channel = { access: { dm: "open", context } } as const;
    await expect(testAssistant({ tools: { wipe }, channel })).rejects.toMatchObject(wrong);
    await testAssistant({ tools: { wipe }, context: { excludeTools: ["wipe", "web_search", "mcp__files__read"] } });
  });

  it("names the one person of a channel when the user has no colon", async () => {
    const { assistant } = await testAssistant();
    const keys = [];
    for (const user of ["nocolon", "nocolon:42", undefined])
      keys.push((await assistant.send({ text: "Hello", ...(user !== undefined && { user }) })).sessionKey);
    expect(keys).toEqual([
      "agent:main:nocolon:direct:nocolon",
      "agent:main:nocolon:direct:42",
      "agent:main:sdk:direct:sdk",
    ]);
  });

  it("speaks as the owner without a user where owner.ids names sdk, and as a role that sdk has", async () => {
    const roles: (readonly string[])[] = [];
    const look = defineTool({
      description: "Looks",
      inputSchema: v.object({}),
      execute: (_, { speaker }) => void roles.push(speaker.roles),
      meta: { dangerous: true },
    });
    const { assistant } = await testAssistant({
      owner: { ids: ["sdk"] },
      roles: { staff: ["sdk"] },
      tools: { look },
    });
    expect((await assistant.send({ text: "/whoami" })).text).toContain("Roles: owner");
    expect((await assistant.send({ text: "/whoami", user: "sdk:42" })).text).toContain("Roles: user");
    const asked = await assistant.tools.run("look", {});
    if (asked.ok || !("approval" in asked)) throw new Error("It was not asked for");
    await assistant.approvals.answer(asked.approval.id, { answer: "once", user: "sdk" });
    expect(roles).toEqual([["owner", "user", "staff"]]);
    await expect(testAssistant({ owner: { ids: ["sdk:sdk"] } })).rejects.toMatchObject({ code: "OPTION_INVALID" });
  });

  it("is a prompt of its own: no runtime block, no memory, without a tool", async () => {
    const { assistant, model } = await testAssistant();
    const context = {
      strategy: "custom",
      excludeTools: ["file_write"],
      includeRuntime: false,
      includeMemory: false,
    } as const;
    await assistant.send({ text: "One" });
    await assistant.send({ text: "Two", session: "other", context });
    const [whole, own] = model.requests.map(({ prompt, tools = [] }) => ({
      said: JSON.stringify(prompt),
      tools: tools.map(({ name }) => name),
    }));
    expect(whole?.said).toContain("channel: sdk");
    expect(own?.said).not.toContain("channel: sdk");
    expect(whole?.tools).toContain("file_write");
    expect(own?.tools).not.toContain("file_write");
  });

  it("leaves out the tools of a pattern: none is shown, and none is called", async () => {
    const { assistant, model } = await testAssistant({ script: [calls(["file_read", { path: "a" }]), says("ok")] });
    const { toolCalls } = await assistant.send({ text: "Read", context: { excludeTools: ["file_*"] } });
    const shown = (model.requests[0]?.tools ?? []).map(({ name }) => name);
    expect(shown).toContain("list_files");
    expect(shown.filter((name) => name.startsWith("file_"))).toEqual([]);
    expect(toolCalls).toMatchObject([{ name: "file_read", error: { message: 'There is no tool "file_read"' } }]);
  });
});
