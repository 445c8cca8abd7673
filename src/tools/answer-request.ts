import { type AnswerInput, type ApprovalResult, type Approvals, resultOf } from "../approvals/index.ts";
import type { ToolDispatch } from "./dispatch.ts";

export interface AnswerRequestDeps {
  readonly approvals: Pick<Approvals, "find" | "decide" | "answer">;
  readonly dispatch: Pick<ToolDispatch, "hasSame">;
  /** Waits until the assistant runs. */
  start(): Promise<void>;
  /** The assistant has not been started. */
  isNew(): boolean;
}

/**
 * @returns What answers a request. Where its call cannot run, the answer is only kept: an assistant that does not run yet is not started for it.
 * It throws `AssistantError` as `decide` of the approvals.
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
