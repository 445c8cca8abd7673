import type { AnswerInput, Approvals } from "./approvals.ts";
import type { AllowRuleView } from "./rules.ts";
import type { ApprovalResult, ApprovalView } from "./views.ts";

/** Requests for the owner's consent, and what was allowed for good. */
export interface ApprovalsApi {
  /** Requests that wait, oldest first; with `all` also those that ended, for 30 days. */
  list(options?: { readonly all?: boolean }): Promise<readonly ApprovalView[]>;
  /**
   * Answers a request, by its id or its code, and waits for the call when it may run. Where its tool is not, the request stays `approved` and the result's error is
   * `WAITS_FOR_TOOL`: the first process that has the tool runs the call, and until then `deny` takes it back.
   * @throws {AssistantError} `NOT_FOUND`; `FORBIDDEN` when `user` may not answer; `CONFLICT` when it was answered before; `GONE` when it is too old.
   */
  answer(idOrCode: string, answer: AnswerInput): Promise<ApprovalResult>;
  /** What needs no approval any more, by answers `always`. */
  rules(): Promise<readonly AllowRuleView[]>;
  /** Takes one rule back: what it let pass is asked about again. @throws {AssistantError} `NOT_FOUND`. */
  removeRule(id: string): Promise<void>;
}

/** `assistant.approvals`. */
export function createHostApprovals(
  approvals: Pick<Approvals, "list" | "rules">,
  answerAs: (idOrCode: string, given: AnswerInput) => Promise<ApprovalResult>,
): ApprovalsApi {
  return {
    list: approvals.list,
    // Field by field: what the host passes on from elsewhere cannot make anybody the owner.
    answer: async (idOrCode, { answer, reason, pattern, user }) =>
      answerAs(idOrCode, {
        answer,
        ...(reason !== undefined && { reason }),
        ...(pattern !== undefined && { pattern }),
        ...(user !== undefined && { user }),
      }),
    rules: approvals.rules.list,
    removeRule: approvals.rules.remove,
  };
}
