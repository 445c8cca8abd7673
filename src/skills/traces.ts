import type { JsonValue } from "../store/index.ts";

/** One tool call of a trace. */
export interface TracedTool {
  /** Full name of the tool. */
  readonly name: string;
  /** Whether the call succeeded. */
  readonly success: boolean;
  /** Duration in milliseconds. */
  readonly durationMs: number;
  /** Its input, secrets replaced. Default: unknown. */
  readonly arguments?: JsonValue;
}

/** The tool calls of one turn in order. Source: docs/skills-matching.md, "Learning". */
export interface WorkflowTrace {
  /** The turn. Several traces of one turn count once. */
  readonly taskId: string;
  /** The memory user. */
  readonly userId: string;
  /** Its calls, in order. */
  readonly tools: readonly TracedTool[];
  /** How the turn ended; only `success` counts as success. */
  readonly outcome: string;
  /** When the turn ended; a number is milliseconds since the epoch. */
  readonly createdAt: Date | number;
  /** The person's request. Default: unknown. */
  readonly text?: string;
}

/** The part of a memory entry that a trace is made from; a `MemoryEntry` is one. */
export interface TraceEntry {
  /** Id of the entry. */
  readonly id: string;
  /** The memory user. */
  readonly userId: string;
  /** The entry's text. */
  readonly content: string;
  /** The entry's slots. */
  readonly slots: Readonly<Record<string, JsonValue>>;
  /** When it was made. */
  readonly createdAt: Date;
}

const TRACE_TYPE = "workflow_trace";

/**
 * Extracts traces from memory entries: those with the slot `type: workflow_trace` that come from a message. A run of
 * a job (slot `origin` other than `message`) is no evidence of a person's habits. Entries of another shape are
 * skipped.
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
