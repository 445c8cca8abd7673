import type { Peer } from "../message.ts";
import type { Home } from "../notice.ts";
import type { CallerLink } from "../speaker.ts";

/** Format version of sub-agent documents. A newer one is refused. */
export const SUBAGENTS_FORMAT = 1;

/** The person that a sub-agent works for, as of its start. */
export interface SubagentPerson {
  /** As `channel:id`. */
  readonly user: string;
  readonly roles: readonly string[];
  readonly channel: string;
  readonly account: string;
  readonly peer: Peer;
  /** All people whose messages the starting turn answers, if not `user` alone. */
  readonly speakers?: readonly string[];
}

/** Limits of a sub-agent. */
export interface SubagentLimits {
  /** The only tools: names, or prefixes that end in `*`. Absent: all that its person may call. */
  readonly tools?: readonly string[];
  /** Tools that the starting turn could not use. */
  readonly withoutTools?: readonly string[];
  /** Name of the agent's model that is asked first. */
  readonly model?: string;
  readonly maxTokens: number;
  readonly maxSeconds: number;
}

/** A task that a turn handed to a session of its own. */
export interface Subagent {
  readonly v: typeof SUBAGENTS_FORMAT;
  readonly id: string;
  readonly task: string;
  readonly person: SubagentPerson;
  /** Its own session, and the session whose turn started it. */
  readonly sessionKey: string;
  readonly parent: string;
  /** The session of the outermost turn, which no sub-agent started. Running sub-agents are counted per root. */
  readonly root: string;
  /** The turn of the root that it works for, or the call of a run's step. Absent in documents of earlier versions. */
  readonly work?: string;
  /** The conversation that gets its result if no call waits for it, and its approval requests. */
  readonly home: Home;
  /** The chain of starters, beginning with the session whose turn started it. */
  readonly startedBy: CallerLink;
  /** 1: started by a turn that no sub-agent began. */
  readonly depth: number;
  readonly limits: SubagentLimits;
  /** Whether the work was started by a job, not by a conversation. */
  readonly unattended?: true;
  readonly state: "running" | "done" | "failed" | "cancelled";
  /** Whether a call waits for it and returns its result, which is then not reported elsewhere. */
  readonly awaited: boolean;
  /** Delivery of its result: not yet; returned by a call; being reported in its conversation; reported. */
  readonly delivery: "open" | "taken" | "telling" | "told";
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt?: number;
  /** For `done`: its answer. */
  readonly result?: string;
  /** For `failed` and `cancelled`. */
  readonly error?: { readonly code: string; readonly message: string };
  /** Codes of its approval requests. */
  readonly approvals?: readonly string[];
  /** Tokens that it used, once it has ended. After a cancellation: those until then, until its turn has ended. */
  readonly tokens: number;
  /** Tool calls that it made, once it has ended. Absent in documents of earlier versions. */
  readonly toolCalls?: number;
}
