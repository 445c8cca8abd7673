export { createAnswerRequest } from "./answer-request.ts";
export { createRuntimeRequests } from "./runtime-requests.ts";
export { ToolError, defineTool, isToolOutcome, toolOutcome } from "./tool.ts";
export type {
  AnyTool,
  PendingWork,
  SubCallResult,
  ToolContext,
  ToolDefinition,
  ToolMeta,
  ToolOutcome,
  VisibilityContext,
} from "./tool.ts";
export { MAX_WORKSPACE_FILE_BYTES } from "./workspace.ts";
export type {
  LeftOutReason,
  Workspace,
  WorkspaceEntry,
  WorkspaceFile,
  WorkspaceFolders,
  WorkspaceListOptions,
} from "./workspace.ts";
export { checkCommandText, commandLimits } from "./commands.ts";
export type { CommandMode, CommandOptions, CommandResult, CommandRunner, CommandSupport } from "./commands.ts";
export { createOutputKeeper } from "./output.ts";
export type { OutputKeeper } from "./output.ts";
export {
  EXEC_LIMITS,
  MIN_EXEC_LIMITS,
  SIMULATED_LIMITS,
  describeBreach,
  describeLimits,
  execLimits,
} from "./exec-limits.ts";
export type { ExecLimitName, ExecLimits, SimulatedLimits } from "./exec-limits.ts";
export { simulatedRunner } from "./shell/simulated.ts";
export type { SimulatedRunnerOptions } from "./shell/simulated.ts";
export { execTools } from "./built-in/exec-tools.ts";
export { virtualWorkspace } from "./virtual-workspace.ts";
export type { VirtualWorkspaceOptions } from "./virtual-workspace.ts";
export { createToolRegistry } from "./registry.ts";
export type { RegisteredTool, ToolClash, ToolLevel } from "./registry.ts";
export { createDispatch } from "./dispatch.ts";
export type { ToolDispatch } from "./dispatch.ts";
export { createCallEvents } from "./call-events.ts";
export { createToolRunner } from "./tool-runner.ts";
export type { PolicySubject, ToolCaller, ToolResult } from "./tool-call.ts";
export { artifactTools } from "./built-in/artifact-tools.ts";
export { channelHistoryTool } from "./built-in/channel-history.ts";
export { clarifyTool } from "./built-in/clarify.ts";
export { fileTools } from "./built-in/file-tools.ts";
export { contextTool } from "./built-in/context-tool.ts";
export { memoryTools } from "./built-in/memory-tools.ts";
export { messageTool } from "./built-in/message.ts";
export { notifyTool } from "./built-in/notify.ts";
export { createPlans, planTool } from "./built-in/plan.ts";
export { searchTools } from "./built-in/search-tools.ts";
export { re2Patterns } from "../patterns/index.ts";
export type { PatternEngine } from "../patterns/index.ts";
export { timeTool } from "./built-in/time.ts";
export type { Page, PageLink, PageReader } from "./page-reader.ts";
export { plainReader } from "./readers/plain.ts";
export { pageReaderOf } from "./readers/readability.ts";
export { BRAVE_URL, brave } from "./search/brave.ts";
export type { BraveOptions } from "./search/brave.ts";
export { DUCKDUCKGO_URL, duckduckgo } from "./search/duckduckgo.ts";
export type { DuckDuckGoOptions } from "./search/duckduckgo.ts";
export { searchProviders } from "./search/from-options.ts";
export type { SearchOptions } from "./search/from-options.ts";
export { PERPLEXITY_URL, perplexity } from "./search/perplexity.ts";
export type { PerplexityOptions } from "./search/perplexity.ts";
export type { SearchHit, SearchProvider, SearchProviderOptions } from "./search/provider.ts";
export { webSearchTool } from "./built-in/web-search.ts";
export { webTools } from "./built-in/web-tools.ts";
export type { McpCheck } from "./mcp/check-server.ts";
export { checkMcpServer, loadMcpManager } from "./mcp/load.ts";
export type { McpManager, McpManagerDeps, McpOptions } from "./mcp/mcp.ts";
export { DEFAULT_MCP_TIMEOUT_MS, problemOfServerName } from "./mcp/options.ts";
export type { McpHttpServer, McpServerBase, McpServerOptions, McpStdioServer } from "./mcp/options.ts";
export type { McpServerStatus } from "./mcp/server-link.ts";
export type { McpAcceptInput } from "./mcp/owner-questions.ts";
export { createHostCallers } from "./host-callers.ts";
export { type ToolRunResult, type ToolUse, type ToolsApi, createHostTools } from "./host-tools.ts";
export { createToolErasure } from "./erasure.ts";
export type { ToolErasure } from "./erasure.ts";
export { createToolRenaming } from "./renaming.ts";
export { createLateResults } from "./late-results.ts";
export type { LateResult } from "./late-results.ts";
export { jobStartTool } from "./built-in/job-start.ts";
export { mcpAcceptTool } from "./built-in/mcp-accept.ts";
export { createSendMessage } from "./built-in/send-message.ts";
export { workspaceTools } from "./built-in/workspace-tools.ts";
export { createExcludedCheck, unknownTool } from "./excluded-tools.ts";
export { createIsOffered } from "./is-offered.ts";
export { createAskedOwner } from "./mcp/may-ask-again.ts";
export { chosenTools } from "./chosen.ts";
export { openRegistry } from "./open-registry.ts";
export { okrTools } from "./built-in/okr-tools.ts";
export { schedulerTools } from "./built-in/scheduler-tools.ts";
export { skillInstallTools } from "./built-in/skill-install-tools.ts";
export { skillsTool } from "./built-in/skills-tool.ts";
export type { SkillsToolDeps } from "./built-in/skills-tool.ts";
export { subagentTools } from "./built-in/subagent-tools.ts";
export { WORKFLOW_APPROVE, workflowApproveTool } from "./built-in/workflow-approve.ts";
export { workflowTools } from "./built-in/workflow-tools.ts";
