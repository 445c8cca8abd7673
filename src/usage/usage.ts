import { calendarOf, dayAfter } from "../calendar.ts";
import type { Clock } from "../clock.ts";
import { AssistantError, messageOf } from "../errors.ts";
import type { EventBus } from "../events/index.ts";
import type { Usage } from "../reply.ts";
import type { LogRecord, Store } from "../store/index.ts";
import { type Logger, type Metrics, silentLogger } from "../telemetry/index.ts";
import { type BudgetState, type BudgetUse, budgetUses, describeBudget } from "./budget.ts";
import { type Day, FORMAT, createDayStore, lineOf, newDay } from "./day-store.ts";
import type { Budget, ModelPrice } from "./options.ts";
import { costOf } from "./price.ts";
import { NOTHING, type UsageSummary, type UsageTotals, sum, totalsOf } from "./totals.ts";

/** The usage of one answer. */
export interface ModelUse {
  /** `provider/model`. */
  readonly model: string;
  /** The user that the call was for, as `channel:id`. */
  readonly user: string;
  /** The session that the call was made for. */
  readonly sessionKey: string;
  /** As the provider reported it. */
  readonly usage: Usage;
  /** Set for work that no person asked for at this moment, which has its own budget. */
  readonly purpose?: "job" | "heartbeat" | "memory" | undefined;
}

/** Tokens of work that no person asked for at that moment. */
export interface UnattendedUse {
  readonly dayTokens: number;
  readonly monthTokens: number;
  /** Today's tokens for one user. */
  readonly personDayTokens: number;
}

/** Options of `createUsage`. */
export interface UsageOptions {
  /** Stores the counts, as a log and a document per day. */
  readonly store: Store;
  /** Determines the current day and month. */
  readonly clock: Pick<Clock, "now">;
  /** IANA name of the time zone of days and months. */
  readonly timezone: string;
  /** By `provider/model`. */
  readonly prices?: { readonly [model: string]: ModelPrice };
  /** Default: no limit. */
  readonly budget?: Budget | undefined;
  /** Names of all models that may be asked. With a budget in money, each needs a price. */
  readonly models?: readonly string[];
  /** Counts the cost of calls (`turn.cost_total`). Default: nothing is counted. */
  readonly metrics?: Pick<Metrics, "increment">;
  /** Default: silent. */
  readonly logger?: Pick<Logger, "warn" | "error">;
  /** Receives `usage.budget`. Default: no event is published. */
  readonly events?: Pick<EventBus, "has" | "publishAsync">;
}

/**
 * Counts the usage of models and checks budgets. In memory all calls count at once. In the store each call
 * is a line of `usage/<day>.jsonl`, written without its own fsync: a killed process loses none, a power
 * failure at most the last moments.
 *
 * Source: docs/models-failures.md, "Budgets".
 */
export interface UsageRecorder {
  /** Reads the current month, once. Contract: called before the first `check`; what was recorded earlier counts too. */
  load(): Promise<void>;
  /** Counts an answer. Contract: never throws and never waits. */
  record(use: ModelUse): void;
  /** The cost of a model's tokens; `undefined` if its price is unknown. */
  priceOf(model: string, usage: Usage): number | undefined;
  /** Whether a model may be asked. Contract: reads from memory, so it can run before every model call. */
  check(): BudgetState;
  /** Usage of each configured budget. */
  uses(): readonly BudgetUse[];
  /**
   * Usage of work that no person asked for at that moment. Contract: reads from memory; usage before the last start
   * counts after `load` has resolved.
   */
  unattended(user: string): UnattendedUse;
  /**
   * Usage by day, with the sums of today and of the month.
   * @param options.days Days including today, 1 to 92; default 7.
   */
  summary(options?: { readonly days?: number }): Promise<UsageSummary>;
  /**
   * Puts another name in the place of people's, in all days. The sums stay.
   * @param isTheirSession What others used in such a conversation, as an automation, keeps its user and loses the conversation.
   */
  rename(isTheirs: (user: string) => boolean, to: string, isTheirSession?: (session: string) => boolean): Promise<void>;
  /** Waits until everything is in the store; before that is closed. */
  settled(): Promise<void>;
}

/** Lines that wait while the store fails. Further ones count only in memory. */
const MAX_WAITING = 10_000;
const MAX_IN_ONE_WRITE = 200;
/** Most lines of a day that are read again at a start: the sums are saved after this many. */
const LINES_BETWEEN_SAVES = 500;
/** Days whose lines are kept. Older days keep only their sums. */
const DAYS_OF_LINES = 7;
const OPEN: BudgetState = { ok: true };
const SHARES = [0.8, 1] as const;

/**
 * Creates the recorder of tokens and costs.
 * @throws {AssistantError} `OPTION_INVALID` if there is a budget in money and a model without a price,
 * because its calls would not count.
 */
