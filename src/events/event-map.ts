import type { Peer } from "../message.ts";
import type { Usage } from "../reply.ts";
import type { JsonValue } from "../store/index.ts";
import type { Inject } from "./injection.ts";

/**
 * A turn starts. `source`: `message`, `approval` for the outcome of a request, or the origin of unattended work:
 * `job`, `heartbeat`.
 */
export interface TaskStarted {
  readonly taskId: string;
  readonly text: string;
  /** `channel:id`. */
  readonly user: string;
  readonly channel: string;
  /** Chat of the turn. */
  readonly peer: Peer;
  /** Roles of the person, as the runtime knows them: `owner`, `user`, roles of the configuration. */
  readonly roles: readonly string[];
  /** Account of the channel, if it has several. */
  readonly account: string;
  readonly source: string;
  /** Adds to the prompt of the turn, before its newest message. */
  readonly inject: Inject;
}

/** A turn ended, and its reply is durable. */
export interface TaskCompleted {
  readonly taskId: string;
  readonly status: "completed" | "failed" | "aborted";
  /** Number of tool calls. */
  readonly toolCalls: number;
  readonly usage: Usage;
  readonly user: string;
  readonly channel: string;
  readonly peer: Peer;
  readonly roles: readonly string[];
  readonly account: string;
  /** The reply; empty if the assistant stayed silent. */
  readonly text: string;
  /** As in `task.started`. */
  readonly source: string;
}

/** A model call of a turn is about to start. The first step is 1. */
export interface IterationStarted {
  readonly taskId: string;
  readonly step: number;
  /** Adds to this model call, behind everything else. */
  readonly inject: Inject;
}

/**
 * A summary is about to replace older turns. The bus waits for handlers that store something of them, at most ten
 * seconds.
 */
export interface ContextCompact {
  /** The turns as the prompt shows them, oldest first: messages in the format of the AI SDK. */
  readonly messages: readonly { readonly role: string; readonly content: JsonValue }[];
  /** Records of the session's log that hold the turns' replies, `to` exclusive. */
  readonly range: { readonly from: number; readonly to: number };
  /** The last speaker in these turns, as `channel:id`. */
  readonly userId: string;
  readonly channel: string;
  readonly peer: Peer;
  readonly roles: readonly string[];
  readonly account: string;
}

/** Identifies a call of a tool. */
export interface ToolCall {
  readonly taskId: string;
  /** Unique in the task. */
  readonly callId: string;
  readonly name: string;
}

/** A tool is about to run. */
export interface ToolStarted extends ToolCall {
  /** Adds to the next model call of the turn; without effect if the host program runs the tool itself. */
  readonly inject: Inject;
}

/** A tool has run. */
export interface ToolEnded extends ToolStarted {
  readonly durationMs: number;
  /** Why it failed, for people; absent if it succeeded. */
  readonly error?: string;
}

/** Progress that a running tool reports through its context's `emit`. */
export interface ToolProgress extends ToolCall {
  /** The tool's own name for this kind of report. */
  readonly type: string;
  readonly data?: JsonValue;
}

/**
 * A session's first message, or the first one after its end; or a session's end, with its reason: `idle`, `new`,
 * `removed`, `done`.
 */
export interface SessionChanged {
  readonly user: string;
  readonly channel: string;
  readonly peer: Peer;
  readonly roles: readonly string[];
  readonly account: string;
  readonly reason?: string;
}

/** A dangerous call asks the owner, or the request is closed. */
export interface ApprovalChanged {
  readonly id: string;
  /** The code that the owner types to answer. */
  readonly code: string;
  /** The tool's full name. */
  readonly tool: string;
  readonly sessionKey: string;
  /** User that the call was made for, as `channel:id`. */
  readonly user: string;
  /** For `approval.resolved`: the outcome of the call. */
  readonly state?: "done" | "failed" | "denied" | "expired" | "interrupted";
  /** For `approval.resolved`: the user who answered, as `channel:id`; absent if the request expired. */
  readonly by?: string;
  /** For `approval.resolved`: why it was denied, in the words of the person who denied it. */
  readonly reason?: string;
}

