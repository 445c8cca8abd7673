export { createCalendar, dayAfter } from "./days/calendar.ts";
export type { Calendar } from "./days/calendar.ts";
export type { Embedder } from "./embedder.ts";
export { ENTRY_TYPES } from "./entry.ts";
export type { MemoryDraft, MemoryEntry, NewMemory, Slots, TimeInput } from "./entry.ts";
export type { MemoryHit, MemoryListOptions, MemoryQuery, MemorySignals, MemoryStore } from "./memory-store.ts";
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
export { type MemoryExportLine, type MemoryImportResult, exportMemory, importMemory } from "./export.ts";
export { type MemoryFile, type MemoryFiles, createMemoryFiles } from "./person-files.ts";
export { tokensOf } from "./keyword/tokens.ts";
export { createKeywordIndex, openKeywordIndex } from "./keyword/keyword-index.ts";
export type {
  IndexManifest,
  IndexedDocument,
  KeywordHit,
  KeywordIndex,
  KeywordQuery,
  SealedSegment,
} from "./keyword/types.ts";
