export { DEFAULT_APPROVAL_TIMEOUT_MINUTES, createApprovals, isApprovalKey } from "./approvals.ts";
export type {
  AnswerInput,
  ApprovalRequest,
  ApprovalResult,
  ApprovalView,
  Approvals,
  ApprovalsParts,
} from "./approvals.ts";
export { canonicalJson, sha256 } from "./binding.ts";
export { requestText } from "./request-text.ts";
export type { ApprovalOutcome, ApprovalRecord, CallerLink, SavedCaller } from "./records.ts";
export type { AllowRuleView } from "./rules.ts";
