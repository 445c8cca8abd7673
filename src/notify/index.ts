export { createLimitsInForce } from "./attention-limits.ts";
export type { AttentionLimits } from "./attention-limits.ts";
export { createHostAttention } from "./host-attention.ts";
export type {
  AttentionApi,
  DecidedNotice,
  HeldNotice,
  NewNotice,
  NoticeOutcome,
  PersonAttention,
  SaidNotice,
} from "./host-attention.ts";
export { createNotify } from "./notify.ts";
export { createPassOn } from "./pass-on.ts";
export { createScoreNotice } from "./scorer.ts";
export type { Scorer } from "./scorer.ts";
export { createTellDecision } from "./tell-decision.ts";
