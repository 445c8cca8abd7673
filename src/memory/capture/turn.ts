import type { JsonValue } from "../../store/index.ts";
import { shortened } from "../../short-text.ts";

/**
 * How a turn ended. `partial`: some of its tools failed. `denied`, `expired`: the owner refused a call, or did not
 * answer in time, so the call did not run.
 */
export type Outcome = "success" | "partial" | "failure" | "denied" | "expired" | "aborted";

/** A call that waited for the owner, with its end. */
export interface AskedCall {
  readonly tool: string;
  readonly verdict: "done" | "failed" | "denied" | "expired" | "interrupted";
  readonly reason?: string | undefined;
}

/** One tool call of a finished turn. */
export interface CapturedCall {
  readonly name: string;
  readonly input: JsonValue;
  readonly durationMs: number;
  /** Absent when the call succeeded. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** A finished turn, read from its log. */
export interface CapturedTurn {
  readonly id: string;
  readonly sessionId: string;
  /** What the person asked for. */
  readonly text: string;
  /** What the assistant answered; empty: nothing. */
  readonly reply: string;
  readonly outcome: Outcome;
  /** Problems with the turn's tools, a few words each. */
  readonly problems?: readonly string[] | undefined;
  /** Calls in order. */
  readonly calls: readonly CapturedCall[];
}

/** Memory's own tools: what they return and keep is in memory already. */
const OWN_TOOL = /^(?:memory_\w+|acp_context)$/;

export function isMemoryTool(name: string): boolean {
  return OWN_TOOL.test(name);
}

/** Shortens a text to one line of at most `most` characters. */
export function briefly(text: string, most: number): string {
  return shortened(text.replace(/[\s\u0085]+/g, " ").trim(), most, most - 1);
}

/** Tools whose last call failed, with the error's code. A tool that succeeded on a later try is not included. */
function failedTools(calls: readonly CapturedCall[]): ReadonlyMap<string, string> {
  const failed = new Map<string, string>();
  for (const { name, error } of calls) {
    if (isMemoryTool(name)) continue;
    if (error) failed.set(name, error.code);
    else failed.delete(name);
  }
  return failed;
}

const MAX_REASON_CHARS = 160;

/**
 * Decides the outcome of a turn by its tools, and lists their problems. The owner's verdict on a call takes precedence
 * over the other calls.
 *
 * @param asked Calls that waited for the owner, with their ends.
 */
export function outcomeOf(
  calls: readonly CapturedCall[],
  asked: readonly AskedCall[] = [],
): { readonly outcome: Outcome; readonly problems: readonly string[] } {
  const failed = failedTools(calls);
  const notDone = asked.filter(({ verdict }) => verdict !== "done");
  const problems = [
    ...notDone.map(({ tool, verdict, reason }) => `${tool}: ${briefly(reason ?? verdict, MAX_REASON_CHARS)}`),
    ...[...failed].map(([name, code]) => `${name}: ${code}`),
  ];
  const verdicts = new Set(notDone.map(({ verdict }) => verdict));
  if (verdicts.has("failed") || verdicts.has("interrupted")) return { outcome: "failure", problems };
  if (verdicts.has("denied")) return { outcome: "denied", problems };
  if (verdicts.has("expired")) return { outcome: "expired", problems };
  if (failed.size === 0) return { outcome: "success", problems };
  const others = calls.some(({ name }) => !isMemoryTool(name) && !failed.has(name));
  return { outcome: others || asked.length > 0 ? "partial" : "failure", problems };
}
