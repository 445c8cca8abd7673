import type { JsonValue } from "../../store/index.ts";

/** How a turn or a call ended. */
export type Outcome = "success" | "failure" | "aborted";

/** One tool call of a finished turn. */
export interface CapturedCall {
  readonly name: string;
  readonly input: JsonValue;
  readonly durationMs: number;
  /** Absent when it ended well. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** A finished turn, as its log tells it. */
export interface CapturedTurn {
  readonly id: string;
  readonly sessionId: string;
  /** What the person asked for. */
  readonly text: string;
  /** What they were answered; empty: nothing. */
  readonly reply: string;
  readonly outcome: Outcome;
  /** In their order. */
  readonly calls: readonly CapturedCall[];
}

/** Tools of memory itself: what they bring and keep is in memory already. */
const OWN_TOOL = /^(?:memory_\w+|acp_context)$/;

export function isMemoryTool(name: string): boolean {
  return OWN_TOOL.test(name);
}

/** The beginning of a text in one line, not more than so many characters. */
export function briefly(text: string, most: number): string {
  const line = text.replace(/[\s\u0085]+/g, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
