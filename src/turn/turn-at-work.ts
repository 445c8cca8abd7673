import type { ContextOptions } from "../channel.ts";
import type { StreamEvent } from "../reply.ts";
import { type InRecord, type Session, type TurnInputRecord, parseRunSession, speakerOf } from "../session/index.ts";
import type { Speaker } from "../speaker.ts";
import type { RegisteredTool, ToolCaller } from "../tools/index.ts";
import type { TurnAgent, Writer } from "./model-calls.ts";
import type { TurnStop } from "./turn-stop.ts";

/** A running turn and what it began with. Only its audience changes, when messages join. */
export interface Turn {
  readonly id: string;
  readonly session: Session;
  readonly agent: TurnAgent;
  /** What its first prompt shows: notes, overheard messages and messages. */
  readonly inputs: readonly TurnInputRecord[];
  /** Ids of messages over the cap, shown in one line each. */
  readonly summarized: readonly string[];
  /** The last record that the first prompt was built from. */
  readonly seen: number;
  /** Options of the assistant, overridden by the channel's and then the call's. */
  readonly options: ContextOptions;
  readonly audience: Audience;
  readonly stop: TurnStop;
}

/** The people whom a turn answers. Messages can join while it runs. */
export interface Audience {
  messages: readonly InRecord[];
  newest: InRecord;
  /** The caller of tools: the newest speaker, with the roles that all of the turn's speakers share. */
  caller: ToolCaller;
  /** The tools that the model may call. */
  tools: readonly RegisteredTool[];
  /** Set if the turn has a watcher. */
  tell: ((event: StreamEvent) => void) | undefined;
}

/** Context of model work outside of a turn's steps: a summary, and the silent turn before it. */
export interface Asking extends Pick<Writer, "id" | "agent" | "purpose" | "signal" | "tell"> {
  readonly session: Session;
  readonly speaker: Speaker;
  /** Tools that may not be called there although the policy allows them. */
  readonly excludedTools: readonly string[];
}

export function askingOf({ id, session, agent, options, audience, stop }: Turn): Asking {
  const { newest, tell } = audience;
  const speaker = speakerOf(newest, session.key, agent.id);
  const purpose = purposeOf(newest);
  return { id, session, agent, speaker, purpose, excludedTools: options.excludeTools ?? [], signal: stop.phase, tell };
}

/** The user and purpose for which model calls are counted. */
export function writerOf({ id, session, agent, speaker, purpose, signal, tell }: Asking): Writer {
  return { id, session, agent, user: speaker.user, purpose, signal, tell };
}

/**
 * The budget of work that no person asked for at this moment. Work that a conversation
 * started counts for the conversation.
 */
function purposeOf({ origin, bounds }: InRecord): Writer["purpose"] {
  if (origin === undefined) return undefined;
  if (origin === "heartbeat") return "heartbeat";
  if ((origin !== "workflow" && origin !== "subagent") || bounds?.unattended) return "job";
  for (let link = bounds?.startedBy; link !== undefined; link = link.startedBy)
    if (parseRunSession(link.sessionKey) !== null) return "job";
  return undefined;
}
