import type { Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { newId } from "../ids.ts";
import { DEFAULT_ACCOUNT, type InboundMessage } from "../message.ts";
import type { Owners } from "../policy/index.ts";
import { userOf } from "../session/index.ts";
import type { NewMessage } from "./arrivals.ts";
import type { Router } from "./router.ts";
import { targetOf } from "./target-of.ts";

/** Characters of a quoted message that the log keeps and a prompt shows. */
const MAX_QUOTED_CHARS = 2000;

export interface ChannelMessagesDeps {
  readonly router: Pick<Router, "route">;
  readonly owners: Pick<Owners, "rolesOf">;
  readonly clock: Clock;
}

/** Origin of a channel's message, and its session. */
export interface MessageSource {
  readonly sessionKey: string;
  /** Id of the event, unique for its platform and account. The same id is the same message. */
  readonly id: string;
  /** `channel:id`. */
  readonly user: string;
  /** The chat that the message came from. */
  readonly target: Target;
}

/** Converts a channel's messages into records. */
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

    /** The record of a message, which begins a turn or joins one. */
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
