/**
 * Wakeful: an assistant that stays awake. Everything that is the same on every runtime: named re-exports, no logic. What needs something of the runtime
 * (`createAssistant`, `parseConfig`, …) stands in `entry.host.ts` and `entry.workers.ts`, which re-export this.
 *
 * @module
 */
export { systemClock } from "./src/clock.ts";
export type { Clock } from "./src/clock.ts";
export { AssistantError, ConflictError, messageOf } from "./src/errors.ts";
export type { ErrorCode } from "./src/errors.ts";
export { newId } from "./src/ids.ts";
export { ChannelSendError, MAX_WEBHOOK_BYTES } from "./src/channel.ts";
export type {
  Channel,
  ChannelAccess,
  ChannelLimits,
  ContextOptions,
  DownloadedFile,
  DirectAccess,
  GroupAccess,
  OutboundMessage,
  Receipt,
  Target,
} from "./src/channel.ts";
export { createHmac } from "./src/guard/hmac.ts";
export type { HmacSigner } from "./src/guard/hmac.ts";
export { parseJsonBody, readBody } from "./src/guard/read-body.ts";
export { createSecretCheck, timingSafeEqual } from "./src/guard/timing-safe.ts";
export type { SecretCheck } from "./src/guard/timing-safe.ts";
export { DEFAULT_ACCOUNT } from "./src/message.ts";
export type { Attachment, InboundMessage, Peer, Sender } from "./src/message.ts";
export type { Speaker } from "./src/speaker.ts";
export { splitText } from "./src/outbox/index.ts";
export type { DeadLetter, SplitOptions } from "./src/outbox/index.ts";
export { planCompaction } from "./src/context/compaction/index.ts";
export type { CompactableMessage, CompactionOptions, CompactionPlan, Range } from "./src/context/compaction/index.ts";
export { fuse } from "./src/memory/semantic/fuse.ts";
export type { FusedHit, FusedSignals, FusibleHit, FusionMethod, FusionOptions } from "./src/memory/semantic/fuse.ts";
export { ENTRY_TYPES, extractFlush } from "./src/memory/index.ts";
export type {
  DigestResult,
  Embedder,
  ExtractResult,
  FlushMessage,
  FlushOptions,
  ForgetResult,
  HybridMemoryOptions,
  HybridMemoryStore,
  LayeredStore,
  LayeredStoreOptions,
  MemoryApi,
  MemoryChange,
  MemoryCounts,
  MemoryDraft,
  MemoryEntry,
  MemoryHit,
  MemoryLayer,
  MemoryListOptions,
  MemoryQuery,
  MemorySaveOptions,
  MemorySignals,
  MemoryStore,
  NewMemory,
  RecallQuery,
  RecalledMemory,
  SemanticStatus,
  Slots,
  TidyResult,
  TimeInput,
} from "./src/memory/index.ts";
export type { HostMessage, PendingApproval, Reply, StreamEvent, ToolCallReport, Usage } from "./src/reply.ts";
export { embeddedEngine, wakeBackoffMs } from "./src/engine/index.ts";
export type { EmbeddedEngineOptions, Engine } from "./src/engine/index.ts";
export {
  createTurns,
  decodeOrderedKey,
  decodeValue,
  encodeOrderedKey,
  encodeValue,
  isUnstorage,
  keySegments,
  memoryStore,
  orderedKeyRange,
  requireCaps,
  storeKey,
} from "./src/store/index.ts";
export type {
  AppendOptions,
  AppendResult,
  EncodedValue,
  JsonValue,
  LogRecord,
  ReadOptions,
  Store,
  StoreCaps,
  StoreNeeds,
  Turns,
  UnstorageDriver,
  UnstorageStorage,
  UnstorageStoreOptions,
  Value,
  ValueKind,
  Version,
} from "./src/store/index.ts";
export type {
  AnyEvent,
  EventBus,
  EventFailure,
  EventHandler,
  EventMap,
  EventOf,
  EventType,
  HandlerContext,
  Inject,
  Injection,
  InjectionType,
  SubscribeOptions,
} from "./src/events/index.ts";
export type {
  HookContext,
  HookIteration,
  HookOptions,
  HookRegistry,
  HookTask,
  HookTool,
  Injections,
  ProactiveHook,
  RegisteredHook,
} from "./src/proactive/index.ts";
export { guardPath, guardUrl } from "./src/guard/index.ts";
export type { CommandDanger, GuardCommandOptions, GuardedCommand } from "./src/guard/command/index.ts";
export type {
  FetchLimits,
  GuardPathOptions,
  GuardUrlOptions,
  GuardedFetch,
  GuardedFetchOptions,
  GuardedInit,
  GuardedPath,
  GuardedUrl,
  Lookup,
} from "./src/guard/index.ts";
export {
  EXEC_LIMITS,
  MAX_WORKSPACE_FILE_BYTES,
  ToolError,
  checkCommandText,
  commandLimits,
  createOutputKeeper,
  defineTool,
  describeBreach,
  describeLimits,
  execLimits,
  toolOutcome,
} from "./src/tools/index.ts";
export type {
  AnyTool,
  CommandMode,
  CommandOptions,
  CommandResult,
  CommandRunner,
  CommandSupport,
  ExecLimitName,
  ExecLimits,
  LeftOutReason,
  OutputKeeper,
  SimulatedLimits,
  SimulatedRunnerOptions,
  ToolContext,
  ToolDefinition,
  ToolMeta,
  ToolOutcome,
  VirtualWorkspaceOptions,
  VisibilityContext,
  Workspace,
  WorkspaceEntry,
  WorkspaceFile,
  WorkspaceFolders,
  WorkspaceListOptions,
} from "./src/tools/index.ts";
export type {
  McpAcceptInput,
  McpCheck,
  McpHttpServer,
  McpOptions,
  McpServerBase,
  McpServerOptions,
  McpServerStatus,
  McpStdioServer,
} from "./src/tools/index.ts";
export { SERVED } from "./src/http/index.ts";
export type {
  McpClient,
  McpClientConfig,
  McpClientLibrary,
  McpListedTool,
  McpProtocolServer,
  McpRequestOptions,
  McpServerLibrary,
  McpStdioLibrary,
  McpToolDescription,
  McpToolResult,
  McpTransport,
  PageLibraries,
  Re2Library,
  ShellLibrary,
  ShellParser,
  SimulatedShell,
  UnstorageLibrary,
  YamlLibrary,
} from "./src/libraries.ts";
export type { FetchAt, Libraries, LibraryName, LibrarySupport, Network, Platform } from "./src/platform.ts";
export { configJsonSchema } from "./src/config/index.ts";
export type {
  Config,
  EmbedderConfig,
  MemoryConfig,
  ModelConfig,
  ParseConfigOptions,
  ServerConfig,
  SearchConfig,
  StoreConfig,
  TelegramConfig,
  TokenConfig,
  WebhookConfig,
} from "./src/config/index.ts";
export { decideContextAccess, decideTool } from "./src/policy/index.ts";
export type {
  ContextAccess,
  ContextAccessQuestion,
  ContextAction,
  ContextRefusal,
  ContextScopeName,
  ContextSession,
  KnownNames,
  ParsePolicyOptions,
  PolicyDecision,
  PolicyFile,
  PolicyInput,
  PolicyProfile,
  PolicyRule,
  PolicySource,
  PolicySubject,
  ProfileMatch,
  ToolRules,
} from "./src/policy/index.ts";
export { ConfigError, nearestName } from "./src/settings/index.ts";
export type { ConfigIssue, ConfigWarning } from "./src/settings/index.ts";
export { brave, duckduckgo, pageReaderOf, perplexity, plainReader, searchProviders } from "./src/tools/index.ts";
export type {
  BraveOptions,
  DuckDuckGoOptions,
  Page,
  PageLink,
  PageReader,
  PerplexityOptions,
  SearchHit,
  SearchOptions,
  SearchProvider,
  SearchProviderOptions,
} from "./src/tools/index.ts";
export { type MixedSpelling, mixedSpellings } from "./src/session/index.ts";
export { describeCall, visible } from "./src/call-text.ts";
export type { AccessApi, AccessView, AskedView, PersonView, Somebody } from "./src/access/index.ts";
export type {
  AllowRuleView,
  AnswerInput,
  ApprovalOutcome,
  ApprovalResult,
  ApprovalView,
} from "./src/approvals/index.ts";
export type { LateResult, PendingWork, SubCallResult } from "./src/tools/index.ts";
export { createAudit } from "./src/telemetry/index.ts";
export type { Audit, AuditEntry, AuditLine } from "./src/telemetry/index.ts";
export type { Assistant } from "./src/assistant-types.ts";
export type { ApprovalsApi } from "./src/approvals/index.ts";
export type { ToolRunResult, ToolUse } from "./src/tools/index.ts";
export type { AgentOptions, AssistantOptions } from "./src/options.ts";
export type { SendInput } from "./src/reply.ts";
export type { LogFields, Logger } from "./src/telemetry/index.ts";
export { VERSION } from "./src/version.ts";
export type { Conversation, OwnSettings, SessionSummary, SessionsApi, TranscriptEntry } from "./src/session/index.ts";
export { resolveRoute } from "./src/session/index.ts";
export type {
  Binding,
  DirectScope,
  ExportFormat,
  MatchedBy,
  Route,
  RouteOptions,
  SessionOptions,
  SessionSettings,
  SessionSummaryText,
  QueueOptions,
} from "./src/session/index.ts";
export type { CompactionSettings } from "./src/turn/index.ts";
export { re2Patterns } from "./src/tools/index.ts";
export type { PatternEngine } from "./src/tools/index.ts";
export type { Artifact, ArtifactInfo, ArtifactLimits, ArtifactWritten, ArtifactsApi } from "./src/artifacts/index.ts";
export type { ContextPart, ContextScope, HostPart, Person } from "./src/context/index.ts";
export { createModelRedactor, createRedactor, createStreamRedactor } from "./src/telemetry/index.ts";
export type { ModelRedactor, Redactor, StreamRedactor } from "./src/telemetry/index.ts";
export { contextWindowOf, pickModels } from "./src/agent/index.ts";
export type { ModelFacts, ModelInfo, ToolProtocol } from "./src/agent/index.ts";
export { createUsage } from "./src/usage/index.ts";
export type {
  Budget,
  BudgetLimit,
  BudgetPeriod,
  BudgetState,
  BudgetUse,
  DayUsage,
  ModelPrice,
  ModelUse,
  UsageOptions,
  UsageRecorder,
  UsageSummary,
  UsageTotals,
} from "./src/usage/index.ts";