/** An unsolicited message to a person whom no channel reaches, which waits until they read it. */
export interface NotificationKept {
  /** Id of the notification. */
  readonly id: string;
  /** A ULID; later events have greater ones. */
  readonly eventId: string;
  /** The recipient, as `channel:id`. */
  readonly user: string;
  readonly sessionKey: string;
  /** As in `HostMessage`. */
  readonly kind: "reply" | "result" | "notice";
  readonly text: string;
  /** As in `HostMessage`. */
  readonly buttons?: readonly { readonly id: string; readonly label: string }[];
}

/** A decision about an unsolicited message. */
export interface NotificationDecided {
  /** Memory user whose attention decided. */
  readonly userId: string;
  /** Id of the notice. */
  readonly id: string;
  /** Type of the notice, such as `job`, `pattern` or `alert`. */
  readonly type: string;
  readonly channel: string;
  /** 0 to 1. */
  readonly priority: number;
  readonly verdict: "send" | "hold" | "digest" | "drop";
  /** The rule that decided, as named in docs/attention.md. */
  readonly rule: string;
  /** For `hold` and `digest`: when it is decided again, in milliseconds since the epoch. */
  readonly untilMs?: number;
}

/** A run of a job ended. */
export interface JobEnded {
  /** Id of the job. */
  readonly id: string;
  readonly name: string;
  /** Owner of the job, as `channel:id`. */
  readonly user: string;
  readonly runId: string;
  readonly status: "success" | "failed" | "skipped";
  /** Why it failed or was skipped. */
  readonly reason?: string;
  /** Consecutive failed runs, including this one. */
  readonly consecFailures: number;
  /** The job was paused because it failed too often; its person and the owners were told. */
  readonly paused?: boolean;
}

/** A run of a workflow started, continued, or ended. */
export interface WorkflowChanged {
  readonly runId: string;
  /** Name of the workflow. */
  readonly name: string;
  /** User that the run works for, as `channel:id`. */
  readonly user: string;
  readonly status: "running" | "waiting" | "done" | "failed" | "cancelled";
}

/** A step of a run, or the whole run, changed its state. */
export interface WorkflowStepChanged extends WorkflowChanged {
  /** Absent: the run itself. The `id` of an item of a step is `<step>-<index>`. */
  readonly step?: {
    readonly id: string;
    readonly status: "pending" | "running" | "waiting" | "done" | "failed" | "skipped";
    readonly attempt: number;
  };
}

/** A run of a workflow ended. */
export interface WorkflowEnded extends WorkflowChanged {
  /** Why it failed or was cancelled. */
  readonly reason?: string;
}

/** A turn delegated a task. */
export interface SubagentStarted {
  readonly id: string;
  /** The task, in words. */
  readonly task: string;
  /** User that it works for, as `channel:id`. */
  readonly user: string;
  /** Session of the sub-agent; the event belongs to the session that started it. */
  readonly sessionKey: string;
  /** Nesting depth; 1 if no sub-agent started it. */
  readonly depth: number;
  /** Whether it runs in the background, so that no turn waits for it. */
  readonly background: boolean;
}

/** A delegated task ended. */
export interface SubagentEnded {
  readonly id: string;
  /** User that it worked for, as `channel:id`. */
  readonly user: string;
  readonly status: "done" | "failed" | "cancelled";
  readonly tokens: number;
  readonly durationMs: number;
  /** Why it failed or was ended. */
  readonly reason?: string;
}

/** A budget for language models is nearly used, or used up. Each is published once per day or month. */
export interface BudgetReached {
  readonly budget: "daily" | "monthly";
  readonly kind: "tokens" | "cost";
  /** 0.8: nearly. 1: no model is called before `untilMs`. */
  readonly share: 0.8 | 1;
  readonly used: number;
  readonly limit: number;
  /** When the budget is open again, in milliseconds since the epoch. */
  readonly untilMs: number;
}

/** Memories were recalled for a turn that starts. */
export interface MemoryRecalled {
  /** Id of the turn. */
  readonly taskId: string;
  /** The memory user, as docs/memory.md names them. */
  readonly userId: string;
  readonly count: number;
  /** Why no memory came although some were found, in words. */
  readonly closed?: string;
  /** Best first. `signals`: the score of each way of searching. */
  readonly hits: readonly {
    readonly id: string;
    readonly layer: string;
    readonly score: number;
    readonly signals: Readonly<Record<string, number>>;
  }[];
}

