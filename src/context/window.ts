import type { LoggedTurn } from "../session/index.ts";
import { messageTokens, mostTokensByText } from "./tokens.ts";
import { type PromptMessage, turnMessages } from "./turn-messages.ts";

export const DEFAULT_HISTORY_TOKENS = 16_000;
/** Turns that are shown even over the budget. */
const MIN_TURNS = 8;
/** Share of a full window that stays when older turns leave it. */
const KEPT_PART = 3 / 4;
const MAX_TURNS = 160;
const MIN_TURN_TOKENS = 100;
/** A turn may answer messages that lie at most this many turns before it in the log. */
const REACH_TURNS = 40;

/** The earlier turns that a prompt shows. */
export interface HistoryWindow {
  /** Index of the first turn that is shown. */
  readonly from: number;
  /** Turns before this index may be dropped: no later window needs them. */
  readonly needs: number;
  /** Estimated on access. */
  readonly tokens: number;
}

/** Most turns that a prompt shows, however short they are. */
function mostHistoryTurns(historyTokens: number = DEFAULT_HISTORY_TOKENS): number {
  return Math.max(MAX_TURNS, Math.ceil(historyTokens / MIN_TURN_TOKENS));
}

/** The largest history, in tokens, that the assistant or any of its channels shows. */
export function mostHistoryTokens(contexts: readonly ({ readonly historyTokens?: number } | undefined)[]): number {
  return Math.max(...contexts.map((one) => one?.historyTokens ?? DEFAULT_HISTORY_TOKENS));
}

/** Turns of a session that must be loaded, so that its window is unchanged and every turn in it complete. */
export function loadedHistoryTurns(historyTokens: number = DEFAULT_HISTORY_TOKENS): number {
  return mostHistoryTurns(historyTokens) + REACH_TURNS;
}

/**
 * The newest finished turns that fit. Always complete turns, so that no tool result loses its call. The newest few
 * are shown even over the budget, up to twice the budget, and the very newest always: one long result must not
 * cost a conversation its thread.
 *
 * When turns have to leave, further ones leave with them, down to three quarters of the budget. The window then
 * begins at the same turn for many turns, and the prompt's beginning stays byte-identical. The start depends only on
 * the log, so a restart changes nothing.
 *
 * @param lastTurns Shows at most this many turns, with a new start each turn.
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

/** The inputs of a window. Turns are appended and removed, never changed. */
interface Asked {
  readonly oldest: LoggedTurn | undefined;
  readonly newest: LoggedTurn | undefined;
  readonly length: number;
  readonly budgetTokens: number;
  readonly lastTurns: number;
}

/** Cache of each history's last window, which is needed several times between two turns. */
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

/** @returns `oldest`: the oldest turn that may be shown. `settled`: the newest turn that the window may begin with. */
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
 * The turn between `oldest` and `settled` before which the log's sequence number crosses the roundest binary number.
 * It stays the same while both bounds move on, until `oldest` passes it.
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

/** Whether the history fits by its length alone. Most do, and counting takes longer than the rest of a prompt. */
function surelyFit(history: readonly LoggedTurn[], oldest: number, budget: number): boolean {
  let most = 0;
  for (let index = history.length - 1; index >= oldest && most <= budget; index -= 1)
    most += shownTurn(history[index]!).mostTokens;
  return most <= budget;
}

/** A finished turn as the prompt shows it. */
interface ShownTurn {
  readonly messages: readonly PromptMessage[];
  /** Upper bound of the estimate. */
  readonly mostTokens: number;
  /** Estimated on first access. */
  tokens: number | undefined;
}

const shownTurns = new WeakMap<LoggedTurn, ShownTurn>();

/** Messages of a finished turn, which never changes, so they are built once. */
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
