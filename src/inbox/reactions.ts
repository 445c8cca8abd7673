import { AssistantError } from "../errors.ts";
import { DEFAULT_ACCOUNT, type InboundMessage } from "../message.ts";
import type { Owners } from "../policy/index.ts";
import { type MemoryUsers, type Sessions, userOf } from "../session/index.ts";
import type { Activations } from "../skills/index.ts";
import type { Kept } from "./overheard.ts";
import type { Refused } from "./admission.ts";
import type { GiveFeedback } from "./skill-presses.ts";

/** Turns of a person that are searched for the reply under a reaction. */
const MAX_TURNS = 30;

export interface ReactionsDeps {
  readonly activations: Pick<Activations, "recent">;
  /** Only read. */
  readonly sessions: Pick<Sessions, "findOut">;
  readonly users: Pick<MemoryUsers, "personOf">;
  readonly owners: Pick<Owners, "rolesOf">;
  readonly giveFeedback: GiveFeedback;
}

export type Reactions = ReturnType<typeof createReactions>;

/**
 * A reaction to a reply is feedback on the skills of that turn, if it comes from the person whom the
 * reply answered. It gets no answer.
 */
export function createReactions({ activations, sessions, users, owners, giveFeedback }: ReactionsDeps) {
  /** Activations show whom a reply answered, so that a group member cannot give feedback for another. */
  async function take(message: InboundMessage): Promise<Kept | Refused> {
    const { channel, account = DEFAULT_ACCOUNT, peer, sender, reaction } = message;
    if (!reaction) return { outcome: "refused", reason: "a reaction without a message" };
    const speaker = userOf(channel, sender.id);
    const user = users.personOf({ user: speaker, channel, account, peer, roles: owners.rolesOf(speaker) });
    const turns = new Map<string, string>();
    for (const { turn, session } of await activations.recent(user)) turns.set(turn, session);
    for (const [turn, session] of [...turns].slice(0, MAX_TURNS)) {
      const out = await sessions.findOut(session, turn);
      const target = out?.record.target;
      const isHere = target?.channel === channel && target.account === account && target.chat === peer.id;
      if (!isHere || !out?.marks.some(({ platformId }) => platformId === reaction.to)) continue;
      return (await give(user, turn, reaction.verdict))
        ? { outcome: "kept", sessionKey: session }
        : { outcome: "refused", reason: "no skill was used in that reply" };
    }
    return { outcome: "refused", reason: "not a reply to the person who reacts that used a skill" };
  }

  async function give(user: string, turn: string, verdict: "positive" | "negative" | "none"): Promise<boolean> {
    const helpful = verdict === "none" ? null : verdict === "positive";
    try {
      await giveFeedback({ user, turn, helpful, via: "reaction" });
      return true;
    } catch (error) {
      if (!AssistantError.is(error, "NOT_FOUND")) throw error;
      return false;
    }
  }

  return { take };
}
