export { DEFAULT_APPROVAL_TIMEOUT_MINUTES, MOST_OPEN, createApprovals, isApprovalKey } from "./approvals.ts";
export type { AnswerInput, ApprovalDecision, ApprovalRequest, Approvals, ApprovalsParts } from "./approvals.ts";
export { canonicalJson, sha256 } from "./binding.ts";
export { moveRequests } from "./move-session.ts";
export { buttonsFor, noticeText, requestText } from "./request-text.ts";
export { speakerOfRequest } from "./records.ts";
export type { ApprovalOutcome, ApprovalRecord, CallerLink, SavedCaller } from "./records.ts";
export type { AllowRuleView } from "./rules.ts";
export { type ApprovalResult, type ApprovalView, MAX_APPROVED_HOURS, resultOf } from "./views.ts";
