import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { offlineModel } from "../../adapters/models/offline/index.ts";

/** The tools of this version, as a call offers them. */
export const everyTool = [
  "file_read",
  "file_write",
  "file_edit",
  "list_files",
  "message",
  "clarify",
  "time",
  "bash",
  "memory_write",
  "memory_recall",
  "memory_forget",
  "scheduler_create",
  "scheduler_list",
  "scheduler_delete",
  "scheduler_pause",
  "artifact_write",
  "artifact_read",
  "artifact_list",
  "plan",
  "acp_context",
  "web_search",
  "okr_read",
  "okr_write",
  "skills",
  "find_skills",
  "install_skill",
  "workflow_run",
  "workflow_status",
];

export const user = (text: string): LanguageModelV4Prompt[number] => ({
  role: "user",
  content: [{ type: "text", text }],
});
export const assistant = (text: string): LanguageModelV4Prompt[number] => ({
  role: "assistant",
  content: [{ type: "text", text }],
});

export function offering(names: readonly string[]): NonNullable<LanguageModelV4CallOptions["tools"]> {
  return names.map((name) => ({ type: "function", name, inputSchema: { type: "object" } }));
}

/** A prompt in which the tools of one step were called and gave these outputs. */
export function ran(
  calls: readonly (readonly [toolName: string, input: unknown])[],
  outputs: readonly unknown[],
): LanguageModelV4Prompt {
  return [
    {
      role: "assistant",
      content: calls.map(([toolName, input], index) => ({
        type: "tool-call",
        toolCallId: `call-${index}`,
        toolName,
        input,
      })),
    },
    {
      role: "tool",
      content: calls.map(([toolName], index) => ({
        type: "tool-result",
        toolCallId: `call-${index}`,
        toolName,
        output: { type: "json", value: outputs[index] as never },
      })),
    },
  ];
}

const model = offlineModel();

/** What the offline model says or calls: a text, or the list of calls. */
export async function ask(
  prompt: LanguageModelV4Prompt | string,
  options: Partial<LanguageModelV4CallOptions> = {},
): Promise<string | [toolName: string, input: unknown][]> {
  const { content } = await model.doGenerate({
    prompt: typeof prompt === "string" ? [user(prompt)] : prompt,
    tools: offering(everyTool),
    ...options,
  });
  const [first] = content;
  if (first?.type === "text") return first.text;
  return content.map((part) => {
    if (part.type !== "tool-call") throw new Error(`Expected a tool call, got ${part.type}`);
    return [part.toolName, JSON.parse(part.input)];
  });
}
