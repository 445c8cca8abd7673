import type { Peer } from "../../src/message.ts";
import { memoryStore } from "../../src/store/index.ts";
import { checkInput } from "../../src/tools/schema.ts";
import { isToolOutcome } from "../../src/tools/tool.ts";
import type { AnyTool, ToolContext } from "../../src/tools/tool.ts";

const ADA = { user: "memory:ada", channel: "memory", sessionKey: "agent:main:memory:direct:ada", agentId: "main" };

export interface Overrides extends Partial<Omit<ToolContext, "speaker">> {
  readonly userRoles?: readonly string[];
  readonly chatId?: string;
  readonly peerKind?: Peer["kind"];
}

/** A context as a direct chat with Ada on the channel `memory` has it. */
export function contextOf(overrides: Overrides = {}): ToolContext {
  const { userRoles = ["user"], chatId = "ada", peerKind = "direct", ...rest } = overrides;
  const { user, channel, sessionKey, agentId } = { ...ADA, ...rest };
  const peer = { kind: peerKind, id: chatId };
  return {
    callId: "turn-1.0.0",
    taskId: "turn-1",
    ...ADA,
    speaker: { user, roles: userRoles, channel, account: "default", peer, sessionKey, agentId },
    inTurn: true,
    signal: new AbortController().signal,
    store: memoryStore(),
    emit: () => {},
    callTool: () => Promise.reject(new Error("no other tools here")),
    ...rest,
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