/** A memory entry was stored after a turn. */
export interface MemoryCaptured {
  readonly userId: string;
  /** Id of the entry. */
  readonly id: string;
  /** The entry's slot `type`. */
  readonly type: string;
  /** Whether it was merged into an existing entry. */
  readonly merged: boolean;
}

/** Results of a turn's tools brought more memories into its prompt. */
export interface ContextRefreshed {
  readonly taskId: string;
  readonly step: number;
  readonly count: number;
}

/** Skills were activated automatically in a turn that starts. */
export interface SkillsActivated {
  /** Id of the turn. */
  readonly taskId: string;
  /** The speaker, as `channel:id`. */
  readonly user: string;
  /** Best first, with the components of the confidence. */
  readonly skills: readonly {
    readonly name: string;
    readonly confidence: number;
    readonly signals: readonly { readonly kind: string; readonly matched: string; readonly weight: number }[];
  }[];
  /** Tokens of the activated skills, estimated. */
  readonly tokens: number;
  /** Tokens that all skills of this person would take, for comparison. */
  readonly tokensOfAll: number;
}

/** Something that a person does often could become a skill. */
export interface SkillSuggested {
  /** The memory user. */
  readonly userId: string;
  /** Id of the suggestion. */
  readonly id: string;
  /** Suggested name of the skill. */
  readonly name: string;
  /** How often it was observed. */
  readonly occurrences: number;
  /** 0 to 1. */
  readonly confidence: number;
}

/** A person said whether a skill helped. */
export interface SkillFeedback {
  /** The memory user. */
  readonly userId: string;
  /** Name of the skill. */
  readonly skill: string;
  /** `null`: the person took back their feedback. */
  readonly helpful: boolean | null;
  /** The turn that used the skill. */
  readonly taskId: string;
  /** How the feedback was given. */
  readonly via: "button" | "reaction" | "command" | "tool" | "api";
}

/** A habit or a forgotten commitment of a person was found. Attention decides whether and when they are told. */
export interface PatternDetected {
  /** The memory user. */
  readonly userId: string;
  /** Id of the finding. */
  readonly id: string;
  /** Name of the detector. */
  readonly detector: string;
  /** The text for the person. */
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** How often it was observed. */
  readonly frequency: number;
  /** Ids of the messages and entries that show it. */
  readonly evidenceIds: readonly string[];
}

/** The person's goals, drives and open findings that a starting turn touches, as the model is told. */
export interface InitiativeTaken {
  /** Id of the turn. */
  readonly taskId: string;
  /** The memory user. */
  readonly userId: string;
  /** Highest confidence first. */
  readonly initiatives: readonly {
    readonly type: "goal_alignment" | "drive_nudge" | "pattern_suggestion";
    readonly confidence: number;
    /** The goal's objective, the drive's name, or the finding's key. */
    readonly driveReference: string;
  }[];
}

/** The model read a skill, or a chain of skills starts or ends with its turn. */
export interface SkillUsed {
  /** Id of the turn. */
  readonly taskId: string;
  /** The speaker, as `channel:id`. */
  readonly user: string;
  /** Name of the skill. */
  readonly skill: string;
  /** For `.chain_completed`: how the turn ended. */
  readonly outcome?: "success" | "failure" | "aborted";
}

/** The assistant starts, or is about to stop. */
export interface GatewayChanged {
  /** Problems, for people; empty if there are none. */
  readonly health: { readonly ok: boolean; readonly problems: readonly string[] };
  /** Scheduled jobs. */
  readonly jobs: { readonly enabled: number; readonly nextRunAtMs: number | null };
}

/**
 * Payloads by event type. Publishers and subscribers are checked against it; add your own by declaration merging.
 *
 * Source: docs/events.md.
 *
 * @example
 * ```ts
 * declare module "wakeful" {
 *   interface EventMap { "shop.order": { orderId: string } }
 * }
 * ```
 */
