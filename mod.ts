/**
 * Wakeful: an assistant that stays awake. Everything that is the same on every runtime: named re-exports, no logic.
 * Functions that need a runtime (`createAssistant`, `parseConfig`, …) are in `entry.host.ts` and `entry.workers.ts`,
 * which re-export this.
 *
 * @module
 */
export { systemClock } from "./src/clock.ts";
export type { Clock } from "./src/clock.ts";
export { AssistantError, ConflictError } from "./src/errors.ts";
export type { ErrorCode } from "./src/errors.ts";
export type { Attachment } from "./src/message.ts";
export { splitText } from "./src/outbox/index.ts";
export { planCompaction } from "./src/context/compaction/index.ts";
export { fuse } from "./src/memory/semantic/fuse.ts";
export { extractFlush } from "./src/memory/index.ts";
export type { MemoryApi, MemoryEntry, NewMemory, RecallQuery, RecalledMemory } from "./src/memory/index.ts";
export type { HostMessage, PendingApproval, Reply, StreamEvent, ToolCallReport, Usage } from "./src/reply.ts";
export { embeddedEngine } from "./src/engine/index.ts";
export { memoryStore } from "./src/store/index.ts";
export type { JsonValue } from "./src/store/index.ts";
export type { AnyEvent, EventBus, EventMap, Injection } from "./src/events/index.ts";
export { detectPatterns, evaluateInitiative } from "./src/proactive/index.ts";
export type { Detection, HookContext, Initiative, PatternEntry, ProactiveHook } from "./src/proactive/index.ts";
export { guardPath, guardUrl } from "./src/guard/index.ts";
export type { GuardedCommand } from "./src/commands/index.ts";
export { ToolError, defineTool, toolOutcome } from "./src/tools/index.ts";
export type { AnyTool, ToolContext, ToolDefinition, ToolMeta, ToolOutcome } from "./src/tools/index.ts";
export type { Config } from "./src/config/index.ts";
export { decideContextAccess, decideTool } from "./src/policy/index.ts";
export type { PolicyDecision, PolicyFile, PolicySource } from "./src/policy/index.ts";
export { ConfigError } from "./src/settings/index.ts";
export type { ConfigIssue, ConfigWarning } from "./src/settings/index.ts";
export { decideAttention } from "./src/attention/index.ts";
export type { AttentionDecision, AttentionNotification, AttentionState } from "./src/attention/index.ts";
export type { AttentionApi } from "./src/notify/index.ts";
export type { AccessApi } from "./src/access/index.ts";
export type { Assistant } from "./src/assistant-types.ts";
export type { ApprovalsApi } from "./src/approvals/index.ts";
export type { ToolRunResult, ToolUse } from "./src/tools/index.ts";
export type { AgentOptions, AssistantOptions } from "./src/config/index.ts";
export type { SendInput } from "./src/reply.ts";
export type { Logger } from "./src/telemetry/index.ts";
export { VERSION } from "./src/version.ts";
export type { SessionsApi } from "./src/session/index.ts";
export { resolveRoute } from "./src/session/index.ts";
export type { SessionOptions, QueueOptions } from "./src/session/index.ts";
export type { ArtifactsApi } from "./src/artifacts/index.ts";
export type { Person } from "./src/context/index.ts";
export type { ModelInfo } from "./src/agent/index.ts";
export { dueJobs, nextRuns, parseSchedule } from "./src/schedule/index.ts";
export type { Job, Schedule } from "./src/schedule/index.ts";
export type { JobsApi } from "./src/work/index.ts";
export type { WorkflowDefinition, WorkflowRunView, WorkflowsApi } from "./src/workflow/index.ts";
export type { Skill, SkillsApi } from "./src/skills/index.ts";
export { expandChain, learnSkills } from "./src/skills/index.ts";
