import { messageTokens } from "../tokens.ts";
import type { PromptMessage } from "../turn-messages.ts";

/** A message as the AI SDK writes it: text, or a list of parts of which `tool-call` and `tool-result` carry a `toolCallId`. */
export interface CompactableMessage {
  /** `system`, `user`, `assistant` or `tool`. */
  readonly role: string;
  /** A text or a list of parts. Tokens are estimated from the text, or from the JSON of the parts. */
  readonly content: unknown;
}

/** Places in a list, `to` exclusive. */
export interface Range {
  /** Index of the first place. */
  readonly from: number;
  /** Index after the last place; equal to `from` for an empty range. */
  readonly to: number;
}

/** When a conversation is compacted and how much of it stays. Source: docs/compaction.md. */
export interface CompactionOptions {
  /** Tokens that the model takes, prompt and answer. */
  readonly contextWindow: number;
  /** Most tokens of messages whatever the window is. Default: only the window counts. */
  readonly historyTokens?: number | undefined;
  /** Tokens that stay free for the answer. Default 2000. */
  readonly reserveTokens?: number | undefined;
  /** Part of the window that may be filled, above 0 and at most 1. Default 0.85. */
  readonly triggerRatio?: number | undefined;
  /** Newest turns that are not summarised; at least the newest one never is. Default 8. */
  readonly keepLastTurns?: number | undefined;
  /** Tokens of one message; an estimator of texts will do as well. Default: as prompts are estimated. */
  readonly estimate?: ((message: CompactableMessage) => number) | undefined;
}

/** Which messages are summarised and which stay as they are. Together they are all messages. */
export interface CompactionPlan {
  /** Older messages, from the first on; empty when nothing need be summarised. */
  readonly summarise: Range;
  /** Newer messages, to the last. A call and its result are never parted. */
  readonly keep: Range;
}

export const DEFAULT_RESERVE_TOKENS = 2000;
export const DEFAULT_TRIGGER_RATIO = 0.85;
export const DEFAULT_KEEP_LAST_TURNS = 8;

/**
 * Decides whether a conversation is too long for its model, and where to cut it: between two turns, so that no tool result is parted from its call.
 * A turn begins at a user message that follows no other user message and no unanswered tool call.
 *
 * Source: docs/compaction.md.
 *
 * @param messages Oldest first.
 * @returns `null` when no trigger is reached, or when there is nothing but the turns that are kept.
 * @throws {RangeError} If an option is out of its range.
 */
export function planCompaction(
  messages: readonly CompactableMessage[],
  options: CompactionOptions,
): CompactionPlan | null {
  const { contextWindow, estimate = tokensOf } = options;
  const reserveTokens = options.reserveTokens ?? DEFAULT_RESERVE_TOKENS;
  const triggerRatio = options.triggerRatio ?? DEFAULT_TRIGGER_RATIO;
  const keepLastTurns = options.keepLastTurns ?? DEFAULT_KEEP_LAST_TURNS;
  check("contextWindow", contextWindow, contextWindow > 0, "a number above 0");
  check("reserveTokens", reserveTokens, reserveTokens >= 0, "0 or more");
  check("triggerRatio", triggerRatio, triggerRatio > 0 && triggerRatio <= 1, "above 0 and at most 1");
  check("keepLastTurns", keepLastTurns, keepLastTurns >= 0, "0 or more");

  const most = Math.min(
    promptLimit(contextWindow, { reserveTokens, triggerRatio }),
    options.historyTokens ?? Number.POSITIVE_INFINITY,
  );
  const tokens = messages.reduce((sum, message) => sum + weigh(message, estimate), 0);
  if (tokens <= most) return null;

  const starts = turnStarts(messages);
  if (keepLastTurns > starts.length) return null;
  const cut = starts.at(-keptTurns(starts.length, keepLastTurns));
  if (cut === undefined || cut === 0) return null;
  return { summarise: { from: 0, to: cut }, keep: { from: cut, to: messages.length } };
}

