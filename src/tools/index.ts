export { ToolError, defineTool, isToolOutcome, toolOutcome } from "./tool.ts";
export type { AnyTool, ToolContext, ToolDefinition, ToolMeta, ToolOutcome, VisibilityContext } from "./tool.ts";
