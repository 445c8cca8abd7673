import { type JsonValue, isObject } from "../store/index.ts";

/** Usage of several calls. */
export interface UsageTotals {
  /** Model calls. */
  readonly calls: number;
  /** Tokens of prompts, including cached ones. */
  readonly inputTokens: number;
  /** Tokens of answers. */
  readonly outputTokens: number;
  /** Input tokens that came from the provider's cache. */
  readonly cachedInputTokens: number;
  /** In the currency of the prices. Calls of models without a price count as 0. */
  readonly cost: number;
}

/** Usage of a day in the assistant's time zone. */
export interface DayUsage {
  /** `2026-11-22`. */
  readonly day: string;
  /** All calls of the day. */
  readonly total: UsageTotals;
  /** By `provider/model`. */
  readonly models: { readonly [model: string]: UsageTotals };
  /** By user, as `channel:id`. */
  readonly users: { readonly [user: string]: UsageTotals };
}

/** Usage of the models by day. */
export interface UsageSummary {
  /** Newest first; days without a call are left out. */
  readonly days: readonly DayUsage[];
  /** The current day so far. */
  readonly today: UsageTotals;
  /** The current month so far. */
  readonly month: UsageTotals;
}

export const NOTHING: UsageTotals = { calls: 0, inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, cost: 0 };
/** Models, and users, that a day counts separately. Further ones count as `other`. */
const MAX_NAMES = 500;

export function sum(one: UsageTotals, other: UsageTotals): UsageTotals {
  return {
    calls: one.calls + other.calls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    cost: one.cost + other.cost,
  };
}

/** The sums of one day. */
export interface DayTotals {
  add(model: string, user: string, used: UsageTotals, purpose?: string): void;
  total(): UsageTotals;
  /** Tokens of work that no person asked for at that moment: of one user, or of all. */
  unattended(user?: string): number;
  unattendedByUser(): Readonly<Record<string, number>>;
  view(): Omit<DayUsage, "day">;
}

export function createDayTotals(saved?: JsonValue): DayTotals {
  const { models, users, unattended: spent } = isObject(saved) ? saved : {};
  const unattended = new Map(
    Object.entries(isObject(spent) ? spent : {}).map(([name, tokens]) => [name, Number(tokens) || 0]),
  );
  const [byModel, byUser] = [savedMap(models), savedMap(users)];
  let total = [...byModel.values()].reduce(sum, NOTHING);

  return {
    add(model, user, used, purpose) {
      if (purpose !== undefined) {
        const name = unattended.has(user) || unattended.size < MAX_NAMES ? user : "other";
        unattended.set(name, (unattended.get(name) ?? 0) + used.inputTokens + used.outputTokens);
      }
      total = sum(total, used);
      count(byModel, model, used);
      count(byUser, user, used);
    },
    total: () => total,
    unattended: (user) =>
      user === undefined
        ? [...unattended.values()].reduce((all, tokens) => all + tokens, 0)
        : (unattended.get(user) ?? 0),
    unattendedByUser: () => Object.fromEntries(unattended),
    view: () => ({ total, models: Object.fromEntries(byModel), users: Object.fromEntries(byUser) }),
  };
}

function count(totals: Map<string, UsageTotals>, name: string, used: UsageTotals): void {
  const key = totals.has(name) || totals.size < MAX_NAMES ? name : "other";
  totals.set(key, sum(totals.get(key) ?? NOTHING, used));
}

function savedMap(saved: JsonValue | undefined): Map<string, UsageTotals> {
  return new Map(Object.entries(isObject(saved) ? saved : {}).map(([name, totals]) => [name, totalsOf(totals)]));
}

/** Reads stored totals; invalid numbers count as 0. */
export function totalsOf(value: JsonValue | undefined): UsageTotals {
  const saved = isObject(value) ? value : {};
  const at = (name: keyof UsageTotals) => {
    const number = saved[name];
    return typeof number === "number" && Number.isFinite(number) && number > 0 ? number : 0;
  };
  return {
    calls: at("calls"),
    inputTokens: at("inputTokens"),
    outputTokens: at("outputTokens"),
    cachedInputTokens: at("cachedInputTokens"),
    cost: at("cost"),
  };
}
