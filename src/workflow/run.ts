import type { Peer } from "../message.ts";
import type { Home } from "../notice.ts";
import type { CallerLink } from "../speaker.ts";
import type { JsonValue } from "../store/index.ts";
import type { Budget, WorkflowDefinition } from "./definition.ts";

/** Format version of documents of runs. A newer one is refused. */
export const RUN_FORMAT = 1;

/** `waiting`: for a time, an event, an approval or another run; nothing is done meanwhile, and no process is held. */
export type RunStatus = "running" | "waiting" | "done" | "failed" | "cancelled";
export type StepStatus = "pending" | "running" | "waiting" | "done" | "failed" | "skipped";

export interface StepError {
  /** For programs, as `TIMEOUT`. */
  readonly code: string;
  readonly message: string;
}

/** A request for the owner's approval. */
export interface AskedApproval {
  readonly id: string;
  readonly code: string;
}

/** What a step waits for. Times are milliseconds since the epoch. */
export interface StepWait {
  readonly until?: number;
  /** Set when `until` is when its `timeout_seconds` are over, and says how many those are: it has failed then. */
  readonly limitSeconds?: number;
  readonly event?: string;
  /** What came with the event, once that was told. */
  readonly data?: JsonValue;
  /** The request that the owner has to answer. */
  readonly approval?: AskedApproval;
  /** Of a prompt: all requests of its calls. It goes on when each has ended; `approval` is the first that has not. */
  readonly asked?: readonly AskedApproval[];
  /** The run that this one started. */
  readonly run?: string;
}

/** One step of a run, or one item of a step that is done for each. */
export interface StepState {
  readonly status: StepStatus;
  /** From 1 on; 0: not tried yet. The key of an effect is run, step and attempt. */
  readonly attempt: number;
  /** Milliseconds since the epoch. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly output?: JsonValue;
  /** The artifact of the run's conversation that holds an output too long for the document. */
  readonly artifact?: string;
  readonly error?: StepError;
  readonly tokens?: number;
  readonly toolCalls?: number;
  /** Attempts before somebody let it be tried anew: they do not count for `retry`. */
  readonly before?: number;
  /** Not tried again before. */
  readonly notBefore?: number;
  readonly wait?: StepWait;
  /** Of a step that runs another workflow: the run that did not come to its end, which goes on when this one is resumed, and what of its use was counted. */
  readonly child?: { readonly run: string; readonly counted: Spent };
  /** The owner had too many questions: it is tried again when some are answered. */
  readonly asksLater?: boolean;
  /** Of a prompt: the requests that it waited for last. Its next turn is told what came of them. */
  readonly answered?: readonly string[];
  /** Of a step that is done for each item: what they are, and how far each is. */
  readonly over?: readonly JsonValue[];
  readonly items?: readonly StepState[];
  /** Set when it was left out since one that it needs was: by `on_error: skip`. */
  readonly skippedWith?: string;
}

/** For whom a run works, with whose rights, and where it is told. */
export interface RunPlace {
  readonly user: string;
  /** When it was started; at the time of each step they are at most those. */
  readonly roles: readonly string[];
  readonly channel: string;
  readonly account: string;
  readonly peer: Peer;
  readonly agentId: string;
  /** The conversation that asked. */
  readonly home: Home;
  /** What started it: nobody may do more than whoever started them. */
  readonly startedBy?: CallerLink;
  /** The only tools that the work may use that started it: the run has no others either. */
  readonly onlyTools?: readonly string[];
  /** Tools that the work that started it does without: the run has them neither. */
  readonly withoutTools?: readonly string[];
  /** A job began it, and no conversation: it spends what jobs may spend. */
  readonly unattended?: true;
}

/** What a run has used. */
export interface Spent {
  readonly tokens: number;
  readonly toolCalls: number;
  /** Milliseconds in which something was done. */
  readonly activeMs: number;
  /** What models cost, in the currency of their prices; absent where no price is known. */
  readonly cost?: number;
}

/** A run: everything that is known of it, in one document. Source: docs/workflows.md, "A run is a document". */
export interface WorkflowRun {
  readonly v: typeof RUN_FORMAT;
  readonly id: string;
  /** As it was when the run began: what is changed in a definition concerns later runs. */
  readonly definition: WorkflowDefinition;
  readonly inputs: Readonly<Record<string, JsonValue>>;
  readonly budget: Budget;
  readonly place: RunPlace;
  readonly status: RunStatus;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly steps: Readonly<Record<string, StepState>>;
  readonly spent: Spent;
  /** What the run gives. */
  readonly output?: JsonValue;
  /** The artifact of its conversation that holds all of an output too long for the document. */
  readonly artifact?: string;
  /** Of a run that ended otherwise than done: what was done, what failed, how to go on. */
  readonly summary?: string;
  /** Why it ended so. */
  readonly error?: StepError;
  /** What whoever started it calls the start: the same one starts it once. */
  readonly start?: string;
  /** The step of another run that this one is. */
  readonly parent?: { readonly run: string; readonly step: string };
  /** Runs that its prompts and tools began by themselves: what they use counts to its budget. */
  readonly begun?: readonly string[];
  /** How many runs have started one another up to here; 0: a person or a program did. */
  readonly depth: number;
  /** Somebody wants it to end. */
  readonly cancel?: { readonly at: number; readonly by: string };
  /** Events that were told to it, by name, the newest of each, with what came with them. */
  readonly events?: Readonly<Record<string, JsonValue>>;
  /** The steps that had each of those: what follows one of them waits for another of its name. */
  readonly heard?: Readonly<Record<string, readonly string[]>>;
  /** Status that was told to whoever follows it; it is told again when it differs. */
  readonly told?: RunStatus;
}

export function isEnded({ status }: Pick<WorkflowRun, "status">): boolean {
  return status === "done" || status === "failed" || status === "cancelled";
}

/** Has a step come to its end? */
export function isOver({ status }: Pick<StepState, "status">): boolean {
  return status === "done" || status === "failed" || status === "skipped";
}

export const PENDING: StepState = { status: "pending", attempt: 0 };
