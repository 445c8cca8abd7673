import type { Channel } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { newId } from "../ids.ts";
import { DEFAULT_ACCOUNT, type InboundMessage } from "../message.ts";
import type { Owners } from "../policy/index.ts";
import { userOf } from "../session/index.ts";
import type { Admission, Refused } from "./admission.ts";
import type { ApprovalAnswers } from "./approval-answers.ts";
import type { Arrivals, Arrived, NewMessage } from "./arrivals.ts";
import type { Consent, ConsentSource } from "./consent.ts";
import type { ChatCommands } from "./chat-commands.ts";
import { readApprovalCommand, readChatCommand } from "./commands.ts";
import type { MessageChanges } from "./message-changes.ts";
import type { Kept, Overheard } from "./overheard.ts";
import type { Presses } from "./presses.ts";
import type { Reactions } from "./reactions.ts";
import type { Router } from "./router.ts";
import { type Submission, type Submissions, isTerminal } from "./submissions.ts";
import { targetOf } from "./target-of.ts";

/** What became of a message at the door. */
export type Accepted = Arrived | Kept | Refused;

export interface InboxDeps {
  readonly admission: Admission;
  readonly router: Pick<Router, "route">;
  readonly owners: Pick<Owners, "rolesOf">;
  readonly arrivals: Pick<Arrivals, "append">;
  readonly overheard: Overheard;
  readonly approvals: ApprovalAnswers;
  readonly commands: ChatCommands;
  readonly changes: MessageChanges;
  /** Default: no button is an offer. */
  readonly presses?: Presses;
  /** Default: a word answers nothing but a model. */
  readonly consent?: Consent;
  /** Default: reactions say nothing. */
  readonly reactions?: Reactions;
  readonly submissions: Pick<Submissions, "describe">;
  readonly clock: Clock;
}

/** Of a message that is replied to: how much of it the log keeps and a prompt shows. */
const MAX_QUOTED_CHARS = 2000;

const NO_PRESSES: Presses = { obey: async () => null };
const NO_CONSENT: Consent = () => null;
const NO_REACTIONS: Reactions = { take: async () => ({ outcome: "refused", reason: "reactions say nothing here" }) };

/** The one way in: access, route, journal, wake. A message is durable when this resolves. */
export type Inbox = ReturnType<typeof createInbox>;

export function createInbox(deps: InboxDeps) {
  const { admission, router, owners, arrivals, overheard, changes, approvals, commands, submissions, clock } = deps;
  const { presses = NO_PRESSES, consent = NO_CONSENT, reactions = NO_REACTIONS } = deps;

  /** A channel's message. Refusals cost no model call and leave an audit line. */
  async function accept(channel: Channel, message: InboundMessage): Promise<Accepted> {
    const { account = DEFAULT_ACCOUNT, kind = "message" } = message;
    const isChange = kind === "edit" || kind === "deletion";
    const claimed = isChange ? null : await admission.answerClaim(channel, message);
    if (claimed) return claimed;
    const decision = await admission.decide(channel, message);
    const { sessionKey } = router.route(message);
    if (decision.verdict === "refuse") return admission.refuse(message, decision);

    const user = userOf(message.channel, message.sender.id);
    const id = `${message.channel}:${account}:${message.id}`;
    // Whatever it says now, it is no order; and in a group the message may have addressed the assistant before.
    if (isChange) return changes.take(sessionKey, id, message);
    const answer = kind === "note" || kind === "reaction" ? null : readApprovalCommand(message.text);
    const isAnswer = answer !== null && approvals.mayAnswer(user);
    // An answer names what it answers, so in a group the assistant need not be named beside it.
    if (decision.verdict === "ignore" && !isAnswer) return overheard.hear(sessionKey, id, message);

    const isPress = kind === "press";
    // In a group that hears everything, a command may be another bot's.
    const isAddressed = message.peer.kind === "direct" || message.mentioned !== false;
    const command = kind === "message" && isAddressed ? readChatCommand(message.text) : null;
    const isSign = kind === "reaction" || (isPress && !answer);
    if (isSign || (command && !answer) || (answer && !isAnswer)) {
      const refused = await commands.refuseFlood(sessionKey, id, message);
      if (refused) return refused;
    }
    const target = targetOf(message);
    if (answer) return approvals.obey(answer, sessionKey, id, { user, text: message.text, target, isPress });
    if (isPress) {
      const obeyed = await presses.obey(message.text, { sessionKey, id, user, target });
      return obeyed ?? { outcome: "refused", reason: "no such button" };
    }
    if (kind === "reaction") return reactions.take(message);
    if (kind === "note") return overheard.note(sessionKey, id, message);

    if (message.peer.kind === "direct" && !message.attachments) {
      const answered = answerOffer(message.text, { sessionKey, id, user, target });
      const obeyed = answered && (await answered);
      if (obeyed) return obeyed;
    }
    const { sender } = message;
    const record: NewMessage = {
      type: "in",
      id,
      ...(message.messageId !== undefined && { messageId: message.messageId }),
      turn: newId(clock),
      text: message.text,
      user,
      roles: owners.rolesOf(user),
      channel: message.channel,
      account,
      peer: message.peer,
      sender: { id: sender.id, ...(sender.name !== undefined && { name: sender.name }) },
      ...(message.thread !== undefined && { thread: message.thread }),
      ...(message.mentioned !== undefined && { mentioned: message.mentioned }),
      ...(message.attachments && { attachments: message.attachments }),
      ...(message.quoted && { quoted: { ...message.quoted, text: message.quoted.text.slice(0, MAX_QUOTED_CHARS) } }),
      target,
    };
    return command ? commands.obey(command, { sessionKey, message: record }) : arrivals.append(sessionKey, record);
  }

  /** A call of the host program, the CLI or the API: durable when this resolves; its reply goes to whoever waits for it. */
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
    // Behind a program there is no person who could have read the offer.
    const answered =
      input.isProgram === true || record.attachments ? null : answerOffer(input.text, { sessionKey, id, user });
    const obeyed = answered && (await answered);
    if (obeyed) return obeyed;
    return command ? commands.obey(command, { sessionKey, message: record }) : arrivals.append(sessionKey, record);
  }

  /** A word that answers the offer which was said last. `null`: it is a message like any other, which all but a few words are at once. */
  function answerOffer(text: string, source: ConsentSource): Promise<Arrived | null> | null {
    const button = consent(text, source);
    return (
      button && button.then((found) => (found === null ? null : presses.obey(found, { ...source, isWritten: true })))
    );
  }

  return { accept, submit };
}
