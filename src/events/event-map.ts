import type { Peer } from "../message.ts";
import type { Usage } from "../reply.ts";
import type { JsonValue } from "../store/index.ts";
import type { Inject } from "./injection.ts";

/** A turn begins. `source`: `message`, `approval` for the outcome of a request, or the origin of work that nobody asked for just then: `job`, `heartbeat`. */
export interface TaskStarted {
  readonly taskId: string;
  readonly text: string;
  /** `channel:id`. */
  readonly user: string;
  readonly channel: string;
  /** The chat that it is for. */
  readonly peer: Peer;
  /** What the person may be, as the runtime knows: `owner`, `user`, roles of the configuration. */
  readonly roles: readonly string[];
  /** Of the channel: which of several accounts. */
  readonly account: string;
  readonly source: string;
  /** Into the prompt of the turn, before its newest message. */
  readonly inject: Inject;
}

/** A turn ended, its reply is durable. */
export interface TaskCompleted {
  readonly taskId: string;
  readonly status: "completed" | "failed" | "aborted";
  /** How many tools it called. */
  readonly toolCalls: number;
  readonly usage: Usage;
  readonly user: string;
  readonly channel: string;
  readonly peer: Peer;
  readonly roles: readonly string[];
  readonly account: string;
  /** What the person reads; empty when the assistant stayed silent. */
  readonly text: string;
  /** As of `task.started`. */
  readonly source: string;
}

/** Before each model call of a turn; the first step is 1. */
export interface IterationStarted {
  readonly taskId: string;
  readonly step: number;
  /** Into this model call, behind everything else. */
  readonly inject: Inject;
}

/** Older turns are about to be told in a summary. What handlers keep of them is awaited, for ten seconds at most. */
export interface ContextCompact {
  /** The turns as the prompt shows them, oldest first: messages as the AI SDK writes them. */
  readonly messages: readonly { readonly role: string; readonly content: JsonValue }[];
  /** Records of the session's log in which the turns' replies lie, `to` exclusive. */
  readonly range: { readonly from: number; readonly to: number };
  /** Who spoke last in them, as `channel:id`. */
  readonly userId: string;
  readonly channel: string;
  readonly peer: Peer;
  readonly roles: readonly string[];
  readonly account: string;
}

/** Which call of a tool. */
export interface ToolCall {
  readonly taskId: string;
  /** Unique in the task. */
  readonly callId: string;
  readonly name: string;
}

/** A tool is about to run. */
export interface ToolStarted extends ToolCall {
  /** Into the model call that comes next in the turn; without effect when the host program runs the tool by itself. */
  readonly inject: Inject;
}

/** A tool has run. */
export interface ToolEnded extends ToolStarted {
  readonly durationMs: number;
  /** Why it failed, for people; absent when it did not. */
  readonly error?: string;
}

/** What a running tool says of itself through its context's `emit`. */
export interface ToolProgress extends ToolCall {
  /** The tool's own word for what it tells. */
  readonly type: string;
  readonly data?: JsonValue;
}

/** A session's first message, or the first one after its end; and its end, with the reason for it: `idle`, `new`, `removed`, `done`. */
export interface SessionChanged {
  readonly user: string;
  readonly channel: string;
  readonly peer: Peer;
  readonly roles: readonly string[];
  readonly account: string;
  readonly reason?: string;
}

/** A dangerous call asks the owner, or has its answer. */
export interface ApprovalChanged {
  readonly id: string;
  /** What the owner types to answer. */
  readonly code: string;
  /** The tool's full name. */
  readonly tool: string;
  readonly sessionKey: string;
  /** For whom the call was made, as `channel:id`. */
  readonly user: string;
  /** Of `approval.resolved`: what became of the call. */
  readonly state?: "done" | "failed" | "denied" | "expired" | "interrupted";
  /** Of `approval.resolved`: who answered, as `channel:id`; absent when its time was over. */
  readonly by?: string;
  /** Of `approval.resolved`: why it was denied, in the words of whoever did. */
  readonly reason?: string;
}

