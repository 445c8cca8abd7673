import type { ApprovalRecord, Approvals } from "../approvals/index.ts";
import { AssistantError } from "../errors.ts";

export interface WorkApprovalsDeps {
  readonly approvals: Pick<Approvals, "of" | "list" | "decide">;
  /** To be called when a request of this session has ended. */
  mayHaveEnded(sessionKey: string): Promise<void>;
}

/** Approval requests that unattended work made. */
export type WorkApprovals = ReturnType<typeof createWorkApprovals>;

export function createWorkApprovals({ approvals, mayHaveEnded }: WorkApprovalsDeps) {
  /**
   * Takes an open question back without telling its conversation, because the asker has ended. Contract: a question
   * that was already answered stays as it is.
   */
  async function takeBack(id: string, reason: string): Promise<void> {
    let taken: ApprovalRecord;
    try {
      taken = await approvals.decide(id, { answer: "deny", reason }, true, { isTold: true });
    } catch (error) {
      // It was answered in the meantime or has expired: nothing is left to take back.
      if (AssistantError.is(error)) return;
      throw error;
    }
    await mayHaveEnded(taken.caller.sessionKey);
  }

  return {
    of: approvals.of,
    takeBack,
    /** Takes back all open questions that were asked in matching sessions. */
    async takeBackAsked(isOf: (sessionKey: string) => boolean, reason: string): Promise<void> {
      for (const { id, sessionKey } of await approvals.list()) if (isOf(sessionKey)) await takeBack(id, reason);
    },
  };
}
