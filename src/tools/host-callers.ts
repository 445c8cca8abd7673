import type { Clock } from "../clock.ts";
import { newId } from "../ids.ts";
import { type InRecord, parseSessionKey, speakerOf } from "../session/index.ts";
import type { ToolCaller } from "./tool-call.ts";
import type { ToolUse } from "./host-tools.ts";

/** Whom a call is for. `asOwner` is set by doors that have verified it, never by a caller. */
export interface HostSpeaker extends ToolUse {
  readonly asOwner?: boolean;
}

export interface HostCallersDeps {
  /** The message that stands for a call of the host program, and its session. */
  describe(input: HostSpeaker & { readonly text: string }): {
    readonly sessionKey: string;
    readonly record: Omit<InRecord, "v" | "at">;
  };
  hasChannel(target: { readonly channel: string; readonly account: string }): boolean;
  /** The agent's id as it is configured. */
  agentIdOf(id: string): string;
  /** Aborted when the grace of a stop is over. */
  readonly ending: AbortSignal;
  readonly clock: Clock;
}

/** Makes callers for the host program: a call runs as the user that it names, with the rights of that user. */
export type HostCallers = ReturnType<typeof createHostCallers>;

export function createHostCallers({ describe, hasChannel, agentIdOf, ending, clock }: HostCallersDeps) {
  return function callerOf({ user, channel, session, turnId, signal }: ToolUse, asOwner: boolean = false): ToolCaller {
    const named = session === undefined || parseSessionKey(session) ? {} : { session };
    const spoken = { ...(user !== undefined && { user }), ...(channel !== undefined && { channel }), ...named };
    const who = { text: "", ...spoken, ...(asOwner && { asOwner }) };
    const { sessionKey, record } = describe(who);
    const key = session !== undefined && parseSessionKey(session) ? session : sessionKey;
    const target = { channel: record.channel, account: record.account, chat: record.peer.id };
    return {
      speaker: speakerOf(record, key, agentIdOf(parseSessionKey(key)?.agentId ?? "")),
      taskId: turnId ?? newId(clock),
      ...(hasChannel(target) && { target }),
      inTurn: false,
      signal: AbortSignal.any([ending, ...(signal ? [signal] : [])]),
    };
  };
}
