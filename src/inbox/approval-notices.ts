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
import { RUNTIME_CHANNEL } from "../host-channels.ts";
import { type Notice, type Notify, noticeAddress } from "../notice.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import type { Logger, ModelRedactor } from "../telemetry/index.ts";
import { isSameChat } from "./consent.ts";
import { ownerChat } from "./owner-chat.ts";
import type { TakeButtons } from "./take-buttons.ts";
import { inboxText } from "./texts.ts";

export interface ApprovalNoticesDeps {
  readonly notify: Notify;
  readonly channels: readonly Pick<Channel, "name" | "access">[];
  /** Users who may answer now, as `channel:id`. */
  approvers(): readonly string[];
  readonly redact: ModelRedactor;
  readonly takeButtons: TakeButtons;
  /** Whether the program handles notices for people whom no channel reaches. */
  readonly tellsHost: boolean;
  readonly logger: Logger;
}

export interface ApprovalNotices extends Pick<ApprovalChats, "show" | "answered"> {
  /** Tells a person who approved a call from another chat that it did not run after all. Contract: as `show`. */
  notRun(record: ApprovalRecord): Promise<void>;
}

/** Shows requests: the complete request where the owner reads it, elsewhere only that a call waits. */
export function createApprovalNotices({
  notify,
  channels,
  approvers,
  redact,
  takeButtons,
  tellsHost,
  logger,
}: ApprovalNoticesDeps): ApprovalNotices {
  /**
   * Notices for the request's own chat and for the owner's. Each chat gets one message, even
   * if the request is shown again.
   */
  function noticesOf(record: ApprovalRecord) {
    const { caller } = record;
    const { target: home } = homeOfRequest(caller);
    const { user, channel, accountId: account } = caller;
    const answering = approvers();
    // For a workflow the runtime asks with an owner's role, so the role alone does not make the chat an owner's.
    const isOwners = caller.userRoles.includes(OWNER_ROLE) && (channel !== RUNTIME_CHANNEL || answering.includes(user));
    const others = answering.filter((id) => id !== user);
    const owners = ownerChat(others, { channel, account }, channels);
    // An automation's request can have the owner's own chat as its home.
    const own = home && isSameChat(home, owners) ? undefined : home;
    const whole = { text: redact(requestText(record)), buttons: buttonsFor(record) };
    const told: (Pick<Notice, "user" | "text" | "buttons"> & { readonly target: Target })[] = [
      ...(own ? [{ user, target: own, ...(isOwners ? whole : { text: noticeText(record) }) }] : []),
      ...(owners && !(isOwners && own) ? [{ ...noticeAddress(owners), target: owners, ...whole }] : []),
    ];
    return told.map(({ target, user: person, text, buttons }) => {
      const id = `ask:${record.id}:${target.channel}:${target.account}:${target.chat}`;
      return { target, message: { id, user: person, text, ...(buttons && { buttons }) } };
    });
  }

  return {
    async show(record) {
      const notices = noticesOf(record);
      const { sessionKey } = record.caller;
      for (const { target, message } of notices)
        await notify({ ...noticeAddress(target), ...message, type: "approval", sessionKey, requested: true });
      if (notices.some(({ message }) => message.buttons)) return;
      const owner = tellsHost && approvers().find((id) => id !== "cli");
      if (owner) {
        const message = { id: `ask:${record.id}`, user: owner, text: redact(requestText(record)) };
        await notify({ ...message, type: "approval", sessionKey, requested: true });
      } else
        logger.warn("A call waits for the owner's approval: see `wakeful approvals`", {
          code: record.code,
          tool: record.tool,
        });
    },
    async notRun(record) {
      const { id, code, tool, answer, caller } = record;
      const reason = whyNotRun(record);
      if (reason === undefined || !answer || answer.answer === "deny" || answer.by === caller.user) return;
      const { user, channel, accountId: account, language = "en", sessionKey } = caller;
      const target = ownerChat([answer.by], { channel, account }, channels);
      const { target: own } = homeOfRequest(caller);
      if (!target || isSameChat(target, own)) return;
      const text = redact(inboxText("NOT_RUN", { language }, { code, tool, user, reason }));
      const message = { id: `notrun:${id}`, user: answer.by, text };
      await notify({ ...noticeAddress(target), ...message, type: "approval", sessionKey, requested: true });
    },
    async answered(record) {
      const asked = noticesOf(record).filter(({ message }) => message.buttons);
      await Promise.all(asked.map(({ target, message }) => takeButtons(target, message.id, endText(record))));
    },
  };
}

/** Why a call was never begun; `undefined` if it was begun or still waits. */
function whyNotRun({ outcome }: ApprovalRecord): string | undefined {
  if (outcome?.verdict === "denied" || outcome?.verdict === "expired") return outcome.reason;
  return NOT_BEGUN.includes(outcome?.error?.code ?? "") ? outcome?.error?.message : undefined;
}

const NOT_BEGUN: readonly string[] = ["CHANGED", "DENIED", "MCP_UNAVAILABLE", "UNKNOWN_TOOL"];
