export type { CaptureModel } from "./capture-model.ts";
export type { Embedder } from "./embedder.ts";
export { ENTRY_TYPES } from "./entry.ts";
export type { MemoryDraft, MemoryEntry, NewMemory, Slots, TimeInput } from "./entry.ts";
export type {
  MemoryHit,
  ArchiveReason,
  MemoryArchiveOptions,
  MemoryListOptions,
  MemoryQuery,
  MemorySaveOptions,
  MemorySignals,
  MemoryStore,
} from "./memory-store.ts";
export type {
  DigestResult,
  ExtractResult,
  ForgetResult,
  MemoryApi,
  MemoryChange,
  MemoryCounts,
  MemoryLayer,
  RecallQuery,
  RecalledMemory,
  TidyResult,
} from "./api.ts";
export { exportMemory, importMemory } from "./export.ts";
export { createMemoryFiles } from "./person-files.ts";
export { isEveryday } from "./keyword/everyday.ts";
export { createTokensIn } from "./coverage.ts";
export { tokensOf } from "./keyword/tokens.ts";
export { createKeywordIndex, openKeywordIndex } from "./keyword/keyword-index.ts";
export type { IndexedDocument, KeywordIndex, KeywordQuery } from "./keyword/types.ts";
export { type Memory, DEFAULT_RECALL_LIMIT, createMemory } from "./memory.ts";
export { type LayeredStore, type LayeredStoreOptions, createLayeredStore } from "./layered-store.ts";
export { type OpenedMemory, openMemory } from "./open-memory.ts";
export type { MemoryOptions } from "./options.ts";
export { type MemoryPart, type MemoryProblem, createMemoryPart } from "./part.ts";
export { newEntry } from "./new-entry.ts";
export { timeOfUlid } from "./time-input.ts";
export {
  type CapturedTurn,
  type FlushMessage,
  type FlushOptions,
  type Outcome,
  autoCapture,
  differsInSubstance,
  duplicateOf,
  extractFlush,
  idsIn,
  jaccard,
  mergeEntries,
  outcomeOf,
  DEFAULT_DEDUPE_THRESHOLD,
  MAX_FLUSHED,
  flushDrafts,
  takeFresh,
  statementDraft,
  statements,
  taskTypeOf,
  traceWith,
  type CapturesUnderWay,
  createCapturesUnderWay,
  withGoal,
  workflowTrace,
} from "./capture/index.ts";
export { type Days, createDays } from "./days/days.ts";
export {
  type Lifecycle as MemoryLifecycle,
  type LifecycleParts,
  createLifecycle as createMemoryLifecycle,
} from "./lifecycle/lifecycle.ts";
export type { HybridMemoryOptions, HybridMemoryStore, SemanticStatus } from "./semantic/hybrid-store.ts";
export { DEFAULT_EMBEDDING_TIMEOUT_MS, DEFAULT_FUSION, DEFAULT_RRF_K } from "./semantic/defaults.ts";
export type { FoundMemory } from "./found-memory.ts";
export { type Gated, gate } from "./gate.ts";
export { asksOfSelf } from "./subject.ts";
export { spoken } from "./spoken.ts";
export { diversify, wordsOf } from "./keyword/diversify.ts";
export { forgetLines } from "./forget-lines.ts";
export type { WorkspaceFile } from "./migration/import-workspace.ts";
export { createMemoryErasure } from "./erasure.ts";
export { saidBy } from "./said-by.ts";
export type { MemoryErasure } from "./erasure.ts";
export { type ReadWriteLock, createReadWriteLock } from "./read-write-lock.ts";
export { bareText } from "./keyword/term-key.ts";
export { messageIdsIn, messageSlot, withMessageIds } from "./message-ids.ts";
export { createSaveOnce } from "./save-once.ts";
export { joinMarkdown } from "./join-markdown.ts";
export { type Moving } from "./moving.ts";
export { createMemoryRenaming } from "./renaming.ts";
export { type Likeness, likenessOf } from "./open-entries.ts";
export { type MemoryOfUsers } from "./memory-of-users.ts";
