import type { Channel, Target } from "../channel.ts";
import { AssistantError } from "../errors.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";

/** The channels of an assistant, each found by its name and account. */
export interface Channels {
  readonly all: readonly Channel[];
  of(target: Pick<Target, "channel" | "account">): Channel | undefined;
}

/** @throws {AssistantError} `OPTION_INVALID` for two of the same name and account. */
export function createChannels(given: readonly Channel[]): Channels {
  const byId = new Map(given.map((channel) => [channelId(channel.name, channel.access.account), channel]));
  if (byId.size < given.length) {
    throw new AssistantError(
      "OPTION_INVALID",
      "Invalid option channels: two of them have the same name and account; give each its own account",
    );
  }
  return { all: [...byId.values()], of: ({ channel, account }) => byId.get(channelId(channel, account)) };
}

function channelId(name: string, account = DEFAULT_ACCOUNT): string {
  return `${name}:${account}`;
}