/** Something was said unasked to a person whom no channel reaches, and waits until they read it. */
export interface NotificationKept {
  /** Of the notification. */
  readonly id: string;
  /** A ULID: those of later ones are greater. */
  readonly eventId: string;
  /** Who it is for, as `channel:id`. */
  readonly user: string;
  readonly sessionKey: string;
  /** As of `HostMessage`. */
  readonly kind: "reply" | "result" | "notice";
  readonly text: string;
  /** As of `HostMessage`. */
  readonly buttons?: readonly { readonly id: string; readonly label: string }[];
}

/** What was decided on something that nobody waited for. */
export interface NotificationDecided {
  /** Whose attention: the user of their memory. */
  readonly userId: string;
  /** Of the notice. */
  readonly id: string;
  /** What it is about, as `job`, `pattern` or `alert`. */
  readonly type: string;
  readonly channel: string;
  /** 0 to 1. */
  readonly priority: number;
  readonly verdict: "send" | "hold" | "digest" | "drop";
  /** Which rule decided, as docs/attention.md names it. */
  readonly rule: string;
  /** Of `hold` and `digest`: when it is decided again, milliseconds since the epoch. */
  readonly untilMs?: number;
}

/** A run of a job ended. */
export interface JobEnded {
  /** Of the job. */
  readonly id: string;
  readonly name: string;
  /** Whose job it is, as `channel:id`. */
  readonly user: string;
  readonly runId: string;
  readonly status: "success" | "failed" | "skipped";
  /** Why it failed or was skipped. */
  readonly reason?: string;
  /** Failed runs in a row, with this one. */
  readonly consecFailures: number;
  /** It was paused, since it failed too often: its person and the owners were told. */
  readonly paused?: boolean;
}

/** A run of a workflow began, went on, or ended. */
export interface WorkflowChanged {
  readonly runId: string;
  /** Of the workflow. */
  readonly name: string;
  /** For whom it works, as `channel:id`. */
  readonly user: string;
  readonly status: "running" | "waiting" | "done" | "failed" | "cancelled";
}

/** A step of a run, or the run as a whole, is in another state. */
export interface WorkflowStepChanged extends WorkflowChanged {
  /** Absent: the run itself. `id` of an item of a step is `<step>-<index>`. */
  readonly step?: {
    readonly id: string;
    readonly status: "pending" | "running" | "waiting" | "done" | "failed" | "skipped";
    readonly attempt: number;
  };
}

/** A run ended. */
export interface WorkflowEnded extends WorkflowChanged {
  /** Why it failed or was cancelled. */
  readonly reason?: string;
}

/** A turn handed a task on. */
export interface SubagentStarted {
  readonly id: string;
  /** What is to be done. */
  readonly task: string;
  /** For whom, as `channel:id`. */
  readonly user: string;
  /** Of the sub-agent itself; the event is of the session that started it. */
  readonly sessionKey: string;
  /** 1: started by a turn that no sub-agent began. */
  readonly depth: number;
  /** Nobody waits for it. */
  readonly background: boolean;
}

/** What was handed on has ended. */
export interface SubagentEnded {
  readonly id: string;
  /** For whom, as `channel:id`. */
  readonly user: string;
  readonly status: "done" | "failed" | "cancelled";
  readonly tokens: number;
  readonly durationMs: number;
  /** Why it failed or was ended. */
  readonly reason?: string;
}

/** A budget for language models is nearly used, or used up. Once each in a day or a month. */
export interface BudgetReached {
  readonly budget: "daily" | "monthly";
  readonly kind: "tokens" | "cost";
  /** 0.8: nearly. 1: no model is asked before `untilMs`. */
  readonly share: 0.8 | 1;
  readonly used: number;
  readonly limit: number;
  /** When it is open again, milliseconds since the epoch. */
  readonly untilMs: number;
}

/** Memories were found for a turn that begins. */
export interface MemoryRecalled {
  /** Of the turn. */
  readonly taskId: string;
  /** Whose memory, as docs/memory.md names it. */
  readonly userId: string;
  readonly count: number;
  /** Why nothing came though something was found, in words. */
  readonly closed?: string;
  /** Best first. `signals`: how much each way of searching found in it. */
  readonly hits: readonly {
    readonly id: string;
    readonly layer: string;
    readonly score: number;
    readonly signals: Readonly<Record<string, number>>;
  }[];
}