export interface EventMap {
  /** A turn starts. The turn waits for the handlers, which may add to the prompt. */
  "task.started": TaskStarted;
  /** A turn ended, also if it failed or was stopped. Its reply is already durable. */
  "task.completed": TaskCompleted;
  /** The first message of a session, or the first one after its end. */
  "session.started": SessionChanged;
  /** A session ended, for the reason in the payload. */
  "session.ended": SessionChanged;
  /** A model call of a turn is about to start. It waits for the handlers, which may add to that call. */
  "iteration.started": IterationStarted;
  /** A summary is about to replace older turns. It waits for the handlers, at most ten seconds. */
  "context.compact": ContextCompact;
  /** A tool is about to run. */
  "tool.started": ToolStarted;
  /** A tool ran and gave a result. */
  "tool.completed": ToolEnded;
  /** A tool refused or threw; `error` says why. */
  "tool.failed": ToolEnded;
  /** A running tool reports its progress. */
  "tool.progress": ToolProgress;
  /** A dangerous call waits for the owner's consent. */
  "approval.requested": ApprovalChanged;
  /** A request was answered, or it expired. */
  "approval.resolved": ApprovalChanged;
  /** An unsolicited message waits for a person whom no channel reaches. */
  "notification.kept": NotificationKept;
  /** A run of a job ended, or was skipped. */
  "job.ended": JobEnded;
  /** A run of a workflow started. */
  "workflow.started": WorkflowChanged;
  /** A step of a run started, waits, or ended. */
  "workflow.step": WorkflowStepChanged;
  /** A run of a workflow is done, failed, or was cancelled. */
  "workflow.ended": WorkflowEnded;
  /** A turn delegated a task to a sub-agent. */
  "subagent.started": SubagentStarted;
  /** A sub-agent is done, failed, or was ended. */
  "subagent.ended": SubagentEnded;
  /** A budget is nearly used, or used up. Each is published once per day or month. */
  "usage.budget": BudgetReached;
  /** Memories were recalled for a turn that starts. */
  "proactive.memory.recalled": MemoryRecalled;
  /** A memory entry was stored after a turn. */
  "proactive.memory.captured": MemoryCaptured;
  /** Results of a turn's tools brought more memories into its prompt. */
  "proactive.context.refresh": ContextRefreshed;
  /** Matching skills were activated in a turn that starts. */
  "proactive.skill.auto_activated": SkillsActivated;
  /** Something that a person does often could become a skill. Once for each suggestion. */
  "proactive.skill.suggested": SkillSuggested;
  /** A person said whether a skill helped, or took it back. */
  "proactive.skill.feedback": SkillFeedback;
  /** The model read a skill in a turn, because a person asked for it or the catalogue listed it. */
  "proactive.skill.manual_activated": SkillUsed;
  /** A turn that follows a chain of skills starts. */
  "proactive.skill.chain_started": SkillUsed;
  /** A turn that followed a chain of skills ended. */
  "proactive.skill.chain_completed": SkillUsed;
  /** An unsolicited message is sent, or joined in a message that is sent. */
  "proactive.notification": NotificationDecided;
  /** An unsolicited message is not sent now: held, kept for a digest, or dropped. */
  "proactive.notification.suppressed": NotificationDecided;
  /** A habit, a failing tool or a stale commitment was found. */
  "proactive.pattern.detected": PatternDetected;
  /** The goals, drives and open findings that a turn touches came into its prompt. */
  "proactive.initiative": InitiativeTaken;
  /** The assistant starts; the payload names the problems. */
  "gateway.startup": GatewayChanged;
  /** The assistant is about to stop. */
  "gateway.shutdown": GatewayChanged;
}

/** Every type of event, including those added by declaration merging. */
export type EventType = keyof EventMap & string;

/** An event of one type. */
export interface EventOf<Type extends EventType> {
  /** The event's type, which selects the payload. */
  readonly type: Type;
  /** The event's data. All handlers share it: do not change it. */
  readonly payload: EventMap[Type];
  /** The session's key; `null` for an event without a session. */
  readonly sessionId: string | null;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

/** Any event; `switch (event.type)` narrows the payload. */
export type AnyEvent = { [Type in EventType]: EventOf<Type> }[EventType];
