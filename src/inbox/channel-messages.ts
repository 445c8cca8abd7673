import type { Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { newId } from "../ids.ts";
import { DEFAULT_ACCOUNT, type InboundMessage } from "../message.ts";
import type { Owners } from "../policy/index.ts";
import { userOf } from "../session/index.ts";
import type { NewMessage } from "./arrivals.ts";
import type { Router } from "./router.ts";
import { targetOf } from "./target-of.ts";

/** Of a message that is replied to: how much of it the log keeps and a prompt shows. */
const MAX_QUOTED_CHARS = 2000;

export interface ChannelMessagesDeps {
  readonly router: Pick<Router, "route">;
  readonly owners: Pick<Owners, "rolesOf">;
  readonly clock: Clock;
}

/** Where a message of a channel comes from, and where it belongs. */
export interface MessageSource {
  readonly sessionKey: string;
  /** Of the event, on its platform and account: the same again is the same message. */
  readonly id: string;
  /** As `channel:id`. */
  readonly user: string;
  /** Its chat. */
  readonly target: Target;
}

/** What a message of a channel is to the log. */
export type ChannelMessages = ReturnType<typeof createChannelMessages>;

export function createChannelMessages({ router, owners, clock }: ChannelMessagesDeps) {
  return {
    sourceOf(message: InboundMessage): MessageSource {
      const { channel, account = DEFAULT_ACCOUNT, sender } = message;
      return {
        sessionKey: router.route(message).sessionKey,
        id: `${channel}:${account}:${message.id}`,
        user: userOf(channel, sender.id),
        target: targetOf(message),
      };
    },

    /** Its record, which begins a turn or joins one. */
    recordOf(message: InboundMessage, { id, user, target }: MessageSource): NewMessage {
      const { channel, account = DEFAULT_ACCOUNT, sender } = message;
      return {
        type: "in",
        id,
        ...(message.messageId !== undefined && { messageId: message.messageId }),
        turn: newId(clock),
        text: message.text,
        user,
        roles: owners.rolesOf(user),
        channel,
        account,
        peer: message.peer,
        sender: { id: sender.id, ...(sender.name !== undefined && { name: sender.name }) },
        ...(message.thread !== undefined && { thread: message.thread }),
        ...(message.mentioned !== undefined && { mentioned: message.mentioned }),
        ...(message.attachments && { attachments: message.attachments }),
        ...(message.quoted && { quoted: { ...message.quoted, text: message.quoted.text.slice(0, MAX_QUOTED_CHARS) } }),
        target,
      };
    },
  };
}