/** Something was kept after a turn. */
export interface MemoryCaptured {
  readonly userId: string;
  /** The entry's. */
  readonly id: string;
  /** The entry's slot `type`. */
  readonly type: string;
  /** It went into an entry that was there. */
  readonly merged: boolean;
}

/** What a turn's tools found brought more memories into its prompt. */
export interface ContextRefreshed {
  readonly taskId: string;
  readonly step: number;
  readonly count: number;
}

/** Skills came by themselves into a turn that begins. */
export interface SkillsActivated {
  /** Of the turn. */
  readonly taskId: string;
  /** Who speaks, as `channel:id`. */
  readonly user: string;
  /** Best first, with what the confidence is made of. */
  readonly skills: readonly {
    readonly name: string;
    readonly confidence: number;
    readonly signals: readonly { readonly kind: string; readonly matched: string; readonly weight: number }[];
  }[];
  /** Tokens of what came, estimated. */
  readonly tokens: number;
  /** Tokens that all skills of this person would take, for comparison. */
  readonly tokensOfAll: number;
}

/** Something that a person does often could become a skill. */
export interface SkillSuggested {
  /** Whose: the user of their memory. */
  readonly userId: string;
  /** Of the suggestion. */
  readonly id: string;
  /** What the skill would be called. */
  readonly name: string;
  /** How often it was seen. */
  readonly occurrences: number;
  /** 0 to 1. */
  readonly confidence: number;
}

/** A person said whether a skill was of help. */
export interface SkillFeedback {
  /** Whose: the user of their memory. */
  readonly userId: string;
  /** Name of the skill. */
  readonly skill: string;
  /** `null`: they took back what they said. */
  readonly helpful: boolean | null;
  /** The turn in which the skill was at work. */
  readonly taskId: string;
  /** How they said it. */
  readonly via: "button" | "reaction" | "command" | "tool" | "api";
}

/** Something that a person does again and again, or forgot, was found. Attention says when they are told, if at all. */
export interface PatternDetected {
  /** Whose: the user of their memory. */
  readonly userId: string;
  /** Of the finding. */
  readonly id: string;
  /** Name of the detector. */
  readonly detector: string;
  /** What the person is to be told. */
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** How often it was seen. */
  readonly frequency: number;
  /** Ids of the messages and entries that show it. */
  readonly evidenceIds: readonly string[];
}

/** What a turn that begins touches of its person's goals, drives and open findings, as the model is told. */
export interface InitiativeTaken {
  /** Of the turn. */
  readonly taskId: string;
  /** Whose: the user of their memory. */
  readonly userId: string;
  /** The surest first. */
  readonly initiatives: readonly {
    readonly type: "goal_alignment" | "drive_nudge" | "pattern_suggestion";
    readonly confidence: number;
    /** The goal's objective, the drive's name, or the finding's key. */
    readonly driveReference: string;
  }[];
}

/** A skill was read by the model, or a chain of skills begins or ends with its turn. */
export interface SkillUsed {
  /** Of the turn. */
  readonly taskId: string;
  /** Who speaks, as `channel:id`. */
  readonly user: string;
  /** Name of the skill. */
  readonly skill: string;
  /** Of `.chain_completed`: how the turn ended. */
  readonly outcome?: "success" | "failure" | "aborted";
}

/** The runtime starts, or is about to stop. */
export interface GatewayChanged {
  /** What is wrong, for people; empty when all is well. */
  readonly health: { readonly ok: boolean; readonly problems: readonly string[] };
  /** Appointments that are kept. */
  readonly jobs: { readonly enabled: number; readonly nextRunAtMs: number | null };
}

