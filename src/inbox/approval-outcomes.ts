import {
  type ApprovalOutcome,
  type ApprovalRecord,
  homeOfRequest,
  outcomeText,
  speakerOfRequest,
  withRightsNow,
} from "../approvals/index.ts";
import type { Clock } from "../clock.ts";
import { RUNTIME_CHANNEL } from "../host-channels.ts";
import { newId } from "../ids.ts";
import type { Owners } from "../policy/index.ts";
import { type ApprovalEnd, parseUser } from "../session/index.ts";
import type { Arrivals } from "./arrivals.ts";

export interface ApprovalOutcomesDeps {
  readonly arrivals: Pick<Arrivals, "append">;
  readonly owners: Pick<Owners, "rolesOf">;
  /**
   * Hands the outcome to work that itself waits for it.
   * @returns Whether there is such work.
   */
  takenByWork(record: Pick<ApprovalRecord["caller"], "sessionKey">): Promise<boolean>;
  /** Called when a request of this session has ended. */
  mayHaveEnded(sessionKey: string): Promise<void>;
  readonly clock: Clock;
}

/**
 * @returns A function that begins a turn with the outcome of a request, in the session that the request is for
 * and for the person who started the call. It takes effect once. No turn begins if work waits for the outcome,
 * or if the runtime itself asked.
 */
export function createApprovalOutcomes({ arrivals, owners, takenByWork, mayHaveEnded, clock }: ApprovalOutcomesDeps) {
  return async function tell(record: ApprovalRecord): Promise<{ readonly beginsTurn: boolean }> {
    if ((await takenByWork(record.caller)) || record.caller.channel === RUNTIME_CHANNEL) return { beginsTurn: false };
    const { sessionKey, target } = homeOfRequest(record.caller);
    const speaker = speakerOfRequest(withRightsNow(record.caller, owners));
    const { user, roles, channel, account, peer } = speaker;
    await arrivals.append(sessionKey, {
      type: "in",
      id: outcomeId(record.id),
      turn: newId(clock),
      text: outcomeText(record),
      source: `approval ${record.code}`,
      ...(record.outcome && { approval: endOf(record.id, record.outcome) }),
      user,
      roles,
      channel,
      account,
      peer,
      sender: { id: parseUser(user).id },
      ...(target && { target }),
    });
    await mayHaveEnded(record.caller.sessionKey);
    return { beginsTurn: true };
  };
}

function endOf(id: string, { verdict, reason, error }: ApprovalOutcome): ApprovalEnd {
  const why = reason ?? error?.code;
  return { id, verdict, ...(why !== undefined && { reason: why }) };
}

/** Id of the inbound message with a request's outcome. */
export function outcomeId(id: string): string {
  return `approval:${id}`;
}
