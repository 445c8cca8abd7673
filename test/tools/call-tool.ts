import { memoryStore } from "../../src/store/index.ts";
import { checkInput } from "../../src/tools/schema.ts";
import { isToolOutcome } from "../../src/tools/tool.ts";
import type { AnyTool, ToolContext } from "../../src/tools/tool.ts";

/** A context as a direct chat with Ada on the channel `memory` has it. */
export function contextOf(overrides: Partial<ToolContext> = {}): ToolContext {
  return {
    callId: "turn-1.0.0",
    taskId: "turn-1",
    user: "memory:ada",
    userRoles: ["user"],
    channel: "memory",
    accountId: "default",
    chatId: "ada",
    sessionKey: "agent:main:memory:direct:ada",
    inTurn: true,
    agentId: "main",
    signal: new AbortController().signal,
    store: memoryStore(),
    emit: () => {},
    callTool: () => Promise.reject(new Error("no other tools here")),
    ...overrides,
  };
}

/** Calls a tool as the dispatch point does, with what a model wrote: checked input in, JSON or the code and message of the refusal out. */
export async function callTool(
  tools: Readonly<Record<string, AnyTool>>,
  name: string,
  input: unknown,
  context: ToolContext = contextOf(),
): Promise<unknown> {
  const tool = tools[name];
  if (tool === undefined) throw new TypeError(`There is no tool ${name}`);
  const checked = await checkInput(tool, input);
  if (!checked.ok) return { refused: "BAD_INPUT", message: checked.message };
  try {
    const value = await tool.execute(checked.input as never, context);
    return isToolOutcome(value) ? { ...value } : JSON.parse(JSON.stringify(value));
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "ToolError" || !("code" in error)) throw error;
    return { refused: error.code, message: error.message };
  }
}
