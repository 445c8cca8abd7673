// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** What unattended work may spend; conversations are never stopped by it. */
export interface WorkBudgetOptions {
  /** Tokens that all jobs may use on one day. Default 500_000. */
  readonly daily?: number;
  /** Tokens that all jobs may use in one month. Default 5_000_000. */
  readonly monthly?: number;
  /** Tokens that the jobs of one person who is no owner may use on one day. Default 50_000. */
  readonly perPersonDaily?: number;
}

/** A job of the configuration. */
export interface JobTrigger {
  /** Its name, which is its id. */
  readonly name: string;
  /** Five fields of cron, a time in ISO 8601, or words as `every weekday at 9`. */
  readonly schedule: string;
  /** Zone of its schedule; when left out, that of the person. */
  readonly timezone?: string;
  /** What is to be done, in words. */
  readonly task: string;
  /** Whose job it is; `cli` is the person at the terminal and the page. */
  readonly user: string;
  /** Where its results go; when left out, the person's own channel. */
  readonly channel?: string;
  /** The chat there; when left out, the person's direct chat. */
  readonly chat?: string;
  /** In the person's conversation, or in a session of each run's own. Default `main`. */
  readonly mode?: "main" | "isolated";
  /** What is sent of a result. Default `full`. */
  readonly deliver?: "full" | "summary" | "none";
  /** Whether the owner is asked before each run. Default false. */
  readonly approvalRequired?: boolean;
}
