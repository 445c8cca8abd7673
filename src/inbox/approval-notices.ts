import { type ApprovalRecord, buttonsFor, noticeText, requestText } from "../approvals/index.ts";
import type { Channel, Target } from "../channel.ts";
import type { Outbox } from "../outbox/index.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import type { Logger, ModelRedactor } from "../telemetry/index.ts";
import { ownerChat } from "./owner-chat.ts";

export interface ApprovalNoticesDeps {
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly channels: readonly Pick<Channel, "name" | "access">[];
  /** `channel:id` of everybody who may answer now. */
  approvers(): readonly string[];
  readonly redact: ModelRedactor;
  readonly logger: Logger;
}

/** @returns What shows a request in its chat and in the owner's: all of it where the owner reads, elsewhere only that it waits. */
export function createApprovalNotices({ outbox, channels, approvers, redact, logger }: ApprovalNoticesDeps) {
  return async function show(record: ApprovalRecord): Promise<void> {
    const { caller } = record;
    const isOwners = caller.userRoles.includes(OWNER_ROLE);
    const { user, channel, accountId: account } = caller;
    const others = approvers().filter((id) => id !== user);
    const owners = ownerChat(others, { channel, account }, channels);
    const whole = { text: redact(requestText(record)), buttons: buttonsFor(record) };
    const targets: { readonly target: Target; readonly text: string; readonly buttons?: typeof whole.buttons }[] = [
      ...(caller.target ? [{ target: caller.target, ...(isOwners ? whole : { text: noticeText(record) }) }] : []),
      ...(owners && !(isOwners && caller.target) ? [{ target: owners, ...whole }] : []),
    ];
    for (const { target, ...message } of targets) {
      // One message for each chat, however often this is done.
      const id = `ask:${record.id}:${target.channel}:${target.account}:${target.chat}`;
      await outbox.enqueue(target, { message: { id, ...message } });
    }
    if (!targets.some(({ buttons }) => buttons))
      logger.warn("A call waits for the owner's approval: `wakeful approvals`", {
        code: record.code,
        tool: record.tool,
      });
  };
}
