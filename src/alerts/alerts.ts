import { calendarOf } from "../calendar.ts";
import type { Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import type { EventBus } from "../events/index.ts";
import type { Notice, Notify } from "../notice.ts";
import type { Runs } from "../schedule/index.ts";
import type { Store } from "../store/index.ts";
import type { Logger, Metrics } from "../telemetry/index.ts";
import {
  type Alert,
  type AlertFacts,
  type AlertLimits,
  DAY_MS,
  DEFAULT_COMPACTIONS_WITHOUT_FLUSH,
  DEFAULT_HANDLER_ERRORS_PER_MINUTE,
  DEFAULT_JOB_FAILURES,
  decideAlerts,
} from "./decide-alerts.ts";
import type { AlertOwner } from "./alert-owner.ts";
import type { AlertOptions } from "./options.ts";
import { alertText } from "./texts.ts";
import { shortened } from "../short-text.ts";

export interface AlertsDeps {
  readonly metrics: Pick<Metrics, "watch">;
  readonly events: Pick<EventBus, "subscribe">;
  readonly runs: Pick<Runs, "list">;
  readonly store: Pick<Store, "get" | "put">;
  readonly owner: AlertOwner;
  readonly notify: Notify;
  /** Withdraws notices to a person that are no longer true. */
  withdraw(user: string, isOver: (notice: Notice) => boolean): Promise<void>;
  readonly clock: Pick<Clock, "now">;
  readonly logger: Pick<Logger, "warn">;
}

export interface AlertSettings extends Omit<AlertOptions, "enabled"> {
  /** Whether memory saves something of a conversation before it is compacted. */
  readonly isFlushed: boolean;
}

const KEY = "alerts/compactions";
const FORMAT = 1;
/** Most compactions remembered, or the limit if that is higher; more in one day add nothing. */
const MAX_COMPACTIONS = 100;
/**
 * Runs of a job that are read to find its first failure. Grows up to `MAX_RUNS_LOOKED_AT` while skipped runs are in
 * between.
 */
const RUNS_LOOKED_AT = 50;
const MAX_RUNS_LOOKED_AT = 5000;
const MAX_ERROR_CHARS = 300;

/**
 * Tells the owner about problems that they can fix, once a day for each rule and subject.
 *
 * Source: docs/alerts.md.
 */
export function createAlerts(
  { metrics, events, runs, store, owner, notify, withdraw, clock, logger }: AlertsDeps,
  {
    isFlushed,
    jobFailures = DEFAULT_JOB_FAILURES,
    handlerErrorsPerMinute = DEFAULT_HANDLER_ERRORS_PER_MINUTE,
    compactionsWithoutFlush = DEFAULT_COMPACTIONS_WITHOUT_FLUSH,
  }: AlertSettings,
) {
  const limits: AlertLimits = { jobFailures, handlerErrorsPerMinute, compactionsWithoutFlush };
  /** Rules and subjects that were reported on `today`. */
  let told = new Set<string>();
  let today = "";
  let handlerErrors: readonly { readonly handler: string; readonly atMs: number }[] = [];
  let keptMs: number | undefined;
  let work = Promise.resolve();

  /** Runs one after another: the outcome of one decides whether the next is reported. */
  function look(facts: () => AlertFacts | Promise<AlertFacts>): void {
    work = work
      .then(async () => {
        for (const alert of decideAlerts(await facts(), limits, clock.now())) await tell(alert);
      })
      .catch((error: unknown) => logger.warn("An alert could not be told", { error: messageOf(error) }));
  }

  /**
   * Ends the alert of a job that works again, or was paused, which is reported separately. Withdraws what is held until
   * morning.
   */
  async function endJobFailures(job: string): Promise<AlertFacts> {
    const key = `job_failures:${job}`;
    await withdraw(owner.user(), ({ dedupeKey }) => dedupeKey === `alert:${key}`);
    told.delete(key);
    return {};
  }

  async function tell(alert: Alert): Promise<void> {
    const { rule, subject, priority, values } = alert;
    const now = clock.now();
    const day = calendarOf("UTC").dayOf(now);
    if (day !== today) [today, told] = [day, new Set()];
    const key = `${rule}:${subject}`;
    if (told.has(key)) return;
    const failingMs = alert.sinceMs === undefined ? await failingSince(subject, Number(values["count"])) : undefined;
    const sinceMs = alert.sinceMs ?? failingMs ?? now;
    const user = owner.user();
    const since = calendarOf(owner.timezoneOf(user)).show(sinceMs);
    await notify({
      user,
      // A job that succeeded in between gets a new alert.
      id: `alert:${key}:${day}${failingMs === undefined ? "" : `:${failingMs}`}`,
      type: "alert",
      text: alertText(rule, { language: owner.languageOf(user) }, { ...values, since }),
      sessionKey: owner.sessionOf(user),
      priority,
      dedupeKey: `alert:${key}`,
    });
    told.add(key);
  }

  /** Time of the first of a job's newest failed runs. */
  async function failingSince(job: string, failures: number): Promise<number | undefined> {
    for (let limit = RUNS_LOOKED_AT; ; limit *= 10) {
      const found = await runs.list(job, limit);
      const failed = found.filter(({ status }) => status === "failed").slice(0, failures);
      if (failed.length < failures && found.length === limit && limit < MAX_RUNS_LOOKED_AT) continue;
      return failed.at(-1)?.planned.getTime();
    }
  }

  /** Compactions of the last day, including the current one and those of an earlier process. */
  async function compactions(): Promise<AlertFacts> {
    const now = clock.now();
    const kept = (await store.get(KEY))?.value as
      | { readonly at?: readonly number[]; readonly kept?: number }
      | undefined;
    const most = Math.max(MAX_COMPACTIONS, limits.compactionsWithoutFlush);
    const atMs = [...(kept?.at ?? []).filter((at) => at > now - DAY_MS), now].slice(-most);
    keptMs = Math.max(keptMs ?? 0, kept?.kept ?? 0);
    await store.put(KEY, { v: FORMAT, at: atMs, kept: keptMs });
    return { compactions: { atMs, keptMs } };
  }

  const wasKept = (entries: number) => {
    if (entries > 0) keptMs = clock.now();
  };
  const stops = [
    events.subscribe(
      "job.ended",
      ({ payload: { id, name, status, reason = "", consecFailures, paused = false } }) => {
        if (paused || (status === "success" && consecFailures === 0)) look(() => endJobFailures(id));
        if (status !== "failed") return;
        const error = shortened(reason, MAX_ERROR_CHARS);
        look(() => ({ failedJob: { id, name, error, failures: consecFailures, isPaused: paused } }));
      },
      { name: "alerts" },
    ),
    metrics.watch("event.bus.handler_error_total", (_, { handler_name: handler = "" }) => {
      // One more than the limit is enough to report.
      handlerErrors = [...handlerErrors, { handler, atMs: clock.now() }].slice(-limits.handlerErrorsPerMinute - 1);
      if (handlerErrors.length > limits.handlerErrorsPerMinute) look(() => ({ handlerErrors }));
    }),
    ...(isFlushed
      ? [
          metrics.watch("memory.flush.saved_total", wasKept),
          metrics.watch("memory.flush.skipped_dedup_total", wasKept),
          metrics.watch("compaction.flush_turn_total", (times, { outcome }) => {
            if (outcome === "kept") wasKept(times);
          }),
          metrics.watch("compaction.run_total", () => look(compactions)),
        ]
      : []),
  ];

  return {
    /** Resolves when all that was noticed is reported. */
    async stop(): Promise<void> {
      for (const stop of stops) stop();
      await work;
    },
  };
}
