import type { Schedule } from "./schedule.ts";

/** What a rule made of the words that it found: a schedule, or what has to be asked first. */
export type Meaning = { readonly schedule: Schedule } | { readonly ask: string };

/** A way to say when, in one language. `null`: these words say something else. */
export interface TimeRule {
  readonly words: RegExp;
  read(groups: Readonly<Record<string, string | undefined>>, given: TimeGiven): Meaning | null;
}

/** What relative times and times of day are counted in. */
export interface TimeGiven {
  /** IANA zone. */
  readonly tz: string;
  /** Epoch milliseconds. */
  readonly now?: number;
}
