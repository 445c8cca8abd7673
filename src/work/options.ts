// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** Token limits of unattended work; they never stop a conversation. */
export interface WorkBudgetOptions {
  /** Maximum tokens of all jobs on one day. Default 500_000. */
  readonly daily?: number;
  /** Maximum tokens of all jobs in one month. Default 5_000_000. */
  readonly monthly?: number;
  /** Maximum tokens on one day of the jobs of one person who is not an owner. Default 50_000. */
  readonly perPersonDaily?: number;
}

/** A job of the configuration. */
export interface JobTrigger {
  /** The job's name, which is also its id. */
  readonly name: string;
  /** Five fields of cron, a time in ISO 8601, or words such as `every weekday at 9`. */
  readonly schedule: string;
  /** Time zone of the schedule; default: the person's. */
  readonly timezone?: string;
  /** What to do, in words. */
  readonly task: string;
  /** The person whose job it is; `cli` is the person at the terminal and the page. */
  readonly user: string;
  /** Channel that results go to; default: the person's own channel. */
  readonly channel?: string;
  /** Chat on that channel; default: the person's direct chat. */
  readonly chat?: string;
  /** Where it runs: in the person's conversation, or each run in a session of its own. Default `main`. */
  readonly mode?: "main" | "isolated";
  /** How much of a result is sent. Default `full`. */
  readonly deliver?: "full" | "summary" | "none";
  /** Whether the owner is asked before each run. Default false. */
  readonly approvalRequired?: boolean;
}