/**
 * Payloads by the type of their event. Publishers and subscribers are checked against it; add your own by declaration merging.
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
  /** A turn begins. Its handlers are awaited, and may add to the prompt. */
  "task.started": TaskStarted;
  /** A turn ended, also one that failed or was stopped. Its reply is durable by then. */
  "task.completed": TaskCompleted;
  /** The first message of a session, or the first one after its end. */
  "session.started": SessionChanged;
  /** A session ended, for the reason in the payload. */
  "session.ended": SessionChanged;
  /** A model call of a turn is about to be made. Its handlers are awaited, and may add to that call. */
  "iteration.started": IterationStarted;
  /** A summary is about to replace older turns. Its handlers are awaited, for ten seconds at most. */
  "context.compact": ContextCompact;
  /** A tool is about to run. */
  "tool.started": ToolStarted;
  /** A tool ran and gave a result. */
  "tool.completed": ToolEnded;
  /** A tool refused or threw; `error` says why. */
  "tool.failed": ToolEnded;
  /** A running tool reports how far it is. */
  "tool.progress": ToolProgress;
  /** A dangerous call waits for the owner's consent. */
  "approval.requested": ApprovalChanged;
  /** A call that waited was answered, or its time was over. */
  "approval.resolved": ApprovalChanged;
  /** Something was said unasked, and waits for a person whom no channel reaches. */
  "notification.kept": NotificationKept;
  /** A run of a job ended, or was skipped. */
  "job.ended": JobEnded;
  /** A run of a workflow began. */
  "workflow.started": WorkflowChanged;
  /** A step of a run began, waits, or ended. */
  "workflow.step": WorkflowStepChanged;
  /** A run of a workflow is done, failed, or was cancelled. */
  "workflow.ended": WorkflowEnded;
  /** A turn handed a task on to a sub-agent. */
  "subagent.started": SubagentStarted;
  /** A sub-agent is done, failed, or was ended. */
  "subagent.ended": SubagentEnded;
  /** A budget is nearly used, or used up. Once each in a day or a month. */
  "usage.budget": BudgetReached;
  /** Memories were found for a turn that begins. */
  "proactive.memory.recalled": MemoryRecalled;
  /** Something of a turn was kept in memory. */
  "proactive.memory.captured": MemoryCaptured;
  /** Results of a turn's tools brought more memories into its prompt. */
  "proactive.context.refresh": ContextRefreshed;
  /** Skills that fit came into a turn that begins. */
  "proactive.skill.auto_activated": SkillsActivated;
  /** Something that a person does often was found and could become a skill. Once for each suggestion. */
  "proactive.skill.suggested": SkillSuggested;
  /** A person said whether a skill was of help, or took it back. */
  "proactive.skill.feedback": SkillFeedback;
  /** The model read a skill in a turn, because a person asked for it or the catalogue named it. */
  "proactive.skill.manual_activated": SkillUsed;
  /** A turn begins that follows a chain of skills. */
  "proactive.skill.chain_started": SkillUsed;
  /** The turn ended that followed a chain. */
  "proactive.skill.chain_completed": SkillUsed;
  /** Something is said that nobody waited for, or joined in a message that is. */
  "proactive.notification": NotificationDecided;
  /** Something that nobody waited for is not said now: held, kept for a digest, or dropped. */
  "proactive.notification.suppressed": NotificationDecided;
  /** A habit, a failing tool or a stale commitment was found. */
  "proactive.pattern.detected": PatternDetected;
  /** What a turn touches of goals, drives and open findings came into its prompt. */
  "proactive.initiative": InitiativeTaken;
  /** The assistant starts; the payload names what is wrong. */
  "gateway.startup": GatewayChanged;
  /** The assistant is about to stop. */
  "gateway.shutdown": GatewayChanged;
}

/** Every type of event, those that were added by declaration merging too. */
export type EventType = keyof EventMap & string;

/** An event of one type. */
export interface EventOf<Type extends EventType> {
  /** Tells the payload. */
  readonly type: Type;
  /** What the event is about. It is shared by all handlers: read only. */
  readonly payload: EventMap[Type];
  /** The session's key; `null` for what belongs to none. */
  readonly sessionId: string | null;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

/** Any event: `switch (event.type)` tells the payload. */
export type AnyEvent = { [Type in EventType]: EventOf<Type> }[EventType];
