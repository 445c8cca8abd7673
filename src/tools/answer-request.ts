import { type AnswerInput, type ApprovalResult, type Approvals, resultOf } from "../approvals/index.ts";
import type { ToolDispatch } from "./dispatch.ts";

export interface AnswerRequestDeps {
  readonly approvals: Pick<Approvals, "find" | "decide" | "answer">;
  readonly dispatch: Pick<ToolDispatch, "hasSame">;
  /** Waits until the assistant runs. */
  start(): Promise<void>;
  /** Whether the assistant has not been started. */
  isNew(): boolean;
}

/**
 * Creates the function that answers an approval request. An assistant that has not started is started only if it can
 * run the call; otherwise the answer is only stored. Throws the same `AssistantError`s as `decide` of the approvals.
 */
export function createAnswerRequest({ approvals, dispatch, start, isNew }: AnswerRequestDeps) {
  return async function answer(
    idOrCode: string,
    given: AnswerInput & { readonly asOwner?: boolean },
  ): Promise<ApprovalResult> {
    if (isNew()) {
      const record = await approvals.find(idOrCode);
      if (!record || !(await dispatch.hasSame(record)))
        return resultOf(await approvals.decide(idOrCode, given, given.asOwner === true));
    }
    await start();
    return approvals.answer(idOrCode, given);
  };
}
