import type { AnswerInput, Approvals } from "./approvals.ts";
import type { AllowRuleView } from "./rules.ts";
import type { ApprovalResult, ApprovalView } from "./views.ts";

/** Requests for the owner's approval, and permanent permissions. */
export interface ApprovalsApi {
  /** Lists waiting requests, oldest first; with `all`, also those that ended within 30 days. */
  list(options?: { readonly all?: boolean }): Promise<readonly ApprovalView[]>;
  /**
   * Answers a request by its id or code, and waits for the call if it may run. If this process does not have the
   * tool, the request stays `approved` and the result's error is `WAITS_FOR_TOOL`: the first process with the tool
   * runs the call, and until then `deny` takes the approval back.
   * @throws {AssistantError} `NOT_FOUND`; `FORBIDDEN` if `user` may not answer; `CONFLICT` if it was answered
   * before; `GONE` if it is too old.
   */
  answer(idOrCode: string, answer: AnswerInput): Promise<ApprovalResult>;
  /** Lists what needs no approval any more, from answers `always`. */
  rules(): Promise<readonly AllowRuleView[]>;
  /**
   * Removes a rule: the calls that it allowed are asked about again.
   * @throws {AssistantError} `NOT_FOUND`.
   */
  removeRule(id: string): Promise<void>;
}

/** Creates `assistant.approvals`. */
export function createHostApprovals(
  approvals: Pick<Approvals, "list" | "rules">,
  answerAs: (idOrCode: string, given: AnswerInput) => Promise<ApprovalResult>,
): ApprovalsApi {
  return {
    list: approvals.list,
    // Copied field by field, so that input which the host passes on cannot claim to be the owner's.
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
