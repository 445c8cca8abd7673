import type { Schedule } from "./schedule.ts";

/** Meaning of the words that a rule matched: a schedule, or a question to ask first. */
export type Meaning = { readonly schedule: Schedule } | { readonly ask: string };

/** A pattern for times in one language. `read` returns `null` when the words mean something else. */
export interface TimeRule {
  readonly words: RegExp;
  read(groups: Readonly<Record<string, string | undefined>>, given: TimeGiven): Meaning | null;
}

/** Context for relative times and times of day. */
export interface TimeGiven {
  /** IANA zone. */
  readonly tz: string;
  /** Epoch milliseconds. */
  readonly now?: number;
}
