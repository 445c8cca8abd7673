// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** Alerts to the owners when something is wrong. Source: docs/alerts.md. */
export interface AlertOptions {
  /** Whether the owners are told about problems that they can fix. Default true. */
  readonly enabled?: boolean;
  /** Consecutive failed runs of one job after which the owners are alerted. Default 3. */
  readonly jobFailures?: number;
  /** Errors of event handlers per minute above which the owners are alerted. Default 10. */
  readonly handlerErrorsPerMinute?: number;
  /** Compactions within 24 hours from which memory stored nothing, after which the owners are alerted. Default 5. */
  readonly compactionsWithoutFlush?: number;
}
