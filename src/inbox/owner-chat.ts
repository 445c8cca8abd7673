import type { Channel, Target } from "../channel.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import { parseUser } from "../session/index.ts";

/**
 * The owner's own chat: on the given account if the owner is there, else on the same channel,
 * else on another connected channel.
 */
export function ownerChat(
  owners: readonly string[],
  { channel, account }: Pick<Target, "channel" | "account">,
  channels: readonly Pick<Channel, "name" | "access">[],
): Target | undefined {
  const chats = owners.flatMap((user): Target[] => {
    const owner = parseUser(user);
    const accounts = channels
      .filter(({ name }) => name === owner.channel)
      .map(({ access }) => access.account ?? DEFAULT_ACCOUNT);
    const own = owner.channel === channel && accounts.includes(account) ? account : accounts[0];
    return own === undefined ? [] : [{ channel: owner.channel, account: own, chat: owner.id }];
  });
  return chats.find((chat) => chat.channel === channel) ?? chats[0];
}
