/**
 * For authors of adapters and tools, in addition to `wakeful`: ports, records and helpers.
 *
 * @module
 */
export { messageOf } from "./src/errors.ts";
export { newId } from "./src/ids.ts";
export { startDeadline, withTimeout } from "./src/time-limit.ts";
export type { Deadline } from "./src/time-limit.ts";
export { ChannelSendError, MAX_WEBHOOK_BYTES } from "./src/channel.ts";
export type {
  Channel,
  ChannelAccess,
  ChannelLimits,
  ContextOptions,
  Deliver,
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
export type { InboundMessage, Peer, Quoted, Sender } from "./src/message.ts";
export type { Speaker } from "./src/speaker.ts";
export { readDeadLetters } from "./src/outbox/index.ts";
export type { DeadLetter, SplitOptions } from "./src/outbox/index.ts";
export type { CompactableMessage, CompactionOptions, CompactionPlan, Range } from "./src/context/compaction/index.ts";
export type { FusedSignals, FusibleHit, FusionMethod, FusionOptions } from "./src/memory/semantic/fuse.ts";
export { ENTRY_TYPES, tokensOf } from "./src/memory/index.ts";
export type {
  CaptureModel,
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
  MemoryChange,
  MemoryCounts,
  MemoryDraft,
  MemoryHit,
  MemoryLayer,
  ArchiveReason,
  MemoryArchiveOptions,
  MemoryListOptions,
  MemoryQuery,
  MemorySaveOptions,
  MemorySignals,
  MemoryStore,
  SemanticStatus,
  Slots,
  TidyResult,
  TimeInput,
} from "./src/memory/index.ts";
export { wakeBackoffMs } from "./src/engine/index.ts";
export type { EmbeddedEngineOptions, Engine } from "./src/engine/index.ts";
export {
  createTurns,
  decodeOrderedKey,
  decodeValue,
  encodeOrderedKey,
  encodeValue,
  isUnstorage,
  keySegments,
  orderedKeyRange,
  requireCaps,
  storeKey,
} from "./src/store/index.ts";
export type {
  AppendOptions,
  AppendResult,
  EncodedValue,
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
  EventFailure,
  EventHandler,
  EventOf,
  EventType,
  HandlerContext,
  Inject,
  InjectionType,
  SubscribeOptions,
} from "./src/events/index.ts";
export { brokenGoals } from "./src/proactive/index.ts";
export { readWorkflow, workflowJsonSchema } from "./src/workflow/index.ts";
export type { Drive, Goal, KeptGoals, KeyResult, PersonGoals } from "./src/goals/index.ts";
export type {
  GoalsApi,
  HookIteration,
  HookOptions,
  HookRegistry,
  HookTask,
  HookTool,
  Injections,
  PatternDetector,
  RegisteredHook,
} from "./src/proactive/index.ts";
export type { CommandDanger, GuardCommandOptions } from "./src/commands/index.ts";
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
  checkCommandText,
  commandLimits,
  createOutputKeeper,
  describeBreach,
  describeLimits,
  execLimits,
} from "./src/tools/index.ts";
export type {
  CommandMode,
  CommandOptions,
  CommandResult,
  CommandRunner,
  CommandSupport,
  ExecLimitName,
  ExecLimits,
  LeftOutReason,
  OutputKeeper,
  SearchProvider,
  SimulatedLimits,
  SimulatedRunnerOptions,
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
export { decideWay, readListener, webhookUrlOf } from "./src/listening/index.ts";
export type { ChannelState, ChannelStatus, Way } from "./src/listening/index.ts";
export { CLOSING, SERVED } from "./src/http/index.ts";
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
export type {
  FetchAt,
  Libraries,
  LibraryName,
  LibrarySupport,
  Machine,
  MachineFolder,
  Network,
  Platform,
  RuntimeName,
} from "./src/platform.ts";
export { DEFAULT_KEEP_DAYS } from "./src/artifacts/index.ts";
export {
  CLAWHUB_URL,
  DEFAULT_DATA_FOLDER,
  DEFAULT_GLOBAL_SKILLS,
  DEFAULT_HOST,
  DEFAULT_PORT,
  TELEGRAM_API,
  configJsonSchema,
} from "./src/config/index.ts";
export type {
  EmbedderConfig,
  MemoryConfig,
  ModelConfig,
  ParseConfigOptions,
  RegistriesConfig,
  ServerConfig,
  SearchConfig,
  StoreConfig,
  TelegramConfig,
  TokenConfig,
  WebhookConfig,
} from "./src/config/index.ts";
export type {
  ContextAccess,
  ContextAccessQuestion,
  ContextAction,
  ContextRefusal,
  ContextScopeName,
  ContextSession,
  KnownNames,
  ParsePolicyOptions,
  PolicyInput,
  PolicyProfile,
  PolicyRule,
  PolicySubject,
  ProfileMatch,
  ToolRules,
} from "./src/policy/index.ts";
export { nearestName } from "./src/settings/index.ts";
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
  SearchProviderOptions,
} from "./src/tools/index.ts";
export { damagedDocuments } from "./src/assembly/damaged.ts";
export { type UnfinishedMove, unfinishedMoves } from "./src/belonging/index.ts";
export { type MixedSpelling, mixedSpellings } from "./src/session/index.ts";
export { describeCall, visible } from "./src/call-text.ts";
export type {
  AttentionConfig,
  AttentionRule,
  AttentionVerdict,
  ChannelAttention,
  SentNotification,
} from "./src/attention/index.ts";
export type {
  DecidedNotice,
  HeldNotice,
  NewNotice,
  AttentionLimits,
  NoticeOutcome,
  PersonAttention,
  SaidNotice,
  Scorer,
} from "./src/notify/index.ts";
export type { Notice, NoticeAddress, NoticeOffer, NoticeType } from "./src/notice.ts";
export { readMute } from "./src/inbox/commands-attention.ts";
export { DEFAULT_QUIET_HOURS } from "./src/attention/index.ts";
export type { AccessView, AskedView, PersonView, Somebody } from "./src/access/index.ts";
export type {
  AllowRuleView,
  AnswerInput,
  ApprovalOutcome,
  ApprovalResult,
  ApprovalView,
} from "./src/approvals/index.ts";
export type { LateResult, PendingWork, SubCallResult } from "./src/tools/index.ts";
export { createAudit } from "./src/telemetry/index.ts";
export type { Audit, AuditEntry, AuditLine, LogFields } from "./src/telemetry/index.ts";
export type { Conversation, OwnSettings, SessionSummary, TranscriptEntry } from "./src/session/index.ts";
export type {
  DirectScope,
  ExportFormat,
  MatchedBy,
  Route,
  RouteOptions,
  SessionSettings,
  SessionSummaryText,
} from "./src/session/index.ts";
export { re2Patterns } from "./src/tools/index.ts";
export type { PatternEngine } from "./src/tools/index.ts";
export type { Artifact, ArtifactInfo, ArtifactLimits, ArtifactWritten } from "./src/artifacts/index.ts";
export type { ContextPart, ContextScope } from "./src/context/index.ts";
export { createModelRedactor, createRedactor, createStreamRedactor } from "./src/telemetry/index.ts";
export type { ModelRedactor, Redactor, StreamRedactor } from "./src/telemetry/index.ts";
export { contextWindowOf, pickModels, withThoughtsApart } from "./src/agent/index.ts";
export type { ModelFacts, ToolProtocol } from "./src/agent/index.ts";
export { createUsage } from "./src/usage/index.ts";
export type {
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
export type { FusedHit } from "./src/memory/semantic/fuse.ts";
export type { CompactionSettings } from "./src/turn/index.ts";
export type { HostPart } from "./src/context/index.ts";
export type { Binding } from "./src/session/index.ts";
export type { Budget } from "./src/usage/index.ts";
export { recurrenceIn } from "./src/schedule/index.ts";
export type {
  DueJob,
  FoundTime,
  JobChange,
  JobInput,
  JobRun,
  Meaning,
  NextRunsOptions,
  ParseScheduleOptions,
  PlannedJob,
  TimeGiven,
} from "./src/schedule/index.ts";
export type { JobTrigger, WorkBudgetOptions } from "./src/work/index.ts";
export { draftSkill, explainMatch, recommendSkills, tracesFromEntries } from "./src/skills/index.ts";
export type {
  ChainStep,
  DraftedSkill,
  DraftSkillOptions,
  ExpandChainOptions,
  FoundSkill,
  LearnOptions,
  LeftOutCause,
  LeftOutSkill,
  LibraryProblem,
  LibraryOptions,
  ListedSkill,
  MatchExplanation,
  MatchInput,
  MatchOptions,
  MatchResult,
  MatchSignal,
  ParseSkillOptions,
  Recommendation,
  RecommendedSkill,
  RecommendInput,
  RecommendOptions,
  SkillFeedback,
  SkillFile,
  SkillLibrary,
  SkillMeta,
  SkillRegistry,
  SkillSource,
  SkillRequirements,
  SkillSuggestion,
  SkillTriggers,
  SuggestedParameter,
  TracedTool,
  TraceEntry,
  WorkflowTrace,
} from "./src/skills/index.ts";
export { MAX_ARCHIVE_BYTES, skillTextOf } from "./src/skills/index.ts";
export type {
  Labels,
  MetricDefinition,
  MetricName,
  MetricSeries,
  MetricWatcher,
  MetricsSnapshot,
} from "./src/telemetry/index.ts";
export type { CollectedSeries, MetricsSource, SpanAttributes, Telemetry, TelemetrySpan } from "./src/telemetry-port.ts";
