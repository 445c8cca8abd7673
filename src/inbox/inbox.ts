import type { Channel } from "../channel.ts";
import type { InboundMessage } from "../message.ts";
import type { Admission, Refused } from "./admission.ts";
import type { ApprovalAnswers } from "./approval-answers.ts";
import type { Arrivals, Arrived } from "./arrivals.ts";
import type { ChannelMessages } from "./channel-messages.ts";
import type { ChatCommands } from "./chat-commands.ts";
import { readApprovalCommand, readChatCommand } from "./commands.ts";
import type { MessageChanges } from "./message-changes.ts";
import type { Kept, Overheard } from "./overheard.ts";
import type { Signs } from "./signs.ts";
import { type Submission, type Submissions, isTerminal } from "./submissions.ts";

/** The result for a message that arrived. */
export type Accepted = Arrived | Kept | Refused;

export interface InboxDeps {
  readonly admission: Admission;
  readonly messages: ChannelMessages;
  readonly submissions: Pick<Submissions, "describe">;
  readonly arrivals: Pick<Arrivals, "append">;
  readonly overheard: Overheard;
  readonly changes: MessageChanges;
  readonly approvals: ApprovalAnswers;
  readonly commands: ChatCommands;
  readonly signs: Signs;
}

/** The only way in: access, route, journal, wake. A message is durable when this resolves. */
export type Inbox = ReturnType<typeof createInbox>;

export function createInbox(deps: InboxDeps) {
  const { admission, messages, submissions, arrivals, overheard, changes, approvals, commands, signs } = deps;

  /** Accepts a channel's message. A refusal costs no model call and leaves an audit line. */
  async function accept(channel: Channel, message: InboundMessage): Promise<Accepted> {
    const { kind = "message" } = message;
    const isChange = kind === "edit" || kind === "deletion";
    const claimed = isChange ? null : await admission.answerClaim(channel, message);
    if (claimed) return claimed;
    const decision = await admission.decide(channel, message);
    if (decision.verdict === "refuse") return admission.refuse(message, decision);

    const source = messages.sourceOf(message);
    const { sessionKey, id, user, target } = source;
    // A change is never a command. In a group, the original message may have addressed the assistant.
    if (isChange) return changes.take(sessionKey, id, message);
    const answer = kind === "note" || kind === "reaction" ? null : readApprovalCommand(message.text);
    const isAnswer = answer !== null && approvals.mayAnswer(user);
    // An answer contains its code, so in a group it need not mention the assistant.
    if (decision.verdict === "ignore" && !isAnswer) return overheard.hear(sessionKey, id, message);

    const isPress = kind === "press";
    // In a group where the bot receives all messages, a command can be meant for another bot.
    const isAddressed = message.peer.kind === "direct" || message.mentioned !== false;
    const command = kind === "message" && isAddressed ? readChatCommand(message.text) : null;
    const isSign = kind === "reaction" || (isPress && !answer);
    if (isSign || (command && !answer) || (answer && !isAnswer)) {
      const refused = await commands.refuseFlood(sessionKey, id, message);
      if (refused) return refused;
    }
    if (answer) return approvals.obey(answer, sessionKey, id, { user, text: message.text, target, isPress });
    if (isPress) return signs.press(message.text, source);
    if (kind === "reaction") return signs.react(message);
    if (kind === "note") return overheard.note(sessionKey, id, message);

    if (message.peer.kind === "direct" && !message.attachments) {
      const answered = signs.word(message.text, source);
      const obeyed = answered && (await answered);
      if (obeyed) return obeyed;
    }
    const record = messages.recordOf(message, source);
    return command ? commands.obey(command, { sessionKey, message: record }) : arrivals.append(sessionKey, record);
  }

  /**
   * Accepts a call of the host program, the CLI or the API. It is durable when this
   * resolves. The reply goes to the caller.
   */
  async function submit(input: Submission): Promise<Arrived> {
    const { sessionKey, record } = submissions.describe(input);
    const answer = readApprovalCommand(input.text);
    if (answer) {
      if (input.isProgram === true) return approvals.refuseProgram(answer, sessionKey, record);
      const { user, text, channel } = record;
      const asOwner = input.asOwner === true || isTerminal(user, channel);
      return approvals.obey(answer, sessionKey, record.id, { user, text, asOwner });
    }
    const command = readChatCommand(input.text);
    const { user, id } = record;
    // A program is no person who could have read the offer.
    const answered =
      input.isProgram === true || record.attachments ? null : signs.word(input.text, { sessionKey, id, user });
    const obeyed = answered && (await answered);
    if (obeyed) return obeyed;
    return command ? commands.obey(command, { sessionKey, message: record }) : arrivals.append(sessionKey, record);
  }

  return { accept, submit };
}
