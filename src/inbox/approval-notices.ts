import {
  type ApprovalChats,
  type ApprovalRecord,
  buttonsFor,
  endText,
  homeOfRequest,
  noticeText,
  requestText,
} from "../approvals/index.ts";
import type { Channel, Target } from "../channel.ts";
import type { Outbox } from "../outbox/index.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import type { Logger, ModelRedactor } from "../telemetry/index.ts";
import { ownerChat } from "./owner-chat.ts";
import type { TakeButtons } from "./take-buttons.ts";

export interface ApprovalNoticesDeps {
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly channels: readonly Pick<Channel, "name" | "access">[];
  /** `channel:id` of everybody who may answer now. */
  approvers(): readonly string[];
  readonly redact: ModelRedactor;
  readonly takeButtons: TakeButtons;
  readonly logger: Logger;
}

/** Shows requests: all of one where the owner reads, elsewhere only that it waits. */
export function createApprovalNotices({
  outbox,
  channels,
  approvers,
  redact,
  takeButtons,
  logger,
}: ApprovalNoticesDeps): Pick<ApprovalChats, "show" | "answered"> {
  /** The request's own chat, and the owner's. Each has one message, however often it is shown. */
  function noticesOf(record: ApprovalRecord) {
    const { caller } = record;
    const { target: own } = homeOfRequest(caller);
    const isOwners = caller.userRoles.includes(OWNER_ROLE);
    const { user, channel, accountId: account } = caller;
    const others = approvers().filter((id) => id !== user);
    const owners = ownerChat(others, { channel, account }, channels);
    const whole = { text: redact(requestText(record)), buttons: buttonsFor(record) };
    const targets: { readonly target: Target; readonly text: string; readonly buttons?: typeof whole.buttons }[] = [
      ...(own ? [{ target: own, ...(isOwners ? whole : { text: noticeText(record) }) }] : []),
      ...(owners && !(isOwners && own) ? [{ target: owners, ...whole }] : []),
    ];
    return targets.map(({ target, ...message }) => {
      const id = `ask:${record.id}:${target.channel}:${target.account}:${target.chat}`;
      return { target, message: { id, ...message } };
    });
  }

  return {
    async show(record) {
      const notices = noticesOf(record);
      for (const { target, message } of notices) await outbox.enqueue(target, { message });
      if (!notices.some(({ message }) => message.buttons))
        logger.warn("A call waits for the owner's approval: `wakeful approvals`", {
          code: record.code,
          tool: record.tool,
        });
    },
    async answered(record) {
      const asked = noticesOf(record).filter(({ message }) => message.buttons);
      await Promise.all(asked.map(({ target, message }) => takeButtons(target, message.id, endText(record))));
    },
  };
}