/** Tokens that a prompt may have before older turns leave it; `reserveTokens` and `triggerRatio` as of `CompactionOptions`. */
export function promptLimit(
  contextWindow: number,
  {
    reserveTokens = DEFAULT_RESERVE_TOKENS,
    triggerRatio = DEFAULT_TRIGGER_RATIO,
  }: Pick<CompactionOptions, "reserveTokens" | "triggerRatio">,
): number {
  return Math.max(0, Math.min(contextWindow - reserveTokens, contextWindow * triggerRatio));
}

/**
 * How many of the newest turns stay as they are: at most so many, at least the newest, and fewer when they alone would fill the budget.
 *
 * @param turns How many there are.
 * @param keepLastTurns Turns that are wanted.
 * @param room What they may fill. Left out: everything has room.
 * @returns 0 only when no prompt has room for the newest turn.
 */
export function keptTurns(
  turns: number,
  keepLastTurns: number,
  room?: {
    /** Tokens of the newest `count` turns. */
    tokensOf(count: number): number;
    /** Tokens that kept turns may fill. */
    readonly budgetTokens: number;
    /** Tokens that any prompt may have. */
    readonly maxTokens: number;
  },
): number {
  let kept = Math.min(Math.max(1, keepLastTurns), turns);
  if (!room) return kept;
  while (kept > 1 && room.tokensOf(kept) > room.budgetTokens) kept -= 1;
  return kept === 1 && room.tokensOf(1) > room.maxTokens ? 0 : kept;
}

function check(name: string, value: number, isGood: boolean, expected: string): void {
  if (!isGood)
    throw new RangeError(`Cannot plan a compaction as ${name} must be ${expected}: current value is ${value}`);
}

/** Where turns begin. What stands before the first of them belongs to no turn. */
export function turnStarts(messages: readonly CompactableMessage[]): readonly number[] {
  const { lastResults, unanswered } = callsOf(messages);
  const starts: number[] = [];
  /** The farthest result of a call that was seen. */
  let boundUntil = -1;
  /** The newest answer asked for a call without a result: it binds until the model goes on without it. */
  let waits = false;
  messages.forEach(({ role }, index) => {
    if (role === "user") {
      if (messages[index - 1]?.role !== "user" && boundUntil < index && !waits) starts.push(index);
    } else if (role === "assistant") {
      boundUntil = Math.max(boundUntil, lastResults.get(index) ?? -1);
      waits = unanswered.has(index);
    }
  });
  return starts;
}

/** Of the messages with calls: where the last of their results stands, and which have a call without one. */
function callsOf(messages: readonly CompactableMessage[]): {
  readonly lastResults: ReadonlyMap<number, number>;
  readonly unanswered: ReadonlySet<number>;
} {
  const lastResults = new Map<number, number>();
  /** Some providers use an id again, so a result belongs to the newest call that waits for it. */
  const waiting = new Map<string, number[]>();
  messages.forEach(({ content }, index) => {
    if (!Array.isArray(content)) return;
    for (const part of content) {
      const { type, toolCallId } = (part ?? {}) as { type?: unknown; toolCallId?: unknown };
      if (typeof toolCallId !== "string") continue;
      const calls = waiting.get(toolCallId) ?? [];
      if (type === "tool-call") waiting.set(toolCallId, calls);
      if (type === "tool-call") calls.push(index);
      const call = type === "tool-result" ? calls.pop() : undefined;
      if (call !== undefined) lastResults.set(call, index);
    }
  });
  return { lastResults, unanswered: new Set([...waiting.values()].flat()) };
}

function weigh(message: CompactableMessage, estimate: NonNullable<CompactionOptions["estimate"]>): number {
  const tokens = estimate(message);
  if (Number.isFinite(tokens)) return tokens;
  // An estimator of texts has no number for a message.
  const { content } = message;
  return (estimate as unknown as (text: string) => number)(
    typeof content === "string" ? content : JSON.stringify(content),
  );
}

function tokensOf(message: CompactableMessage): number {
  // Of whatever else a message is, the JSON is counted.
  return messageTokens(message as PromptMessage);
}
