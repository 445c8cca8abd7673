import type { JsonValue } from "../../store/index.ts";
import { shortened } from "../../short-text.ts";

/**
 * How a turn ended. `partial`: some of its tools failed. `denied`, `expired`: the owner refused a call that it asked for, or did not answer in time; it did not
 * run.
 */
export type Outcome = "success" | "partial" | "failure" | "denied" | "expired" | "aborted";

/** How a call ended that waited for the owner. */
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
  /** What went wrong with its tools, a few words each. */
  readonly problems?: readonly string[] | undefined;
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
  return shortened(text.replace(/[\s\u0085]+/g, " ").trim(), most, most - 1);
}

/** The tools whose last call failed, with the error's code: one that was tried again with success did not. */
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
 * How the tools of a turn did that came to its end, and what went wrong with them. What the owner said to a call counts before what the others did.
 *
 * @param asked Calls that waited for the owner, as they ended.
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
