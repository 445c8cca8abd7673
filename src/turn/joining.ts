import { sharedRoles } from "../policy/index.ts";
import { type InRecord, type Sequenced, type StepRecord, speakerOf, togetherWith } from "../session/index.ts";
import type { ToolCaller } from "../tools/index.ts";
import { hubKey } from "./hub.ts";
import type { TurnParts, Work } from "./parts.ts";
import { languageOf } from "./texts.ts";

/**
 * Messages that arrived while the turn ran and may join it before its next step: in the modes `steer` and `interrupt`, from the same chat, in order.
 * What the runtime itself has to say, and a repeated question, wait for turns of their own.
 */
export function joinable(parts: Pick<TurnParts, "rules">, work: Work): readonly Sequenced<InRecord>[] {
  const { session, newest } = work;
  // What is said after `/new` is no part of the conversation that this turn ends.
  if (session.beganAt > work.seen) return NONE;
  const unclaimed = session.waiting.filter(
    ({ id, seq }) => !session.claimed.includes(id) && !session.refusing.includes(id) && seq > session.stoppedAt,
  );
  if (unclaimed.length === 0) return NONE;
  const { mode, cap } = parts.rules(newest, session.settings);
  if (mode !== "steer" && mode !== "interrupt") return NONE;
  const together = togetherWith(newest, unclaimed).slice(0, cap);
  const end = together.findIndex(({ source, retries }) => source !== undefined || retries !== undefined);
  return end === -1 ? together : together.slice(0, end);
}

const NONE: readonly Sequenced<InRecord>[] = [];

/** Ids of messages that join a turn, and whether they break into what it does. */
export type Joined = Pick<StepRecord, "joined" | "brokeIn">;

/** Takes them into the turn: from here on it answers them too, with no more rights than everybody in it has. */
export function join(parts: TurnParts, work: Work): Joined {
  const joining = joinable(parts, work);
  const newest = joining.at(-1);
  if (!newest) return {};
  const { mode } = parts.rules(work.newest, work.session.settings);
  work.messages = [...work.messages, ...joining];
  work.newest = newest;
  const ids = work.messages.map(({ id }) => id);
  parts.sessions.claim(work.session.key, ids);
  const keys = ids.map((id) => hubKey(work.session.key, id));
  if (newest.target === undefined) parts.hub.begin(keys, work.stop);
  work.tell = parts.hub.listenerFor(keys);
  work.caller = { ...work.caller, ...speakersOf(work.messages, work.session.key, work.agent.id) };
  work.tools = offeredTools(parts, work.caller, work.excludedTools);
  work.stop.limit(work.agent.maxTurnSeconds);
  return { joined: joining.map(({ id }) => id), ...(mode === "interrupt" && { brokeIn: true }) };
}

/** For whom a turn calls tools: the newest speaker, with the roles that all of its speakers have. */
export function speakersOf(
  messages: readonly InRecord[],
  sessionKey: string,
  agentId: string,
): Pick<ToolCaller, "speaker" | "speakers" | "language"> {
  const newest = messages.at(-1);
  if (!newest) throw new RangeError(`A turn of ${sessionKey} has no messages`);
  const users = [...new Set(messages.map(({ user }) => user))];
  const roles = sharedRoles(messages.map((message) => message.roles));
  return {
    speaker: { ...speakerOf(newest, sessionKey, agentId), roles },
    // A turn may answer several people at once: then nothing that was allowed to one of them holds.
    ...(users.length > 1 && { speakers: users }),
    language: languageOf(newest.text),
  };
}

export function offeredTools(
  { dispatch }: Pick<TurnParts, "dispatch">,
  caller: ToolCaller,
  excluded: readonly string[],
): Work["tools"] {
  const visible = dispatch.visible(caller);
  return excluded.length === 0 ? visible : visible.filter(({ name }) => !excluded.includes(name));
}
