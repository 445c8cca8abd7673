// Types of the API's JSON, as far as the page reads it.
import type { JsonValue } from "../../../store/index.ts";

/** An entry of a transcript. */
export interface Entry {
  readonly type: "user" | "note" | "tool" | "assistant" | "summary" | "reset";
  readonly seq: number;
  readonly text?: string;
  /** Notes: their source, as `job water`. */
  readonly source?: string;
  /** Notes: set if the note instructed the assistant. */
  readonly origin?: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  /** Summaries: number of older turns, whether a person wrote it, and the error if it could not be made. */
  readonly turns?: number;
  readonly edited?: boolean;
  readonly problem?: string;
}

/** An event of an answer's stream. */
export interface Chunk {
  readonly type: string;
  readonly id?: string;
  readonly delta?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly errorText?: string;
  readonly data?: { readonly id?: string; readonly code?: string; readonly name?: string };
  readonly messageMetadata?: { readonly silent?: boolean; readonly turn_id?: string };
}

/** A waiting call, as the API lists it. */
export interface Waiting {
  readonly id: string;
  readonly code: string;
  readonly tool: string;
  readonly input: JsonValue;
  readonly bound_to: JsonValue;
  readonly user: string;
  readonly session_key: string;
  readonly state: string;
}

/** The result of an answer. */
export interface Answered {
  readonly ok: boolean;
  readonly state: string;
  readonly output?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  readonly outcome?: { readonly verdict: string; readonly reason?: string };
  readonly reply?: {
    readonly text: string;
    readonly silent: boolean;
    readonly approvals: readonly { readonly id: string; readonly code: string; readonly name: string }[];
  };
}

