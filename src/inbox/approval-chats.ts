import type { ApprovalChats } from "../approvals/index.ts";
import type { Owners } from "../policy/index.ts";
import type { ApprovalNotices } from "./approval-notices.ts";

/** @returns Who may answer now, as `channel:id`: the owner's accounts, and whoever sits at the terminal. */
export function createApprovers(owners: Pick<Owners, "all">): () => readonly string[] {
  return () => [...new Set([...owners.all(), "cli"])];
}

export interface ApprovalChatsDeps {
  approvers(): readonly string[];
  readonly notices: ApprovalNotices;
  /** Takes an outcome to the conversation that the request is for. */
  tell: ApprovalChats["tell"];
}

/** How people learn of requests for approval, and who of them may answer. */
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
