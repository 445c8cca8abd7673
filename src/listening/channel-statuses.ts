import type { Channel } from "../channel.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import type { Redactor } from "../telemetry/index.ts";
import { decideWay } from "./way.ts";

/**
 * `off`: this process does not connect its channels. `connecting`: about to be. `open`: messages come in. `waiting`: another process listens.
 * `retrying`: the connection broke or the webhook could not be registered, and is tried again. `refused`: the platform refuses the account, and nothing is tried any more.
 */
export type ChannelState = "off" | "connecting" | "open" | "waiting" | "retrying" | "refused";

/** How the messages of one channel account come in to this process. */
export interface ChannelStatus {
  /** The channel's name, as `telegram`. */
  readonly channel: string;
  /** `default` for the only one. */
  readonly account: string;
  /** Through the HTTP door, or over the platform's own connection. */
  readonly by: "webhook" | "listen";
  /** Whether they do now. */
  readonly state: ChannelState;
  /** Who listens instead, what went wrong, or that webhooks work all the same; for people. */
  readonly detail?: string;
}

/** As on Workers: what a person registered at the platform works, and nobody here knows of it. */
const BY_WEBHOOK = "a webhook that is registered at the platform works all the same";

/** How each channel is connected, in this process. */
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
    // A webhook that people register themselves is there as soon as the HTTP door is.
    const state = by === "webhook" && (setUp === undefined || publicUrl === undefined) ? "open" : "off";
    const isReachable = state === "off" && receive !== undefined;
    const account = access.account ?? DEFAULT_ACCOUNT;
    statuses.set(channel, { channel: name, account, by, state, ...(isReachable && { detail: BY_WEBHOOK }) });
  }

  return {
    /** In the order of the configuration. */
    all: (): readonly ChannelStatus[] => [...statuses.values()],
    set(channel: Channel, state: ChannelState, detail?: string): void {
      const known = statuses.get(channel);
      if (known === undefined) return;
      const { detail: _, ...rest } = known;
      statuses.set(channel, { ...rest, state, ...(detail !== undefined && { detail: redact(detail) }) });
    },
  };
}
