import type { Clock } from "../clock.ts";
import { HOST_CHANNELS } from "../host-channels.ts";
import { newId } from "../ids.ts";
import { DEFAULT_ACCOUNT, type Peer } from "../message.ts";
import type { Home } from "../notice.ts";
import type { Owners } from "../policy/index.ts";
import type { Reply } from "../reply.ts";
import { type InRecord, type TurnBounds, parseUser } from "../session/index.ts";

/** One turn in a session that work has for itself. */
export interface OwnTurn {
  /** Id of the message. A second run with the same id gets the reply of the first. */
  readonly id: string;
  readonly sessionKey: string;
  readonly text: string;
  /** What the turn is for, such as `workflow weekly-report`. */
  readonly source: string;
  readonly origin: "subagent" | "workflow";
  /** The person that the work is for, with the roles that they had when it was started. */
  readonly person: {
    readonly user: string;
    readonly roles: readonly string[];
    readonly channel: string;
    readonly account?: string;
    readonly peer: Peer;
    readonly home?: Home;
  };
  readonly bounds?: TurnBounds;
  /**
   * Called once the turn is taken; false stops it. A stop before that would not have reached the turn. Default: the
   * turn is wanted.
   */
  isWanted?(): Promise<boolean>;
}

export interface OwnTurnsDeps {
  /**
   * Takes a message once and answers it. Contract: resolved = durable; the reply to a message that was already answered
   * is read from the log.
   */
  take(
    sessionKey: string,
    message: Omit<InRecord, "v" | "at">,
  ): Promise<{ reply(signal?: AbortSignal): Promise<Reply> }>;
  /** Stops all work in a session, as `/stop` does. Durable when it resolves. */
  stopSession(sessionKey: string): Promise<void>;
  readonly owners: Pick<Owners, "rolesOf">;
  /** To be called when a turn of this session has ended. */
  mayHaveEnded(sessionKey: string): Promise<void>;
  readonly clock: Clock;
}

/** Turns of work that has its own sessions: steps of workflows and sub-agents. */
export type OwnTurns = ReturnType<typeof createOwnTurns>;

export function createOwnTurns({ take, stopSession, owners, mayHaveEnded, clock }: OwnTurnsDeps) {
  return {
    /**
     * Runs a turn and returns its reply, which is sent to no chat.
     * @throws The signal's reason when it aborts; the turn is then stopped.
     */
    async run(wanted: OwnTurn, signal: AbortSignal): Promise<Reply> {
      const { id, sessionKey, text, source, origin, person, bounds } = wanted;
      const { user, channel, account = DEFAULT_ACCOUNT, peer, home } = person;
      const taken = await take(sessionKey, {
        type: "in",
        id,
        turn: newId(clock),
        text,
        source,
        origin,
        user,
        roles: rolesNow({ ...person, startedBy: user }, owners),
        channel,
        account,
        peer,
        sender: { id: parseUser(user).id },
        ...(home && { home }),
        ...(bounds && { bounds }),
      });
      if ((await wanted.isWanted?.()) === false) await stopSession(sessionKey);
      const reply = await taken.reply(signal);
      await mayHaveEnded(sessionKey);
      return reply;
    },
    /** Stops all work in such a session, in any process. */
    stop: stopSession,
  };
}

/** The roles that the starter had when the work was started and still has now. */
export function rolesNow(
  {
    startedBy,
    roles,
    channel,
  }: { readonly startedBy: string; readonly roles: readonly string[]; readonly channel: string },
  owners: Pick<Owners, "rolesOf">,
): readonly string[] {
  if (HOST_CHANNELS.includes(channel) || HOST_CHANNELS.includes(parseUser(startedBy).channel)) return roles;
  const now = owners.rolesOf(startedBy);
  return roles.filter((role) => now.includes(role));
}
