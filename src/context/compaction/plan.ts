import { messageTokens } from "../tokens.ts";
import type { PromptMessage } from "../turn-messages.ts";

/**
 * A message in the AI SDK's form: text, or a list of parts of which `tool-call` and
 * `tool-result` have a `toolCallId`.
 */
export interface CompactableMessage {
  /** `system`, `user`, `assistant` or `tool`. */
  readonly role: string;
  /** A text or a list of parts. Tokens are estimated from the text, or from the JSON of the parts. */
  readonly content: unknown;
}

/** Positions in a list; `to` is exclusive. */
export interface Range {
  /** Index of the first position. */
  readonly from: number;
  /** Index after the last position; equal to `from` if the range is empty. */
  readonly to: number;
}

/** When a conversation is compacted and how much of it stays. Source: docs/compaction.md. */
export interface CompactionOptions {
  /** Context window of the model in tokens, prompt and answer. */
  readonly contextWindow: number;
  /** Most tokens of messages, whatever the window is. Default: only the window counts. */
  readonly historyTokens?: number | undefined;
  /** Tokens that stay free for the answer. Default 2000. */
  readonly reserveTokens?: number | undefined;
  /** Share of the window that may be filled, above 0 and at most 1. Default 0.85. */
  readonly triggerRatio?: number | undefined;
  /** Newest turns that are not summarized; the newest one always stays. Default 8. */
  readonly keepLastTurns?: number | undefined;
  /** Estimates the tokens of a message; an estimator of texts works too. Default: the estimate of prompts. */
  readonly estimate?: ((message: CompactableMessage) => number) | undefined;
}

/** Which messages are summarized and which stay. Together they are all messages. */
export interface CompactionPlan {
  /** Older messages, from the first on; empty if nothing has to be summarized. */
  readonly summarise: Range;
  /** Newer messages, up to the last. A call and its result always stay together. */
  readonly keep: Range;
}

export const DEFAULT_RESERVE_TOKENS = 2000;
export const DEFAULT_TRIGGER_RATIO = 0.85;
export const DEFAULT_KEEP_LAST_TURNS = 8;

/**
 * Decides whether a conversation is too long for its model, and where to cut it: between two turns, so that
 * each tool result stays with its call. A turn begins at a user message that follows neither another user
 * message nor an unanswered tool call.
 *
 * Source: docs/compaction.md.
 *
 * @param messages Oldest first.
 * @returns `null` if no trigger is reached, or if there are only turns that are kept.
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

/**
 * Most tokens of a prompt before older turns leave it; `reserveTokens` and `triggerRatio` as in `CompactionOptions`.
 */
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
 * Number of newest turns that stay: at most `keepLastTurns`, at least one, and fewer if
 * they alone would fill the budget.
 *
 * @param turns Number of turns.
 * @param keepLastTurns Turns that should stay.
 * @param room Tokens that they may fill. Default: unlimited.
 * @returns 0 only if no prompt has room for the newest turn.
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

/** Indexes where turns begin. Messages before the first one belong to no turn. */
export function turnStarts(messages: readonly CompactableMessage[]): readonly number[] {
  const { lastResults, unanswered } = callsOf(messages);
  const starts: number[] = [];
  /** The last result of all calls seen so far. */
  let boundUntil = -1;
  /**
   * Whether the newest answer has a call without a result. The turn then continues
   * until the model goes on without it.
   */
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

/** For messages with calls: the index of the last result, and which ones have a call without a result. */
function callsOf(messages: readonly CompactableMessage[]): {
  readonly lastResults: ReadonlyMap<number, number>;
  readonly unanswered: ReadonlySet<number>;
} {
  const lastResults = new Map<number, number>();
  /** Some providers reuse ids, so a result belongs to the newest waiting call. */
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
  // An estimator of texts returns no number for a message.
  const { content } = message;
  return (estimate as unknown as (text: string) => number)(
    typeof content === "string" ? content : JSON.stringify(content),
  );
}

function tokensOf(message: CompactableMessage): number {
  // For a message of another shape, its JSON is counted.
  return messageTokens(message as PromptMessage);
}
