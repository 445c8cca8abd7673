import type { ApprovalChats } from "../approvals/index.ts";
import type { Clock } from "../clock.ts";
import type { Channel } from "../channel.ts";
import type { Notify } from "../notice.ts";
import type { Owners } from "../policy/index.ts";
import type { Logger, ModelRedactor } from "../telemetry/index.ts";
import { createApprovalNotices } from "./approval-notices.ts";
import { createApprovalOutcomes } from "./approval-outcomes.ts";
import type { Arrivals } from "./arrivals.ts";
import type { TakeButtons } from "./take-buttons.ts";

export interface ApprovalChatsDeps {
  readonly arrivals: Pick<Arrivals, "append">;
  readonly notify: Notify;
  readonly channels: readonly Pick<Channel, "name" | "access">[];
  readonly takeButtons: TakeButtons;
  readonly owners: Pick<Owners, "all" | "rolesOf">;
  /** Hands an outcome to work that waits for it itself. @returns Whether there is some. */
  takenByWork(caller: { readonly sessionKey: string }): Promise<boolean>;
  /** A request of this session has ended. */
  mayHaveEnded(sessionKey: string): Promise<void>;
  readonly clock: Clock;
  readonly redact: ModelRedactor;
  /** As of the notices of requests. */
  readonly tellsHost: boolean;
  readonly logger: Logger;
}

/** How people learn of requests for approval, and who of them may answer: the owner's accounts, and whoever sits at the terminal. */
export function createApprovalChats(deps: ApprovalChatsDeps): ApprovalChats & { mayAnswer(user: string): boolean } {
  const approvers = () => [...new Set([...deps.owners.all(), "cli"])];
  const { notRun, ...notices } = createApprovalNotices({ ...deps, approvers });
  const tell = createApprovalOutcomes(deps);
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
