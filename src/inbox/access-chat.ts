import { type Access, type AccessMessages, type Asked, isPairingCode, plainId } from "../access/index.ts";
import { visibleLine } from "../call-text.ts";
import type { Channel, ChannelAccess, Target } from "../channel.ts";
import { AssistantError } from "../errors.ts";
import { DEFAULT_ACCOUNT, type InboundMessage } from "../message.ts";
import { languageOf } from "../session/index.ts";
import { type Notice, type Notify, noticeAddress } from "../notice.ts";
import type { Outbox } from "../outbox/index.ts";
import type { Logger } from "../telemetry/index.ts";
import type { AnswerApproval } from "./approval-answers.ts";
import { ownerChat } from "./owner-chat.ts";
import type { TakeButtons } from "./take-buttons.ts";
import { inboxText } from "./texts.ts";

export interface AccessMessagesDeps {
  /** Answers the person who asks. Pairing itself limits how often strangers get an answer. */
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly notify: Notify;
  readonly channels: readonly Pick<Channel, "name" | "access">[];
  readonly takeButtons: TakeButtons;
  readonly logger: Logger;
}

/**
 * Messages about requests to be let in, for the person who asks and for the owner. Each message has an id of its own,
 * so repeating it has no effect.
 */
export function createAccessMessages(deps: AccessMessagesDeps): AccessMessages {
  const { outbox, notify, channels, takeButtons, logger } = deps;

  async function tell(target: Target, message: Pick<Notice, "id" | "text" | "buttons">): Promise<void> {
    await notify({ ...noticeAddress(target), ...message, type: "pairing", sessionKey: "", requested: true });
  }

  return {
    languageOf,
    async show(asked, owners) {
      const { code, target, language } = asked;
      await outbox.enqueue(target, {
        message: { id: `ask:${code}`, text: inboxText("MAY_ASK", { language }, { code }) },
      });
      const chat = ownerChat(owners, target, channels);
      const { user, account } = asked;
      if (!chat)
        return logger.warn("A person asks to be let in: see `wakeful access`", { code, user: plainId(user), account });
      const buttons = [
        { id: `/approve ${code}`, label: inboxText("YES", { language }) },
        { id: `/deny ${code}`, label: inboxText("NO", { language }) },
      ];
      await tell(chat, { id: `asks:${code}`, text: noticeText(asked), buttons });
    },
    async answered({ code, user, target, language }, owners, how) {
      const chat = ownerChat(owners, target, channels);
      const key = how === "approved" ? "LET_SOMEBODY_IN" : "NOT_LET_SOMEBODY_IN";
      if (chat) await takeButtons(chat, `asks:${code}`, inboxText(key, { language }, { code, user: plainId(user) }));
    },
    async welcome({ code, target, language }) {
      await tell(target, { id: `let-in:${code}`, text: inboxText("LET_IN", { language }) });
    },
  };
}

/** The person chose the name, so it is quoted, on one line, and inside a code block that it cannot close. */
function noticeText({ user, account, name, code, language }: Asked): string {
  const where = account === DEFAULT_ACCOUNT ? "" : ` (${plainId(account)})`;
  const quoted = name === undefined ? [] : [`name: ${visibleLine(JSON.stringify(name)).replaceAll("`", "'")}`];
  const block = ["```", `id: ${plainId(user)}${where}`, ...quoted, "```"];
  return [inboxText("ASKS", { language }), ...block, inboxText("HOW_TO_LET_IN", { language }, { code })].join("\n");
}

/**
 * Answers both kinds of requests in a chat. A code of a request to be let in goes to `access`; all other codes go to
 * `otherwise`. Texts are for the person who answers.
 */
export function answerAccess(access: Pick<Access, "approve" | "deny">, otherwise: AnswerApproval): AnswerApproval {
  return async (command, speaker) => {
    const { code, answer } = command;
    if (!isPairingCode(code)) return otherwise(command, speaker);
    const { user, asOwner } = speaker;
    if (answer === "unclear") return { text: inboxText("HOW_TO_LET_IN", speaker, { code }) };
    const isYes = answer !== "deny";
    try {
      const found = await (isYes ? access.approve : access.deny)(code, { user, asOwner });
      const values = { code, user: plainId(found.user) };
      return { text: inboxText(isYes ? "LET_SOMEBODY_IN" : "NOT_LET_SOMEBODY_IN", speaker, values) };
    } catch (error) {
      if (AssistantError.is(error, "NOT_FOUND")) return otherwise(command, speaker);
      if (AssistantError.is(error, "FORBIDDEN"))
        return { text: inboxText("MAY_NOT_ANSWER", speaker, { code }), refused: true };
      if (AssistantError.is(error, "GONE")) return { text: inboxText("REQUEST_TOO_OLD", speaker, { code }) };
      if (AssistantError.is(error, "CONFLICT")) return { text: inboxText("ANSWERED_BEFORE", speaker, { code }) };
      if (AssistantError.is(error, "OPTION_INVALID")) return { text: error.message };
      throw error;
    }
  };
}

/**
 * The answer to a message that claims ownership. `null`: the message claims nothing and is handled like any other.
 * Empty: no answer is sent, and the message is dropped.
 */
export async function ownerClaimText(
  access: Pick<Access, "claimOwner" | "decide">,
  message: InboundMessage,
  channelAccess: ChannelAccess,
): Promise<string | null> {
  const decision = access.decide(message, channelAccess);
  // A channel that refuses everyone silently accepts no claims either.
  if (decision.verdict === "refuse" && !decision.tell) return null;
  const { verdict } = await access.claimOwner(message);
  if (verdict === "none") return null;
  if (verdict === "ignored") return "";
  return inboxText(verdict === "claimed" ? "NOW_OWNER" : "WRONG_OWNER_CODE", message.text);
}
