import type { LoggedTurn } from "../session/index.ts";
import { messageTokens, mostTokensByText } from "./tokens.ts";
import { type PromptMessage, turnMessages } from "./turn-messages.ts";

export const DEFAULT_HISTORY_TOKENS = 16_000;
/** Turns that are shown although they are over the budget. */
const MIN_TURNS = 8;
/** What is left of a full window when older turns leave it. */
const KEPT_PART = 3 / 4;
const MAX_TURNS = 160;
const MIN_TURN_TOKENS = 100;
/** A turn may answer messages that stand so many turns before it in the log. */
const REACH_TURNS = 40;

/** The earlier turns that a prompt shows. */
export interface HistoryWindow {
  /** The first turn that is shown. */
  readonly from: number;
  /** Turns before this one may be forgotten: no later window looks at them. */
  readonly needs: number;
  /** Estimated when it is asked for. */
  readonly tokens: number;
}

/** Most turns that a prompt shows, however short they are. */
function mostHistoryTurns(historyTokens: number = DEFAULT_HISTORY_TOKENS): number {
  return Math.max(MAX_TURNS, Math.ceil(historyTokens / MIN_TURN_TOKENS));
}

/** As many tokens of history as the assistant or any of its channels shows. */
export function mostHistoryTokens(contexts: readonly ({ readonly historyTokens?: number } | undefined)[]): number {
  return Math.max(...contexts.map((one) => one?.historyTokens ?? DEFAULT_HISTORY_TOKENS));
}

/** Turns of a session that must be read, so that its window is the same as before, and everything in it whole. */
export function loadedHistoryTurns(historyTokens: number = DEFAULT_HISTORY_TOKENS): number {
  return mostHistoryTurns(historyTokens) + REACH_TURNS;
}

/**
 * Finished turns that fit, newest first; always whole turns, so that no tool result stands without its call. The newest few are shown also when they
 * are over the budget, up to twice of it, and the very newest always: a conversation must not lose its thread to one long result.
 *
 * Once turns have to go, some more go with them, down to three quarters of the budget: the window then begins at the same turn for many turns, and the
 * prompt's beginning stays the same bytes. Where it begins follows from the log alone, so a restart changes nothing.
 *
 * @param lastTurns Shows at most so many turns, and begins anew each turn.
 */
export function historyWindow(
  history: readonly LoggedTurn[],
  budgetTokens: number,
  lastTurns: number = Infinity,
): HistoryWindow {
  const asked = { oldest: history[0], newest: history.at(-1), length: history.length, budgetTokens, lastTurns };
  const known = windows.get(history);
  if (known && isSame(known.asked, asked)) return known.window;

  const most = Math.min(lastTurns, mostHistoryTurns(budgetTokens));
  const { oldest, settled } = reachOf(history, budgetTokens, most);
  const from = lastTurns === Infinity ? steadyStart(history, oldest, settled) : oldest;
  const window = {
    from,
    needs: Math.max(0, oldest - 1),
    get tokens() {
      return history.slice(from).reduce((sum, turn) => sum + turnTokens(turn), 0);
    },
  };
  windows.set(history, { asked, window });
  return window;
}

/** For what a window was found. Turns are added at the end and taken away, never changed. */
interface Asked {
  readonly oldest: LoggedTurn | undefined;
  readonly newest: LoggedTurn | undefined;
  readonly length: number;
  readonly budgetTokens: number;
  readonly lastTurns: number;
}

/** The last window of each history: it is asked for several times between two turns. */
const windows = new WeakMap<readonly LoggedTurn[], { readonly asked: Asked; readonly window: HistoryWindow }>();

function isSame(a: Asked, b: Asked): boolean {
  return (
    a.oldest === b.oldest &&
    a.newest === b.newest &&
    a.length === b.length &&
    a.budgetTokens === b.budgetTokens &&
    a.lastTurns === b.lastTurns
  );
}

/** @returns The oldest turn that may be shown, and the newest one that the window may begin with. */
function reachOf(history: readonly LoggedTurn[], budget: number, mostTurns: number) {
  const { length } = history;
  const first = Math.max(0, length - mostTurns);
  let settled = first === 0 ? 0 : length - Math.floor(mostTurns * KEPT_PART);
  if (surelyFit(history, first, budget)) return { oldest: first, settled };
  let left = budget;
  let oldest = length;
  let fitting = length;
  for (; oldest > first; oldest -= 1) {
    left -= turnTokens(history[oldest - 1]!);
    const place = length - oldest;
    const isKept = budget > 0 && (place === 0 || (place < MIN_TURNS && left >= -budget));
    if (left < 0 && !isKept) break;
    if (left >= budget * (1 - KEPT_PART)) fitting = oldest - 1;
  }
  if (oldest > first) settled = Math.max(settled, fitting);
  return { oldest, settled: Math.max(oldest, Math.min(settled, length - MIN_TURNS)) };
}

/**
 * Of the turns between the two, the one before which the log's sequence number crosses the roundest number in binary: that stays the same turn while the
 * two move on, until it is passed itself.
 */
function steadyStart(history: readonly LoggedTurn[], oldest: number, settled: number): number {
  if (oldest === 0 || oldest >= history.length) return oldest;
  let start = oldest;
  let roundest = Infinity;
  for (let index = oldest; index <= settled; index += 1) {
    const zeros = Math.clz32(endOf(history[index - 1]!) ^ endOf(history[index]!));
    if (zeros >= roundest) continue;
    roundest = zeros;
    start = index;
  }
  return start;
}

function endOf({ out }: LoggedTurn): number {
  return out?.seq ?? 0;
}

/** Most conversations are far below their budget, which their length shows; counting takes longer than all the rest of a prompt. */
function surelyFit(history: readonly LoggedTurn[], oldest: number, budget: number): boolean {
  let most = 0;
  for (let index = history.length - 1; index >= oldest && most <= budget; index -= 1)
    most += shownTurn(history[index]!).mostTokens;
  return most <= budget;
}

/** A finished turn as the prompt shows it. */
interface ShownTurn {
  readonly messages: readonly PromptMessage[];
  /** No estimate is higher. */
  readonly mostTokens: number;
  /** Estimated when it is first asked for. */
  tokens: number | undefined;
}

const shownTurns = new WeakMap<LoggedTurn, ShownTurn>();

/** A finished turn never changes, so its messages are made once. */
export function shownTurn(turn: LoggedTurn): ShownTurn {
  let found = shownTurns.get(turn);
  if (!found) {
    const messages = turnMessages(turn);
    const most = messages.reduce((sum, message) => sum + mostTokensByText(message), 0);
    found = { messages, mostTokens: most, tokens: undefined };
    shownTurns.set(turn, found);
  }
  return found;
}

/** Estimated tokens of a finished turn, counted once. */
export function turnTokens(turn: LoggedTurn): number {
  const found = shownTurn(turn);
  return (found.tokens ??= found.messages.reduce((sum, message) => sum + messageTokens(message), 0));
}
