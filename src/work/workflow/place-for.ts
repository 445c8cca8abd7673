import type { Target } from "../../channel.ts";
import type { SendInput } from "../../reply.ts";
import type { InRecord } from "../../session/index.ts";
import type { RunPlace } from "../../workflow/index.ts";

/** Whom a call of a program that names nobody is for. */
export const HOST = "sdk";

/** Whom a run is for; `asOwner` is said by doors that know it, never by a caller. */
export interface RunPerson {
  readonly user?: string;
  readonly asOwner?: boolean;
}

export interface PlaceForDeps {
  /** As whom, and in which conversation, a call of the host speaks. */
  describe(input: Pick<SendInput, "text" | "user" | "session"> & { readonly asOwner?: boolean }): {
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
  return function placeFor({ user = HOST, asOwner = false }: RunPerson, session?: string): RunPlace {
    const who = { user, ...(asOwner && { asOwner }), ...(session !== undefined && { session }) };
    const { sessionKey, record } = describe({ ...who, text: "" });
    const { roles, channel, account, peer } = record;
    const target = { channel, account, chat: peer.id };
    const home = { sessionKey, ...(channelOf(target) !== undefined && { target }) };
    return { user, roles, channel, account, peer, agentId: agentIdOf(sessionKey), home };
  };
}
