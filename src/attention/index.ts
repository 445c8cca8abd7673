export { ATTENTION_DOCUMENTS, createAttention } from "./attention.ts";
export type { Attention, AttentionView } from "./attention.ts";
export { KEEP_SENT_MS, MAX_HELD } from "./attention-document.ts";
export type { DecisionRecord, HeldRecord, PlacedNotice, SentRecord } from "./attention-document.ts";
export { DEFAULT_PRIORITY, LESS_STEP, decideAttention } from "./decide-attention.ts";
export type {
  AttentionDecision,
  AttentionNotification,
  AttentionRule,
  AttentionState,
  AttentionVerdict,
  SentNotification,
} from "./decide-attention.ts";
export {
  DEFAULT_MAX_DAILY_NOTIFICATIONS,
  DEFAULT_MIN_INTERVAL,
  DEFAULT_PRIORITY_THRESHOLD,
  DEFAULT_QUIET_HOURS,
  SPAN,
  spanMs,
} from "./limits.ts";
export type { AttentionConfig } from "./limits.ts";
export type { ChannelAttention } from "./options.ts";
