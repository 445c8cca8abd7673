import { sharedRoles } from "../policy/index.ts";
import {
  type InRecord,
  type QueueRules,
  type Sequenced,
  type SessionSettings,
  type Sessions,
  type StepRecord,
  type Waiters,
  languageOf,
  speakerOf,
  isWithdrawn,
  togetherWith,
  waiterKey,
} from "../session/index.ts";
import type { ToolCaller } from "../tools/index.ts";
import type { ToolCalls } from "./tool-calls.ts";
import { callerBounds } from "./bounds.ts";
import type { Audience, Turn } from "./turn-at-work.ts";

export interface AudiencesDeps {
  rules(message: InRecord, settings: SessionSettings): QueueRules;
  readonly sessions: Pick<Sessions, "claim">;
  readonly waiters: Pick<Waiters, "begin" | "listenerFor">;
  readonly toolCalls: Pick<ToolCalls, "offered">;
}

/** Ids of messages that join a turn, and whether they interrupt its current work. */
export type Joined = Pick<StepRecord, "joined" | "brokeIn">;

/** Tracks the people whom turns answer: those at the beginning and those who join. */
export type Audiences = ReturnType<typeof createAudiences>;

const NONE: readonly Sequenced<InRecord>[] = [];

export function createAudiences({ rules, sessions, waiters, toolCalls }: AudiencesDeps) {
  /** The audience of the messages that a turn begins with. */
  function of({ id, session, agent, options, stop }: Omit<Turn, "audience">, messages: readonly InRecord[]): Audience {
    const newest = newestOf(session, messages);
    const caller = {
      taskId: id,
      ...speakersOf(messages, newest, session.key, agent.id),
      ...(newest.target && { target: newest.target }),
      ...(newest.home && { home: newest.home }),
      ...(newest.origin && { origin: newest.origin }),
      ...callerBounds(newest),
      ...(options.excludeTools && { withoutTools: options.excludeTools }),
      inTurn: true,
      signal: stop.signal,
    };
    const tell = waiters.listenerFor(messages.map((message) => waiterKey(session.key, message.id)));
    return { messages, newest, caller, tools: toolCalls.offered(caller, options.excludeTools ?? []), tell };
  }

  /**
   * Waiting messages that may join the running turn before its next step: in the modes `steer` and `interrupt`, from
   * the same chat, in order. Messages of the runtime and retries wait for a turn of their own.
   */
  function joinable({ session, seen, audience: { newest } }: Turn): readonly Sequenced<InRecord>[] {
    // Messages after `/new` do not belong to the conversation that this turn ends.
    if (session.beganAt > seen) return NONE;
    const unclaimed = session.waiting.filter(
      (message) =>
        !session.claimed.includes(message.id) &&
        !session.refusing.includes(message.id) &&
        message.seq > session.stoppedAt &&
        !isWithdrawn(message),
    );
    if (unclaimed.length === 0) return NONE;
    const { mode, cap } = rules(newest, session.settings);
    if (mode !== "steer" && mode !== "interrupt") return NONE;
    const together = togetherWith(newest, unclaimed).slice(0, cap);
    const end = together.findIndex(({ source, retries }) => source !== undefined || retries !== undefined);
    return end === -1 ? together : together.slice(0, end);
  }

  /**
   * Adds joining messages to the turn, which answers them too from now on. Its rights shrink to
   * those that all speakers share.
   */
  function join(turn: Turn): Joined {
    const { session, agent, audience, options, stop } = turn;
    const joining = joinable(turn);
    const newest = joining.at(-1);
    if (!newest) return {};
    const { mode } = rules(audience.newest, session.settings);
    audience.messages = [...audience.messages, ...joining];
    audience.newest = newest;
    const ids = audience.messages.map(({ id }) => id);
    sessions.claim(session.key, ids);
    const keys = ids.map((id) => waiterKey(session.key, id));
    if (newest.target === undefined) waiters.begin(keys, stop);
    audience.tell = waiters.listenerFor(keys);
    audience.caller = { ...audience.caller, ...speakersOf(audience.messages, newest, session.key, agent.id) };
    audience.tools = toolCalls.offered(audience.caller, options.excludeTools ?? []);
    stop.limit(agent.maxTurnSeconds);
    return { joined: joining.map(({ id }) => id), ...(mode === "interrupt" && { brokeIn: true }) };
  }

  return { of, joinable, join };
}

/** The speaker for tool calls: the newest one, with the roles that all of the turn's speakers share. */
function speakersOf(
  messages: readonly InRecord[],
  newest: InRecord,
  sessionKey: string,
  agentId: string,
): Pick<ToolCaller, "speaker" | "speakers" | "language"> {
  const users = [...new Set(messages.map(({ user }) => user))];
  const roles = sharedRoles(messages.map((message) => message.roles));
  return {
    speaker: { ...speakerOf(newest, sessionKey, agentId), roles },
    // A turn can answer several people at once. Then no permission of a single person applies.
    ...(users.length > 1 && { speakers: users }),
    language: languageOf(newest.text),
  };
}

/** @throws {RangeError} If the messages of an open turn are not in the log. */
export function newestOf({ key }: Turn["session"], messages: readonly InRecord[]): InRecord {
  const newest = messages.at(-1);
  if (!newest) throw new RangeError(`The open turn of ${key} answers nothing: its messages are not in the log`);
  return newest;
}
