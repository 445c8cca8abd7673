import { AssistantError } from "../errors.ts";
import type { JsonValue } from "../store/index.ts";
import type { ApprovalOutcome, ApprovalRecord } from "./records.ts";

/** Hours after the answer in which an approved call waits for a process with its tool. */
export const MAX_APPROVED_HOURS = 24;

/** A request for people and programs. */
export interface ApprovalView {
  /** The id of the call. */
  readonly id: string;
  /** What the owner types to answer. */
  readonly code: string;
  /**
   * `open`: not answered. `approved`: answered, not begun. `running`: begun, result unknown. `ended`: see `outcome`.
   */
  readonly state: ApprovalRecord["state"];
  /** Full name of the tool. */
  readonly tool: string;
  /** The arguments that the tool will be run with. */
  readonly input: JsonValue;
  /**
   * What besides the arguments determines the call's effect, such as the folder and the sandbox of a command. If it
   * changes, the call does not run.
   */
  readonly boundTo: JsonValue;
  /** The user that the call was made for, as `channel:id`. */
  readonly user: string;
  /** The session whose turn made the call. */
  readonly sessionKey: string;
  /** When the owner was asked. */
  readonly requestedAt: Date;
  /** The end of the time in which it can be answered. */
  readonly expiresAt: Date;
  /** The person who answered, as `channel:id`; absent while it is open and after it expired. */
  readonly answeredBy?: string;
  /** The time after which an approved call that has not begun does not run. */
  readonly runBy?: Date;
  /** Only if `ended`. */
  readonly outcome?: ApprovalOutcome;
}

/** The result of an answer: the call's output if it ran, else why it did not. */
export type ApprovalResult = ApprovalView &
  (
    | { readonly ok: true; readonly output: JsonValue }
    | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }
  );

/** Milliseconds since the epoch. */
export function runByOf({ answer, expiresAt }: ApprovalRecord): number {
  return (answer?.at ?? expiresAt) + MAX_APPROVED_HOURS * 60 * 60_000;
}

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
    ...(state === "approved" && { runBy: new Date(runByOf(record)) }),
    ...(outcome && { outcome }),
  };
}

export function resultOf(record: ApprovalRecord): ApprovalResult {
  const { verdict, output = null, error, reason } = record.outcome ?? {};
  if (verdict === "done") return { ...viewOf(record), ok: true, output };
  const waits = waitingError(record);
  if (waits) return { ...viewOf(record), ok: false, error: waits };
  const message = reason ?? (verdict === "interrupted" ? "the program stopped while it ran" : "it did not run");
  return { ...viewOf(record), ok: false, error: error ?? { code: (verdict ?? "interrupted").toUpperCase(), message } };
}

/** The error for an approved call that did not run here. */
function waitingError({
  state,
  tool,
}: ApprovalRecord): { readonly code: string; readonly message: string } | undefined {
  if (state === "running") return { code: "RUNS_ELSEWHERE", message: "another process is running it" };
  if (state !== "approved") return undefined;
  const message = `This program does not have ${tool} as it was when approval was requested: the approved call runs when a program that has it starts, within ${MAX_APPROVED_HOURS} hours`;
  return { code: "WAITS_FOR_TOOL", message };
}

/** The error for an answer that comes too late. */
export function alreadyAnswered({ code, answer, outcome }: ApprovalRecord): AssistantError {
  if (outcome?.verdict === "expired") return new AssistantError("GONE", `The request ${code} has expired`);
  const how = outcome?.verdict === "interrupted" ? ", and what it allowed was interrupted" : "";
  const whose = answer ? ` by ${answer.by}` : "";
  const what = answer || !outcome?.reason ? `was already answered${whose}${how}` : `cannot be used: ${outcome.reason}`;
  return new AssistantError("CONFLICT", `The request ${code} ${what}`);
}

export function auditLine({ id, code, tool, input, caller }: ApprovalRecord) {
  const { user, sessionKey, taskId } = caller;
  return { who: user, target: tool, callId: id, code, input, sessionKey, taskId };
}
