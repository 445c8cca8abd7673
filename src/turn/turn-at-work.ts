import type { ContextOptions } from "../channel.ts";
import type { StreamEvent } from "../reply.ts";
import { type InRecord, type Session, type TurnInputRecord, parseRunSession, speakerOf } from "../session/index.ts";
import type { Speaker } from "../speaker.ts";
import type { RegisteredTool, ToolCaller } from "../tools/index.ts";
import type { TurnAgent, Writer } from "./model-calls.ts";
import type { TurnStop } from "./turn-stop.ts";

/** One turn at work: what it began with. What may change meanwhile is who joined. */
export interface Turn {
  readonly id: string;
  readonly session: Session;
  readonly agent: TurnAgent;
  /** What its first prompt shows: notes, what a group said, messages. */
  readonly inputs: readonly TurnInputRecord[];
  /** Ids of messages over the cap, told in a line each. */
  readonly summarized: readonly string[];
  /** The last record that the first prompt was built from. */
  readonly seen: number;
  /** The assistant's, the channel's and the call's, in this order. */
  readonly options: ContextOptions;
  readonly audience: Audience;
  readonly stop: TurnStop;
}

/** Whom a turn answers. Messages may join it while it works. */
export interface Audience {
  messages: readonly InRecord[];
  newest: InRecord;
  /** For whom tools are called: the newest speaker, with the roles that all of its speakers have. */
  caller: ToolCaller;
  /** What the model may call. */
  tools: readonly RegisteredTool[];
  /** Set when somebody watches. */
  tell: ((event: StreamEvent) => void) | undefined;
}

/** For whom a model works outside of a turn's steps: a summary, and the silent turn before it. */
export interface Asking extends Pick<Writer, "id" | "agent" | "purpose" | "signal" | "tell"> {
  readonly session: Session;
  readonly speaker: Speaker;
  /** Tools that may not be called there although the policy would let it. */
  readonly excludedTools: readonly string[];
}

export function askingOf({ id, session, agent, options, audience, stop }: Turn): Asking {
  const { newest, tell } = audience;
  const speaker = speakerOf(newest, session.key, agent.id);
  const purpose = purposeOf(newest);
  return { id, session, agent, speaker, purpose, excludedTools: options.excludeTools ?? [], signal: stop.phase, tell };
}

/** The one for whom its model calls are counted. */
export function writerOf({ id, session, agent, speaker, purpose, signal, tell }: Asking): Writer {
  return { id, session, agent, user: speaker.user, purpose, signal, tell };
}

/** What nobody asked for just then has a budget of its own. What a conversation started is the conversation's. */
function purposeOf({ origin, bounds }: InRecord): Writer["purpose"] {
  if (origin === undefined) return undefined;
  if (origin === "heartbeat") return "heartbeat";
  if ((origin !== "workflow" && origin !== "subagent") || bounds?.unattended) return "job";
  for (let link = bounds?.startedBy; link !== undefined; link = link.startedBy)
    if (parseRunSession(link.sessionKey) !== null) return "job";
  return undefined;
}
