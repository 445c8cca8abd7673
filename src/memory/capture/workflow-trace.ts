import type { JsonValue } from "../../store/index.ts";
import { ENTRY_TYPES, type MemoryDraft } from "../entry.ts";
import { type CapturedTurn, briefly } from "./turn.ts";

/** Separator before the request. */
const WANTED = ". ";
const MAX_WANTED_CHARS = 200;
const MAX_STEPS = 50;
const MAX_ARGUMENTS = 8;
const MAX_VALUE_CHARS = 80;

/**
 * Records the calls of a turn in order, to learn from work that people repeat. Fewer than two calls give no trace.
 *
 * Source: docs/capture.md, "Capture".
 *
 * @param redact Replaces secrets in the tools' input.
 */
export function workflowTrace(turn: CapturedTurn, redact: <T>(value: T) => T): MemoryDraft | undefined {
  const calls = turn.calls.slice(0, MAX_STEPS);
  if (calls.length < 2) return undefined;
  const sequence = calls.map(({ name }) => name).join("→");
  return {
    content: `${sequence}: ${turn.outcome}${WANTED}${briefly(turn.text, MAX_WANTED_CHARS)}`,
    keywords: [...new Set(calls.map(({ name }) => name))],
    slots: {
      type: ENTRY_TYPES.workflowTrace,
      source: "turn",
      task_id: turn.id,
      session_id: turn.sessionId,
      tool_seq: sequence,
      outcome: turn.outcome,
      steps: calls.map(({ name, input, durationMs, error }) => ({
        name,
        arguments: shortArguments(redact(input)),
        duration_ms: durationMs,
        success: error === undefined,
        ...(error && { error: briefly(error.code, MAX_VALUE_CHARS) }),
      })),
    },
  };
}

/** Replaces the request in a trace's content. */
export function traceWith(content: string, text: string): string {
  return content.slice(0, content.indexOf(WANTED) + WANTED.length) + briefly(text, MAX_WANTED_CHARS);
}

function shortArguments(input: JsonValue): JsonValue {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return shortValue(input);
  const entries = Object.entries(input).slice(0, MAX_ARGUMENTS);
  return Object.fromEntries(
    entries.map(([name, value]) => [briefly(name, MAX_VALUE_CHARS), shortValue(value ?? null)]),
  );
}

function shortValue(value: JsonValue): JsonValue {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  return briefly(typeof value === "string" ? value : JSON.stringify(value), MAX_VALUE_CHARS);
}