/** A memory entry. */
export interface MemoryEntry {
  readonly id: string;
  readonly content: string;
  readonly keywords: readonly string[];
  readonly slots: Readonly<Record<string, JsonValue>>;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A memory entry in a list. Score and signals are set if it was found by a search. */
export interface MemoryHit {
  readonly entry: MemoryEntry;
  readonly score?: number;
  readonly layer?: string;
  readonly signals?: Readonly<Record<string, number>>;
}

export interface Counts {
  readonly user: string;
  readonly entries: number;
}

/** A conversation in the list. */
export interface Conversation {
  readonly id: string;
  readonly title: string;
  readonly last_at: string;
}

/** A job. */
export interface JobEntry {
  readonly id: string;
  readonly name: string;
  readonly task: string;
  readonly user: string;
  readonly schedule: {
    readonly kind: string;
    readonly cron?: string;
    readonly tz?: string;
    readonly at?: string;
    readonly every_ms?: number;
  };
  readonly status: "active" | "paused" | "error" | "done";
  /** `static`: it comes from the configuration and can only be changed there. */
  readonly source: string;
  readonly created_at: string;
  readonly next_run_at: string | null;
  readonly next_runs: readonly string[];
  readonly last_run_status?: string;
}

export interface JobRunEntry {
  readonly planned: string;
  readonly status: "waiting" | "running" | "success" | "failed" | "skipped";
  readonly error?: string;
  readonly reason?: string;
  readonly output?: string;
}

/** Event: a run of a job ended. */
export interface JobEnded {
  readonly name: string;
  readonly status: "success" | "failed" | "skipped";
}

/** A notice and the decision about it. */
export interface NoticeEntry {
  readonly id: string;
  readonly type: string;
  /** Empty for other people's requested messages. */
  readonly text: string;
  readonly at: string;
  readonly verdict: "send" | "hold" | "digest" | "drop";
  readonly rule: string;
  readonly until?: string;
}

/** The decisions for a person, and the person's settings. */
export interface PersonAttentionEntry {
  readonly user: string;
  readonly muted_until: string | null;
  readonly less: Readonly<Record<string, number>>;
  readonly held: readonly NoticeEntry[];
  readonly decisions: readonly NoticeEntry[];
}

/** A skill. */
export interface SkillEntry {
  readonly name: string;
  readonly description: string;
  readonly place: "workspace" | "given" | "global" | "built-in";
  readonly source?: string;
  readonly has_triggers: boolean;
  /** Why it is not offered; empty if it is. */
  readonly missing: readonly string[];
  /** Whether it was installed and waits for the owner's consent. */
  readonly disabled?: boolean;
  readonly people?: readonly string[];
  readonly origin?: { readonly registry: string; readonly slug: string; readonly version: string };
}

export interface SkillStatsEntry {
  readonly name: string;
  readonly activations: number;
  readonly helpful: number;
  readonly not_helpful: number;
  readonly last_at?: string;
}

/** A skill with its text, files and statistics. */
export interface SkillDetailEntry extends SkillEntry {
  readonly text: string;
  readonly files: readonly string[];
  readonly stats: SkillStatsEntry;
}

/** A suggested skill. */
export interface SuggestionEntry {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tool_sequence: readonly string[];
  readonly occurrences: number;
  readonly state: "open" | "accepted" | "declined";
}

/** A skill in a registry. */
export interface FoundSkillEntry {
  readonly registry: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly version?: string;
}

export interface InstalledSkillEntry {
  readonly name: string;
  readonly version: string;
  readonly verdict: "clean" | "suspicious" | "malicious" | "unknown";
  readonly disabled: boolean;
  readonly findings: readonly { readonly file: string; readonly line: number; readonly what: string }[];
}

/** Model usage by day. */
export interface UsageEntry {
  readonly days: readonly {
    readonly day: string;
    readonly total: { readonly input_tokens: number; readonly output_tokens: number };
  }[];
}

/** A workflow that can be started. */
export interface WorkflowEntry {
  readonly name: string;
  readonly description: string;
  readonly source: "host" | "file" | "built-in" | "skill";
  readonly inputs: Readonly<Record<string, WorkflowInputEntry>>;
  readonly steps: number;
}

export interface WorkflowInputEntry {
  readonly type?: "string" | "number" | "boolean" | "list" | "object";
  readonly description?: string;
  readonly default?: JsonValue;
  readonly required: boolean;
}

export type WorkflowRunStatus = "running" | "waiting" | "done" | "failed" | "cancelled";
export type WorkflowStepStatus = "pending" | "running" | "waiting" | "done" | "failed" | "skipped";

/** A run of a workflow, as in lists. */
export interface WorkflowRunEntry {
  readonly run_id: string;
  readonly name: string;
  readonly status: WorkflowRunStatus;
  readonly user: string;
  readonly started_at: string;
  readonly ended_at?: string;
  readonly progress: { readonly done: number; readonly total: number };
  readonly budget: WorkflowBudget;
  readonly spent: {
    readonly tokens: number;
    readonly tool_calls: number;
    readonly seconds: number;
    readonly cost?: number;
  };
  readonly error?: WorkflowError;
  readonly parent?: { readonly run_id: string; readonly step: string };
}

export interface WorkflowBudget {
  readonly max_tokens: number;
  readonly max_seconds: number;
  readonly max_tool_calls: number;
}

interface WorkflowError {
  readonly code: string;
  readonly message: string;
}

/** A run with all details. */
export interface WorkflowRunDetail extends WorkflowRunEntry {
  readonly inputs: Readonly<Record<string, JsonValue>>;
  readonly steps: readonly WorkflowStepEntry[];
  readonly output?: JsonValue;
  readonly summary?: string;
}

export interface WorkflowStepEntry {
  readonly id: string;
  readonly run: "tool" | "prompt" | "skill" | "workflow" | "approve" | "wait";
  readonly what: string;
  readonly needs: readonly string[];
  readonly status: WorkflowStepStatus;
  readonly attempt: number;
  readonly started_at?: string;
  readonly ended_at?: string;
  readonly output?: JsonValue;
  readonly artifact?: string;
  readonly error?: WorkflowError;
  readonly tokens?: number;
  readonly tool_calls?: number;
  readonly waits_for?: {
    readonly until?: string;
    readonly event?: string;
    readonly approval?: { readonly id: string; readonly code: string };
    readonly run_id?: string;
  };
  readonly items?: { readonly done: number; readonly failed: number; readonly total: number };
}

/** Event: a run started, progressed or ended. */
export interface WorkflowNews {
  readonly run_id: string;
  readonly name: string;
  readonly status: WorkflowRunStatus;
  readonly step?: { readonly id: string; readonly status: WorkflowStepStatus; readonly attempt: number };
}
