import type { Peer } from "../message.ts";
import type { Home } from "../notice.ts";
import type { CallerLink } from "../speaker.ts";
import type { JsonValue } from "../store/index.ts";
import type { Budget, WorkflowDefinition } from "./definition.ts";

/** Format version of run documents. A newer one is refused. */
export const RUN_FORMAT = 1;

/** `waiting`: for a time, an event, an approval or another run. Nothing runs meanwhile, and no process is held. */
export type RunStatus = "running" | "waiting" | "done" | "failed" | "cancelled";
export type StepStatus = "pending" | "running" | "waiting" | "done" | "failed" | "skipped";

export interface StepError {
  /** Code for programs, such as `TIMEOUT`. */
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
  /** The value of `timeout_seconds`, when `until` is its deadline: the step fails then. */
  readonly limitSeconds?: number;
  readonly event?: string;
  /** Data of the event, once it was signalled. */
  readonly data?: JsonValue;
  /** The request that the owner has to answer. */
  readonly approval?: AskedApproval;
  /** For a prompt: all requests of its calls. It goes on when each has ended; `approval` is the first open one. */
  readonly asked?: readonly AskedApproval[];
  /** The run that this step started. */
  readonly run?: string;
}

/** State of one step of a run, or of one item of a step with `for_each`. */
export interface StepState {
  readonly status: StepStatus;
  /** Counts from 1; 0: not tried yet. The key of an effect is run, step and attempt. */
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
  /** Attempts before a person had the step retried: they do not count for `retry`. */
  readonly before?: number;
  /** Earliest time of the next try. */
  readonly notBefore?: number;
  readonly wait?: StepWait;
  /**
   * For a step that runs another workflow: the child run that did not finish, which continues when this run is resumed,
   * and how much of its use was counted.
   */
  readonly child?: { readonly run: string; readonly counted: Spent };
  /** Whether the owner had too many questions: the step is tried again when some are answered. */
  readonly asksLater?: boolean;
  /** For a prompt: the requests that it waited for last. Its next turn gets their outcomes. */
  readonly answered?: readonly string[];
  /** For a step with `for_each`: its items and the state of each. */
  readonly over?: readonly JsonValue[];
  readonly items?: readonly StepState[];
  /** Id of the step that was skipped by `on_error: skip` and with which this one was skipped. */
  readonly skippedWith?: string;
}

/** The person that a run works for, its rights, and where it reports. */
export interface RunPlace {
  readonly user: string;
  /** Roles at the start. A step has only those that the person still has. */
  readonly roles: readonly string[];
  readonly channel: string;
  readonly account: string;
  readonly peer: Peer;
  readonly agentId: string;
  /** The conversation that started it. */
  readonly home: Home;
  /** What started it: a run may do no more than its starter. */
  readonly startedBy?: CallerLink;
  /** The only tools of the run, inherited from its starter. */
  readonly onlyTools?: readonly string[];
  /** Tools that the run may not use, inherited from its starter. */
  readonly withoutTools?: readonly string[];
  /** Whether a job started it, not a conversation: it then uses the budget of jobs. */
  readonly unattended?: true;
}

/** Use of a run. */
export interface Spent {
  readonly tokens: number;
  readonly toolCalls: number;
  /** Active milliseconds; waiting does not count. */
  readonly activeMs: number;
  /** Cost of models, in the currency of their prices; absent when no price is known. */
  readonly cost?: number;
}

/** A run, complete in one document. Source: docs/workflows.md, "A run is a document". */
export interface WorkflowRun {
  readonly v: typeof RUN_FORMAT;
  readonly id: string;
  /** The definition when the run began: later changes only affect later runs. */
  readonly definition: WorkflowDefinition;
  readonly inputs: Readonly<Record<string, JsonValue>>;
  readonly budget: Budget;
  readonly place: RunPlace;
  readonly status: RunStatus;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly steps: Readonly<Record<string, StepState>>;
  readonly spent: Spent;
  /** Output of the run. */
  readonly output?: JsonValue;
  /** The artifact of its conversation that holds an output too long for the document. */
  readonly artifact?: string;
  /** For a run that failed or was cancelled: what was done, what failed, how to continue. */
  readonly summary?: string;
  /** Why it failed or was cancelled. */
  readonly error?: StepError;
  /** Idempotency key of the start. */
  readonly start?: string;
  /** The step of the outer run that started this run. */
  readonly parent?: { readonly run: string; readonly step: string };
  /** Runs that its prompts and tools started: their use counts against its budget. */
  readonly begun?: readonly string[];
  /** Number of runs above this one; 0: a person or a program started it. */
  readonly depth: number;
  /** A request to cancel it. */
  readonly cancel?: { readonly at: number; readonly by: string };
  /** Newest data of each event, by name. */
  readonly events?: Readonly<Record<string, JsonValue>>;
  /**
   * The steps that got each of those events. A step that depends on one of them waits for another event of that name.
   */
  readonly heard?: Readonly<Record<string, readonly string[]>>;
  /** Last status that was reported. It is reported again when the status differs. */
  readonly told?: RunStatus;
}

export function isEnded({ status }: Pick<WorkflowRun, "status">): boolean {
  return status === "done" || status === "failed" || status === "cancelled";
}

export function isOver({ status }: Pick<StepState, "status">): boolean {
  return status === "done" || status === "failed" || status === "skipped";
}

export const PENDING: StepState = { status: "pending", attempt: 0 };
