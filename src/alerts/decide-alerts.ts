/** Subject of an alert. */
export type AlertRule = "job_failures" | "handler_errors" | "nothing_flushed";

/** Thresholds of alerts. */
export interface AlertLimits {
  /** Consecutive failed runs of one job. */
  readonly jobFailures: number;
  /** Errors of event handlers in one minute; more are reported. */
  readonly handlerErrorsPerMinute: number;
  /** Compactions in 24 hours of which memory saved nothing. */
  readonly compactionsWithoutFlush: number;
}

/** A job whose run has just failed. */
export interface FailedJob {
  readonly id: string;
  readonly name: string;
  /** Consecutive failed runs, including this one. */
  readonly failures: number;
  readonly error: string;
  /** Whether it was paused for that, which was already reported to its person and the owners. */
  readonly isPaused: boolean;
}

/** Input of the decision. */
export interface AlertFacts {
  readonly failedJob?: FailedJob;
  /** The newest errors of event handlers, oldest first. */
  readonly handlerErrors?: readonly { readonly handler: string; readonly atMs: number }[];
  /**
   * Times of compactions with flush enabled, oldest first, and when memory last saved, or already had, something of
   * one.
   */
  readonly compactions?: { readonly atMs: readonly number[]; readonly keptMs: number | undefined };
}

/** A problem that an owner can fix. */
export interface Alert {
  readonly rule: AlertRule;
  /** The same rule and subject are reported once a day. */
  readonly subject: string;
  /** Importance, 0 to 1. */
  readonly priority: number;
  /** When it began, if known; absent when only the log of the job's runs tells. */
  readonly sinceMs?: number;
  /** Values for its text. */
  readonly values: Readonly<Record<string, string | number>>;
}

/** Consecutive failed runs of one job. */
export const DEFAULT_JOB_FAILURES = 3;
/** Errors of event handlers in one minute. */
export const DEFAULT_HANDLER_ERRORS_PER_MINUTE = 10;
/** Compactions in 24 hours. */
export const DEFAULT_COMPACTIONS_WITHOUT_FLUSH = 5;

const MINUTE_MS = 60_000;
export const DAY_MS = 86_400_000;

/**
 * Decides which alerts are due. Sends nothing.
 *
 * Source: docs/alerts.md.
 */
export function decideAlerts(facts: AlertFacts, limits: AlertLimits, now: number): readonly Alert[] {
  return [
    ...jobFailures(facts.failedJob, limits),
    ...handlerErrors(facts.handlerErrors ?? [], limits, now),
    ...nothingFlushed(facts.compactions, limits, now),
  ];
}

function jobFailures(job: FailedJob | undefined, { jobFailures: most }: AlertLimits): readonly Alert[] {
  if (job === undefined || job.isPaused || job.failures < most) return [];
  const { id, name, failures: count, error } = job;
  return [{ rule: "job_failures", subject: id, priority: 0.8, values: { id, name, count, error } }];
}

function handlerErrors(
  errors: NonNullable<AlertFacts["handlerErrors"]>,
  { handlerErrorsPerMinute: most }: AlertLimits,
  now: number,
): readonly Alert[] {
  const recent = errors.filter(({ atMs }) => atMs > now - MINUTE_MS);
  const [first] = recent;
  if (first === undefined || recent.length <= most) return [];
  const handler = mostFrequent(recent.map((error) => error.handler));
  return [
    {
      rule: "handler_errors",
      subject: handler,
      priority: 0.8,
      sinceMs: first.atMs,
      values: { handler, count: recent.length },
    },
  ];
}

function nothingFlushed(
  compactions: AlertFacts["compactions"],
  { compactionsWithoutFlush: most }: AlertLimits,
  now: number,
): readonly Alert[] {
  if (compactions === undefined) return [];
  const { atMs, keptMs = -Infinity } = compactions;
  const recent = atMs.filter((at) => at > now - DAY_MS);
  const [sinceMs] = recent;
  if (sinceMs === undefined || recent.length < most || keptMs > now - DAY_MS) return [];
  return [{ rule: "nothing_flushed", subject: "memory", priority: 0.7, sinceMs, values: { count: recent.length } }];
}

/** The most frequent name; among equals the first. */
function mostFrequent(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}
