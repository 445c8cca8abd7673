// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** What the owners are told of by itself. Source: docs/alerts.md. */
export interface AlertOptions {
  /** Tell the owners when something is wrong that they can mend. Default true. */
  readonly enabled?: boolean;
  /** Failed runs of one job in a row that the owners are told of. Default 3. */
  readonly jobFailures?: number;
  /** Errors of event handlers in a minute; of more the owners are told. Default 10. */
  readonly handlerErrorsPerMinute?: number;
  /**
   * Conversations put into summaries within 24 hours, of which memory kept nothing, that the owners are told of.
   * Default 5.
   */
  readonly compactionsWithoutFlush?: number;
}
