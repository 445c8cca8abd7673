import type { Channel } from "../channel.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import type { Redactor } from "../telemetry/index.ts";
import { decideWay } from "./way.ts";

/**
 * `off`: this process does not connect its channels. `connecting`: about to connect. `open`: messages arrive.
 * `waiting`: another process listens.
 * `retrying`: the connection broke or the webhook could not be registered, and is tried again. `refused`: the platform
 * refuses the account, and there are no more tries.
 */
export type ChannelState = "off" | "connecting" | "open" | "waiting" | "retrying" | "refused";

/** How messages of one channel account arrive in this process. */
export interface ChannelStatus {
  /** The channel's name, such as `telegram`. */
  readonly channel: string;
  /** The account; `default` if it is the only one. */
  readonly account: string;
  /** Through the HTTP door, or over the platform's own connection. */
  readonly by: "webhook" | "listen";
  /** State now. */
  readonly state: ChannelState;
  /** For people: which process listens instead, what went wrong, or that webhooks work anyway. */
  readonly detail?: string;
}

/**
 * For example on Workers: a webhook that a person registered at the platform works, and this process does not know
 * about it.
 */
const BY_WEBHOOK = "a webhook that is registered at the platform works all the same";

/** How each channel is connected in this process. */
export type ChannelStatuses = ReturnType<typeof createChannelStatuses>;

export function createChannelStatuses(
  channels: readonly Channel[],
  { publicUrl, redact }: { readonly publicUrl: string | undefined; readonly redact: Redactor },
) {
  const statuses = new Map<Channel, ChannelStatus>();
  for (const channel of channels) {
    const { name, access, setUp, receive } = channel;
    const by = decideWay(channel, publicUrl);
    if (by === "program") continue;
    // A webhook that people register themselves works as soon as the HTTP door is open.
    const state = by === "webhook" && (setUp === undefined || publicUrl === undefined) ? "open" : "off";
    const isReachable = state === "off" && receive !== undefined;
    const account = access.account ?? DEFAULT_ACCOUNT;
    statuses.set(channel, { channel: name, account, by, state, ...(isReachable && { detail: BY_WEBHOOK }) });
  }

  return {
    /** Statuses in the order of the configuration. */
    all: (): readonly ChannelStatus[] => [...statuses.values()],
    set(channel: Channel, state: ChannelState, detail?: string): void {
      const known = statuses.get(channel);
      if (known === undefined) return;
      const { detail: _, ...rest } = known;
      statuses.set(channel, { ...rest, state, ...(detail !== undefined && { detail: redact(detail) }) });
    },
  };
}
