// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** How long things are kept. Source: docs/privacy.md, "How long things are kept". */
export interface RetentionOptions {
  /** Days that lines of the audit log are kept; 0: for ever. Default 0. */
  readonly audit?: number;
  /** Days that runs of jobs are kept; 0: for ever. Default 0. */
  readonly runs?: number;
  /** Days that runs of workflows are kept which have ended; 0: for ever. Default 90. */
  readonly workflows?: number;
  /** Days that sub-agents are kept which have ended; 0: for ever. Default 30. */
  readonly subagents?: number;
  /** Days after which a conversation goes in which nothing was said, no less than 8; 0: never. Default 0. */
  readonly sessions?: number;
  /** Days that artifacts are kept, as `artifacts.keepDays` says too; 0: for ever. Default 30. */
  readonly artifacts?: number;
}
