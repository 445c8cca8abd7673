import type { Target } from "../../channel.ts";
import type { SendInput } from "../../reply.ts";
import type { InRecord } from "../../session/index.ts";
import type { RunPlace } from "../../workflow/index.ts";

/** The user of a call of the program that names no user. */
export const HOST = "sdk";

/** The person that a run is for. Only doors set `asOwner`, when they know it; callers never do. */
export interface RunPerson {
  readonly user?: string;
  readonly asOwner?: boolean;
}

export interface PlaceForDeps {
  /** Resolves the person and the conversation of a call of the host. */
  describe(input: Pick<SendInput, "text" | "user" | "session"> & { readonly asOwner?: boolean }): {
    readonly sessionKey: string;
    readonly record: Pick<InRecord, "roles" | "channel" | "account" | "peer">;
  };
  /** Finds a channel; `undefined` where there is none. */
  channelOf(target: Target): unknown;
  /** The id of the agent that a session belongs to. */
  agentIdOf(sessionKey: string): string;
}

/**
 * @returns A function that resolves the person that a run of the host works for, and the conversation that is told
 * about it.
 */
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
