import type { ApprovalChats } from "../approvals/index.ts";
import type { Owners } from "../policy/index.ts";
import type { ApprovalNotices } from "./approval-notices.ts";

/** @returns Users who may answer now, as `channel:id`: the owner's accounts and `cli`, the person at the terminal. */
export function createApprovers(owners: Pick<Owners, "all">): () => readonly string[] {
  return () => [...new Set([...owners.all(), "cli"])];
}

export interface ApprovalChatsDeps {
  approvers(): readonly string[];
  readonly notices: ApprovalNotices;
  /** Delivers an outcome to the session that the request is for. */
  tell: ApprovalChats["tell"];
}

/** Tells people about requests for approval, and says which of them may answer. */
export function createApprovalChats({
  approvers,
  notices: { notRun, ...notices },
  tell,
}: ApprovalChatsDeps): ApprovalChats & { mayAnswer(user: string): boolean } {
  return {
    approvers,
    mayAnswer: (user) => approvers().includes(user),
    ...notices,
    async tell(record) {
      const told = await tell(record);
      await notRun(record);
      return told;
    },
  };
}
