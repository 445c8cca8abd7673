import { AssistantError } from "../errors.ts";
import type { JsonValue } from "../store/index.ts";
import type { ApprovalOutcome, ApprovalRecord } from "./records.ts";

/** A request as people and programs see it. */
export interface ApprovalView {
  readonly id: string;
  readonly code: string;
  readonly state: ApprovalRecord["state"];
  readonly tool: string;
  readonly input: JsonValue;
  readonly boundTo: JsonValue;
  readonly user: string;
  readonly sessionKey: string;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  readonly answeredBy?: string;
  readonly outcome?: ApprovalOutcome;
}

/** What came of an answer: the call's result when it ran, else why it did not. */
export type ApprovalResult = ApprovalView &
  (
    | { readonly ok: true; readonly output: JsonValue }
    | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }
  );

export function viewOf(record: ApprovalRecord): ApprovalView {
  const { id, code, state, tool, input, boundTo, caller, requestedAt, expiresAt, answer, outcome } = record;
  return {
    id,
    code,
    state,
    tool,
    input,
    boundTo,
    user: caller.user,
    sessionKey: caller.sessionKey,
    requestedAt: new Date(requestedAt),
    expiresAt: new Date(expiresAt),
    ...(answer && { answeredBy: answer.by }),
    ...(outcome && { outcome }),
  };
}

export function resultOf(record: ApprovalRecord): ApprovalResult {
  const { verdict, output = null, error, reason } = record.outcome ?? {};
  if (verdict === "done") return { ...viewOf(record), ok: true, output };
  const message = reason ?? (verdict === "interrupted" ? "the program stopped while it ran" : "it did not run");
  return { ...viewOf(record), ok: false, error: error ?? { code: (verdict ?? "interrupted").toUpperCase(), message } };
}

/** Why an answer comes too late. */
export function alreadyAnswered({ code, answer, outcome }: ApprovalRecord): AssistantError {
  if (outcome?.verdict === "expired") return new AssistantError("GONE", `The request ${code} is too old`);
  const how = outcome?.verdict === "interrupted" ? ", and what it allowed was interrupted" : "";
  const whose = answer ? ` by ${answer.by}` : "";
  return new AssistantError("CONFLICT", `The request ${code} was answered before${whose}${how}`);
}

export function auditLine({ id, code, tool, input, caller }: ApprovalRecord) {
  const { user, sessionKey, taskId } = caller;
  return { who: user, target: tool, callId: id, code, input, sessionKey, taskId };
}
