// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** How long data is kept. Source: docs/privacy.md, "How long things are kept". */
export interface RetentionOptions {
  /** Days that lines of the audit log are kept; 0: forever. Default 0. */
  readonly audit?: number;
  /** Days that runs of jobs are kept; 0: forever. Default 0. */
  readonly runs?: number;
  /** Days that ended runs of workflows are kept; 0: forever. Default 90. */
  readonly workflows?: number;
  /** Days that ended sub-agents are kept; 0: forever. Default 30. */
  readonly subagents?: number;
  /** Days without a message after which a conversation is deleted, at least 8; 0: never. Default 0. */
  readonly sessions?: number;
  /** Days that artifacts are kept, the same as `artifacts.keepDays`; 0: forever. Default 30. */
  readonly artifacts?: number;
}
