import type { JsonValue } from "../store/index.ts";

/** One tool call of a trace. */
export interface TracedTool {
  /** Full name of the tool. */
  readonly name: string;
  /** Whether the call ended well. */
  readonly success: boolean;
  /** How long it took, in milliseconds. */
  readonly durationMs: number;
  /** What it was given, secrets replaced. Default: not known. */
  readonly arguments?: JsonValue;
}

/** The tool calls of one turn in their order. Source: docs/skills-matching.md, "Learning". */
export interface WorkflowTrace {
  /** The turn. Traces of one turn count once. */
  readonly taskId: string;
  /** Whose memory it is from. */
  readonly userId: string;
  /** Its calls, in their order. */
  readonly tools: readonly TracedTool[];
  /** How the turn ended; `success` alone counts as one. */
  readonly outcome: string;
  /** When the turn ended; a number is milliseconds since the epoch. */
  readonly createdAt: Date | number;
  /** What the person asked for. Default: not known. */
  readonly text?: string;
}

/** What of a memory entry a trace is made from; a `MemoryEntry` is one. */
export interface TraceEntry {
  /** Of the entry. */
  readonly id: string;
  /** Whose memory it is in. */
  readonly userId: string;
  /** The entry's text. */
  readonly content: string;
  /** What the entry says of itself. */
  readonly slots: Readonly<Record<string, JsonValue>>;
  /** When it was made. */
  readonly createdAt: Date;
}

const TRACE_TYPE = "workflow_trace";

/**
 * The traces that memory entries hold: those with the slot `type: workflow_trace` that are of a message. A run of a job (slot `origin` other than `message`) is
 * no evidence of what a person does. Entries of another shape are passed over.
 */
export function tracesFromEntries(entries: Iterable<TraceEntry>): WorkflowTrace[] {
  const traces: WorkflowTrace[] = [];
  for (const { id, userId, content, slots, createdAt } of entries) {
    const { type, origin = "message", outcome, task_id: taskId, tool_seq: sequence, steps } = slots;
    if (type !== TRACE_TYPE || origin !== "message" || typeof outcome !== "string" || !Array.isArray(steps)) continue;
    const tools = steps.map(toolOf);
    if (tools.includes(undefined)) continue;
    const before = `${typeof sequence === "string" ? sequence : ""}: ${outcome}. `;
    traces.push({
      taskId: typeof taskId === "string" ? taskId : id,
      userId,
      tools: tools as TracedTool[], // none is undefined
      outcome,
      createdAt,
      ...(content.startsWith(before) ? { text: content.slice(before.length) } : {}),
    });
  }
  return traces;
}

function toolOf(step: JsonValue): TracedTool | undefined {
  if (typeof step !== "object" || step === null || Array.isArray(step)) return undefined;
  const { name, success, duration_ms: durationMs, arguments: given } = step as { readonly [name: string]: JsonValue };
  if (typeof name !== "string" || name === "" || typeof success !== "boolean") return undefined;
  const ms = typeof durationMs === "number" && durationMs >= 0 ? durationMs : 0;
  return { name, success, durationMs: ms, ...(given === undefined ? {} : { arguments: given }) };
}
