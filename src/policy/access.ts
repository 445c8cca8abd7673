import type { ChannelAccess } from "../channel.ts";
import type { InboundMessage } from "../message.ts";

export const DEFAULT_DIRECT_ACCESS = "pairing";
export const DEFAULT_GROUP_ACCESS = "mention";

/**
 * `ignore`: the message is not addressed to the assistant and gets no answer. `mayAsk`: the owner may be asked to
 * admit the sender.
 */
export type AccessDecision =
  | { readonly verdict: "let-in"; readonly reason: string }
  | { readonly verdict: "refuse"; readonly reason: string; readonly tell: boolean; readonly mayAsk?: boolean }
  | { readonly verdict: "ignore"; readonly reason: string };

/**
 * Decides whether a sender may write to the assistant in this chat. Pure. Ids are compared exactly. An empty id never
 * matches. An id with blanks around it is refused, because the key of a session drops them.
 *
 * Source: docs/access.md, "Who may write".
 *
 * @param isPaired Whether the owner admitted the sender on the account that the message came to. Called under
 * `pairing` only. Default: no sender is paired.
 */
export function decideAccess(
  message: InboundMessage,
  access: ChannelAccess,
  ownerIds: readonly string[],
  isPaired: (message: InboundMessage) => boolean = () => false,
): AccessDecision {
  const id = message.sender.id;
  if (id !== id.trim() || message.peer.id !== message.peer.id.trim())
    return { verdict: "refuse", reason: "an id has spaces around it", tell: false };
  if (message.peer.kind !== "direct") return decideGroup(message, access.groups ?? DEFAULT_GROUP_ACCESS);

  const mode = access.dm ?? DEFAULT_DIRECT_ACCESS;
  if (mode === "disabled")
    return { verdict: "refuse", reason: "direct chats are disabled on this channel", tell: false };
  if (id === "") return { verdict: "refuse", reason: "the sender has no id", tell: false };
  if (ownerIds.includes(`${message.channel}:${id}`)) return { verdict: "let-in", reason: "owner" };
  if (mode === "open") return { verdict: "let-in", reason: "direct chats are open" };
  if (access.allow?.includes(id)) return { verdict: "let-in", reason: "on the allow list" };
  if (mode !== "pairing") return { verdict: "refuse", reason: "not on the allow list", tell: true };
  if (isPaired(message)) return { verdict: "let-in", reason: "let in by the owner" };
  return { verdict: "refuse", reason: "not paired", tell: true, mayAsk: true };
}

function decideGroup(message: InboundMessage, mode: NonNullable<ChannelAccess["groups"]>): AccessDecision {
  if (mode === "disabled") return { verdict: "refuse", reason: "groups are disabled on this channel", tell: false };
  if (message.sender.id === "") return { verdict: "refuse", reason: "the sender has no id", tell: false };
  if (mode === "always") return { verdict: "let-in", reason: "answers every message in groups" };
  return message.mentioned
    ? { verdict: "let-in", reason: "addressed in a group" }
    : { verdict: "ignore", reason: "not addressed in a group" };
}
