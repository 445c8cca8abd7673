import type { Target } from "../../channel.ts";
import type { SendInput } from "../../reply.ts";
import type { InRecord } from "../../session/index.ts";
import type { RunPlace } from "../../workflow/index.ts";

export interface PlaceForDeps {
  /** As whom, and in which conversation, a call of the host speaks. */
  describe(input: Pick<SendInput, "text" | "user" | "session">): {
    readonly sessionKey: string;
    readonly record: Pick<InRecord, "roles" | "channel" | "account" | "peer">;
  };
  /** What is known of a channel; `undefined` where there is none. */
  channelOf(target: Target): unknown;
  /** The id of the agent whose conversation it is. */
  agentIdOf(sessionKey: string): string;
}

/** @returns For whom a run of the host works, and the conversation that is told of it. */
export function createPlaceFor({ describe, channelOf, agentIdOf }: PlaceForDeps) {
  return function placeFor(user: string, session: string | undefined): RunPlace {
    const { sessionKey, record } = describe({ user, text: "", ...(session !== undefined && { session }) });
    const { roles, channel, account, peer } = record;
    const target = { channel, account, chat: peer.id };
    const home = { sessionKey, ...(channelOf(target) !== undefined && { target }) };
    return { user, roles, channel, account, peer, agentId: agentIdOf(sessionKey), home };
  };
}