export function createUsage(options: UsageOptions): UsageRecorder {
  const { store, clock, timezone, prices = {}, budget = {}, metrics, logger = silentLogger, events } = options;
  requirePrices(budget, options.models ?? [], prices);
  const calendar = calendarOf(timezone);
  const dayStore = createDayStore(store, logger);
  const isLimited = budget.daily !== undefined || budget.monthly !== undefined;
  const days = new Map<string, Day>();
  const waiting: { readonly day: Day; readonly line: LogRecord }[] = [];
  /** Shares of budgets that were reported, and models that report no tokens. */
  const told = new Set<string>();
  let today = newDay(calendar.dayOf(clock.now()));
  let monthTotal = NOTHING;
  let writing: Promise<void> = Promise.resolve();
  let isWriting = false;
  /** Whether the log has lines of other processes that the sums lack. */
  let isStale = false;
  let lost = 0;
  days.set(today.name, today);

  function add(day: Day, model: string, user: string, used: UsageTotals, purpose?: string): void {
    day.totals.add(model, user, used, purpose);
    if (day.name.slice(0, 7) === today.name.slice(0, 7)) monthTotal = sum(monthTotal, used);
  }

  /** Switches to the new day, if there is one. */
  function turnOver(): void {
    const name = calendar.dayOf(clock.now());
    if (name === today.name) return;
    const before = today;
    today = days.get(name) ?? newDay(name);
    const isNewMonth = name.slice(0, 7) !== before.name.slice(0, 7);
    if (isNewMonth) {
      days.clear();
      told.clear();
      monthTotal = today.totals.total();
    }
    days.set(name, today);
    // Other processes can have begun the month. After the clock was set back, the month has been counted before.
    if (isNewMonth) keep(readMonth);
    if (before.seq > 0) keep(() => tidy(before));
  }

  const usesNow = () => budgetUses(budget, { daily: today.totals.total(), monthly: monthTotal });
  const untilOf = ({ budget: period }: BudgetUse) => calendar.endOf(period === "daily" ? "day" : "month", clock.now());

  /** Reports each budget once at 80 % and once when it is used up. */
  function tell(isSilent: boolean): void {
    for (const use of usesNow()) {
      for (const share of SHARES) {
        const key = `${use.budget === "daily" ? today.name : "month"} ${use.kind} ${share}`;
        if (!reaches(use, share) || told.has(key)) continue;
        told.add(key);
        if (isSilent) continue;
        logger.warn(
          share === 1
            ? `No model is called: ${describeBudget(use)} is used up`
            : `80 % of ${describeBudget(use)} is used`,
          { used: use.used, limit: use.limit },
        );
        if (!events?.has("usage.budget")) continue;
        const payload = { ...use, share, untilMs: untilOf(use) };
        events.publishAsync({ type: "usage.budget", sessionId: null, timestamp: clock.now(), payload });
      }
    }
  }

  /** Runs work one after another and never rejects, because the callers do not wait. */
  function keep(work: () => Promise<void>): void {
    writing = writing.then(work).catch((error: unknown) => {
      logger.error("Usage could not be written; it counts in memory, and is written later", {
        error: messageOf(error),
      });
    });
  }

  async function write(): Promise<void> {
    if (isStale) await readMonth();
    for (let [first] = waiting; first !== undefined; [first] = waiting) {
      const { day } = first;
      const other = waiting.findIndex((entry) => entry.day !== day);
      const batch = waiting.slice(0, Math.min(other === -1 ? waiting.length : other, MAX_IN_ONE_WRITE));
      const seq = await dayStore.append(
        day,
        batch.map(({ line }) => line),
      );
      waiting.splice(0, batch.length);
      try {
        // Lines that another process wrote before these.
        for await (const line of dayStore.linesUntil(day, seq - batch.length)) add(day, ...line);
      } catch (error) {
        isStale = true;
        throw error;
      } finally {
        day.seq = seq;
      }
      if (seq - day.savedSeq >= LINES_BETWEEN_SAVES) await save(day);
    }
  }

  /** Saves a day's sums. Skips a day with waiting lines, which are in its sums but not in its log. */
  async function save(day: Day): Promise<void> {
    if (!isStale && !waiting.some((entry) => entry.day === day)) await dayStore.save(day);
  }

  /** Recounts the month. Everything recorded so far is in the log or waits, and both are counted. */
  async function readMonth(): Promise<void> {
    turnOver();
    let isMissing = false;
    const month = today.name.slice(0, 7);
    for (const name of await dayStore.daysOf(month)) {
      const day = await dayStore.read(name);
      if (day === null) {
        isMissing ||= name === today.name;
        continue;
      }
      const before = days.get(name);
      days.set(name, day);
      if (before === undefined) continue;
      for (const [index, { day: of, line }] of waiting.entries()) {
        if (of !== before) continue;
        day.totals.add(...lineOf(line));
        waiting[index] = { day, line };
      }
      if (before === today) today = day;
    }
    monthTotal = [...days.values()]
      .filter(({ name }) => name.startsWith(month))
      .reduce((total, day) => sum(total, day.totals.total()), NOTHING);
    isStale = isMissing;
    tell(true);
  }

  /** Saves the sums of a finished day, and removes old logs. */
  async function tidy(over?: Day): Promise<void> {
    if (over) await save(over);
    await dayStore.forgetLinesBefore(dayAfter(today.name, -DAYS_OF_LINES));
  }

  let loading: Promise<void> | undefined;

  function load(): Promise<void> {
    return (loading ??= readOnce().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  }

  async function readOnce(): Promise<void> {
    const reading = writing.then(readMonth);
    writing = reading.catch(() => undefined);
    await reading;
    keep(() => tidy());
  }

  return {
    load,

    priceOf(model, tokens) {
      const price = Object.hasOwn(prices, model) ? prices[model] : undefined;
      return price === undefined ? undefined : costOf(tokens, price);
    },

    record({ model, user, sessionKey, usage, purpose }) {
      turnOver();
      const { inputTokens, outputTokens, cachedInputTokens = 0 } = usage;
      // Before pricing: one invalid number would make the whole call free.
      const counted = totalsOf({ calls: 1, inputTokens, outputTokens, cachedInputTokens });
      const price = Object.hasOwn(prices, model) ? prices[model] : undefined;
      const cost = price === undefined ? 0 : costOf(counted, price);
      const used = { ...counted, cost };
      add(today, model, user, used, purpose);
      if (cost > 0) metrics?.increment("turn.cost_total", undefined, cost);
      if (isLimited) {
        tell(false);
        if (used.inputTokens + used.outputTokens === 0 && !told.has(model)) {
          told.add(model);
          logger.warn("A model reports no tokens, so its calls do not count in any budget", { model });
        }
      }
      if (waiting.length >= MAX_WAITING) {
        if (lost++ === 0) logger.error("The store takes no usage: from now on it counts in memory only", {});
        return;
      }
      const at = new Date(clock.now()).toISOString();
      const { calls: _calls, ...counts } = used;
      waiting.push({
        day: today,
        line: { v: FORMAT, at, model, user, session: sessionKey, ...(purpose && { purpose }), ...counts },
      });
      if (isWriting) return;
      isWriting = true;
      keep(() => write().finally(() => void (isWriting = false)));
    },

    check() {
      if (!isLimited) return OPEN;
      turnOver();
      const over = usesNow().filter((use) => reaches(use, 1));
      const [first] = over;
      if (first === undefined) return OPEN;
      // The budget that stays closed longest.
      const use = over.find(({ budget: period }) => period === "monthly") ?? first;
      const untilMs = untilOf(use);
      const opensAt = calendar.show(untilMs);
      const reason = `No model is called: ${describeBudget(use)} is used up (${Number(use.used.toFixed(6))} so far). It opens again at ${opensAt} (${timezone})`;
      return { ok: false, ...use, reason, untilMs, opensAt };
    },

    uses() {
      turnOver();
      return usesNow();
    },

    unattended(user) {
      turnOver();
      const month = today.name.slice(0, 7);
      const ofMonth = [...days.values()].filter(({ name }) => name.startsWith(month));
      return {
        dayTokens: today.totals.unattended(),
        monthTokens: ofMonth.reduce((total, day) => total + day.totals.unattended(), 0),
        personDayTokens: today.totals.unattended(user),
      };
    },

    async summary({ days: count = 7 } = {}) {
      await load();
      turnOver();
      const found = [];
      for (let back = 0; back < Math.min(92, Math.max(1, count)); back += 1) {
        const name = dayAfter(today.name, -back);
        const totals = (days.get(name) ?? (await dayStore.read(name)))?.totals;
        if (totals && totals.total().calls > 0) found.push({ day: name, ...totals.view() });
      }
      return { days: found, today: today.totals.total(), month: monthTotal };
    },

    async rename(isTheirs, to, isTheirSession) {
      // The sums of a day that is over are saved with their old names now, and not behind the renaming.
      turnOver();
      const renaming = writing.then(async () => {
        await write();
        await dayStore.rename(isTheirs, to, isTheirSession);
        await readMonth();
      });
      writing = renaming.catch(() => undefined);
      await renaming;
    },

    async settled() {
      keep(async () => {
        await write();
        for (const day of days.values()) await save(day);
      });
      await writing;
    },
  };
}

/** Tolerates floating-point error: ten times 0.1 is slightly less than 1, and counts as 1 here. */
function reaches({ used, limit }: BudgetUse, share: number): boolean {
  return used >= limit * share * (1 - 1e-9);
}

function requirePrices(budget: Budget, models: readonly string[], prices: Readonly<Record<string, ModelPrice>>): void {
  const period = (["daily", "monthly"] as const).find((one) => budget[one]?.cost !== undefined);
  const without = models.filter((model) => !Object.hasOwn(prices, model));
  if (period === undefined || without.length === 0) return;
  throw new AssistantError(
    "OPTION_INVALID",
    `Invalid option budget.${period}.cost: ${without.join(", ")} has no price, so its calls would count as 0: set modelInfo (in the file: price of the model) as { ${JSON.stringify(without[0])}: { price: { input: 1, output: 4 } } } per million tokens, 0 for a free model, or set budget.${period}.tokens instead`,
  );
}
