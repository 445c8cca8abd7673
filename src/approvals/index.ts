export { DEFAULT_APPROVAL_TIMEOUT_MINUTES, MAX_OPEN, createApprovals, isApprovalKey } from "./approvals.ts";
export type {
  AnswerInput,
  ApprovalDecision,
  ApprovalRequest,
  ApprovalChats,
  Approvals,
  ApprovalsDeps,
} from "./approvals.ts";
export { type ApprovalsApi, createHostApprovals } from "./api.ts";
export { createApprovalErasure } from "./erasure.ts";
export type { ApprovalErasure } from "./erasure.ts";
export { createApprovalRenaming } from "./renaming.ts";
export { buttonsFor, endText, noticeText, requestText } from "./request-text.ts";
export { withRightsNow } from "./rights-now.ts";
export { outcomeText } from "./outcome-text.ts";
export { REQUEST_DOCUMENTS } from "./ledger.ts";
export { homeOfRequest, speakerOfRequest } from "./records.ts";
export { RULES_DOCUMENT } from "./rules.ts";
export type { ApprovalOutcome, ApprovalRecord, SavedCaller } from "./records.ts";
export type { AllowRuleView } from "./rules.ts";
export { type ApprovalResult, type ApprovalView, MAX_APPROVED_HOURS, resultOf } from "./views.ts";
