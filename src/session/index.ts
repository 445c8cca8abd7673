export type {
  ApprovalEnd,
  ChangeRecord,
  CompactRecord,
  HeardRecord,
  InRecord,
  TurnBounds,
  MarkRecord,
  OutRecord,
  Sequenced,
  SessionSettings,
  StepCall,
  StepRecord,
  ToolRecord,
} from "./records.ts";
export { QUEUE_FULL, QUEUE_MODES, speakerOf } from "./records.ts";
export { DEFAULT_AGENT, DEFAULT_DIRECT_SCOPE, DEFAULT_THREADS, resolveRoute, namedSessionKey } from "./route.ts";
export type { MatchedBy, Route, RouteOptions } from "./route.ts";
export type { Binding, DirectScope, QueueOptions, SessionOptions } from "./options.ts";
export {
  isOfHeartbeat,
  SESSION_WAKES,
  isSubSession,
  isWorkSession,
  parseRunSession,
  parseSessionKey,
  parseUser,
  runSessionKey,
  sessionKeyPart,
  sessionWakeKey,
  subSessionKey,
  userOf,
} from "./session-key.ts";
export { type Waiters, createWaiters, waiterKey } from "./live/waiters.ts";
export { BrokenIntoError, type RunningTurns, createRunningTurns } from "./live/running-turns.ts";
export { type Slots, createSlots } from "./live/slots.ts";
export { DEFAULT_IDLE_MINUTES, type SessionLife, createSessionLife } from "./live/session-life.ts";
export { CHAT_DEBOUNCE_MS, DEFAULT_MAX_CONCURRENT, DEFAULT_QUEUE_RULES, createQueueRules } from "./queue-rules.ts";
export { replyOf } from "./reply.ts";
export { type Language, type Texts, createTexts, languageIn, languageOf } from "./texts.ts";
export { MAX_HEARD, standingOf } from "./session.ts";
export type { LoggedTurn, Session, TurnInputRecord } from "./session.ts";
export { asItArrives, asItReads, isOvertaken, messageRef, refOf } from "./changes.ts";
export { decideNextTurn, isWithdrawn, togetherWith } from "./queue.ts";
export type { NextTurn, QueueRules } from "./queue.ts";
export { TurnLostError, createSessions } from "./sessions.ts";
export type { NewRecord, Sessions } from "./sessions.ts";
export { createSummaries } from "./summaries.ts";
export type { SessionSummaryText, Summaries } from "./summaries.ts";
export { exportJsonl, exportMarkdown } from "./export.ts";
export type { ExportFormat } from "./export.ts";
export { type ChatHistory, createChatHistory } from "./chat-history.ts";
export { callIdOf, transcriptOf } from "./transcript.ts";
export type { TranscriptEntry } from "./transcript.ts";
export { OWNER_MEMORY, createMemoryUsers } from "./memory-users.ts";
export { createPersons } from "./persons.ts";
export type { MemorySpeaker, MemoryUsers } from "./memory-users.ts";
export { createSessionErasure } from "./erasure.ts";
export type { SessionErasure } from "./erasure.ts";
export type { IsTheirs, Traces } from "./traces.ts";
export { createCapitals, mixedSpellings } from "./capitals/capitals.ts";
export type { Capitals, MixedSpelling } from "./capitals/capitals.ts";
export { createSessionsApi } from "./sessions-api.ts";
export type { Conversation, OwnSettings, SessionSummary, SessionsApi } from "./sessions-api.ts";
