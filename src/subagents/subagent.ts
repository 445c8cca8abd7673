import type { Peer } from "../message.ts";
import type { Home } from "../notice.ts";
import type { CallerLink } from "../speaker.ts";

/** Format version of documents of sub-agents. A newer one is refused. */
export const SUBAGENTS_FORMAT = 1;

/** For whom a sub-agent works, as they were when they asked for it. */
export interface SubagentPerson {
  /** As `channel:id`. */
  readonly user: string;
  readonly roles: readonly string[];
  readonly channel: string;
  readonly account: string;
  readonly peer: Peer;
  /** Everybody whose messages the turn that started it answers, when it is not `user` alone. */
  readonly speakers?: readonly string[];
}

/** What a sub-agent may use at most. */
export interface SubagentLimits {
  /** The only tools: names, or the beginnings of names with a `*` behind them. Absent: all that its person may call. */
  readonly tools?: readonly string[];
  /** Tools that the turn that started it was not to use. */
  readonly withoutTools?: readonly string[];
  /** Name of the agent's model that is asked first. */
  readonly model?: string;
  readonly maxTokens: number;
  readonly maxSeconds: number;
}

/** A task that a turn handed on to a session of its own. */
export interface Subagent {
  readonly v: typeof SUBAGENTS_FORMAT;
  readonly id: string;
  readonly task: string;
  readonly person: SubagentPerson;
  /** Its own session, and that whose turn started it. */
  readonly sessionKey: string;
  readonly parent: string;
  /** The session of the turn that was begun by no sub-agent: how many run is counted for it. */
  readonly root: string;
  /** The turn of that session that it works for, or the call of a run's step. Absent in documents of earlier versions. */
  readonly work?: string;
  /** The conversation that is told what comes of it when nobody waits for it, and is asked for approval. */
  readonly home: Home;
  /** Who started whom, beginning with the session whose turn started it. */
  readonly startedBy: CallerLink;
  /** 1: started by a turn that no sub-agent began. */
  readonly depth: number;
  readonly limits: SubagentLimits;
  /** A job began what it is for, and no conversation. */
  readonly unattended?: true;
  readonly state: "running" | "done" | "failed" | "cancelled";
  /** A call waits for it and gives its result, which nobody is told besides. */
  readonly awaited: boolean;
  /** Of its result: nobody has it; a call gave it; it is being told in its conversation; it was. */
  readonly delivery: "open" | "taken" | "telling" | "told";
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Of `done`: what it answered. */
  readonly result?: string;
  /** Of `failed` and `cancelled`. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Codes of the calls for which it asked the owner. */
  readonly approvals?: readonly string[];
  /** Tokens that it used, once it has ended; of one that was cancelled, until its turn has ended, those up to then. */
  readonly tokens: number;
  /** Calls of tools that it made, once it has ended. Absent in documents of earlier versions. */
  readonly toolCalls?: number;
}
