import type { Target } from "../channel.ts";
import { DEFAULT_ACCOUNT, type InboundMessage } from "../message.ts";

/** The address of the answer to a channel's message. */
export function targetOf(message: InboundMessage): Target {
  return {
    channel: message.channel,
    account: message.account ?? DEFAULT_ACCOUNT,
    chat: message.peer.id,
    ...(message.thread !== undefined && { thread: message.thread }),
    ...(message.replyTo !== undefined && { replyTo: message.replyTo }),
  };
}
