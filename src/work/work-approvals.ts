import type { ApprovalRecord, Approvals } from "../approvals/index.ts";
import { AssistantError } from "../errors.ts";

export interface WorkApprovalsDeps {
  readonly approvals: Pick<Approvals, "of" | "list" | "decide">;
  /** A request of this session has ended. */
  mayHaveEnded(sessionKey: string): Promise<void>;
}

/** What work asked the owner. */
export type WorkApprovals = ReturnType<typeof createWorkApprovals>;

export function createWorkApprovals({ approvals, mayHaveEnded }: WorkApprovalsDeps) {
  /** Takes a question back that nobody has to answer any more, and tells no conversation of it: who asked has ended. Contract: one that was answered meanwhile stays as it is. */
  async function takeBack(id: string, reason: string): Promise<void> {
    let taken: ApprovalRecord;
    try {
      taken = await approvals.decide(id, { answer: "deny", reason }, true, { isTold: true });
    } catch (error) {
      // It was answered meanwhile, or is too old: nothing is left to take back.
      if (AssistantError.is(error)) return;
      throw error;
    }
    await mayHaveEnded(taken.caller.sessionKey);
  }

  return {
    of: approvals.of,
    takeBack,
    /** Takes back all that waits for an answer and was asked in one of these sessions. */
    async takeBackAsked(isOf: (sessionKey: string) => boolean, reason: string): Promise<void> {
      for (const { id, sessionKey } of await approvals.list()) if (isOf(sessionKey)) await takeBack(id, reason);
    },
  };
}
