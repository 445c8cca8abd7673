import type { WorkflowTrace } from "../../src/skills/index.ts";

/** Tools by name; a `!` behind one means that it failed. */
export function trace(taskId: string, tools: readonly string[], more: Partial<WorkflowTrace> = {}): WorkflowTrace {
  return {
    taskId,
    userId: "telegram:42",
    tools: tools.map((tool) => ({ name: tool.replace("!", ""), success: !tool.endsWith("!"), durationMs: 100 })),
    outcome: "success",
    createdAt: new Date(0),
    ...more,
  };
}
