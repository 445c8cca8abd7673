import type { Channel, Target } from "./channel.ts";
import { AssistantError } from "./errors.ts";
import { DEFAULT_ACCOUNT } from "./message.ts";

/** The channels of an assistant, by name and account. */
export interface Channels {
  readonly all: readonly Channel[];
  of(target: Pick<Target, "channel" | "account">): Channel | undefined;
  /**
   * Whether ids of this channel are case-sensitive. An unknown channel occurs in ids of the host program, which keep
   * their case.
   */
  keepsCapitals(name: string): boolean;
}

/**
 * @param fetch The assistant's own `fetch`, if it was given one.
 * @throws {AssistantError} `OPTION_INVALID` for two of the same name and account.
 */
export function createChannels(given: readonly Channel[], fetch?: typeof globalThis.fetch): Channels {
  const byId = new Map(given.map((channel) => [channelId(channel.name, channel.access.account), channel]));
  if (byId.size < given.length) {
    throw new AssistantError(
      "OPTION_INVALID",
      "Invalid option channels: two of them have the same name and account; give each its own account",
    );
  }
  if (fetch) for (const channel of given) channel.useFetch?.(fetch);
  const caseSensitive = new Map(given.map(({ name, caseSensitiveIds = false }) => [name, caseSensitiveIds]));
  return {
    all: [...byId.values()],
    of: ({ channel, account }) => byId.get(channelId(channel, account)),
    keepsCapitals: (name) => caseSensitive.get(name) ?? true,
  };
}

function channelId(name: string, account = DEFAULT_ACCOUNT): string {
  return `${name}:${account}`;
}
