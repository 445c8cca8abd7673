import type { JsonValue } from "../../store/index.ts";

/** The part of a memory entry that detectors read. A `MemoryEntry` is one. */
export interface PatternEntry {
  /** The entry's id. Findings name it as their evidence. */
  readonly id: string;
  /** The entry's text. */
  readonly content: string;
  /** When the entry was made: a Date, milliseconds since the epoch, or an ISO 8601 text. */
  readonly createdAt: Date | number | string;
  /** The entry's metadata. Default none. */
  readonly slots?: Readonly<Record<string, JsonValue>>;
  /** The user whose memory holds the entry. Default: unknown, and all entries belong to one person. */
  readonly userId?: string;
}

/** The time and time zone for a detection. */
export interface PatternMoment {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA time zone in which the person's days begin. */
  readonly tz: string;
}

/** The result of a detector. */
export interface FoundPattern<Data extends JsonValue = JsonValue> {
  /** What the pattern is about. The same habit has the same subject, however many entries show it. */
  readonly subject: string;
  /** Confidence, 0 to 1. */
  readonly confidence: number;
  /** Ids of the entries that show the pattern, oldest first. */
  readonly evidenceIds: readonly string[];
  /** How often the pattern was seen. A merged entry counts once for each entry merged into it. */
  readonly frequency: number;
  /** The language of the person in the evidence. */
  readonly language: "en" | "zh";
  /** Further data for `suggest`. */
  readonly data: Data;
}

/** What a yes of the person leads to. */
export type PatternAction =
  /** Creates a job. `schedule`: five cron fields, or words as `tomorrow at 09:00`. */
  | { readonly kind: "job"; readonly schedule: string; readonly tz: string; readonly task: string }
  /** Stores the answer to a question in memory. */
  | { readonly kind: "remember"; readonly question: string; readonly answer?: string }
  /** Accepts the suggestion of a skill, by its id. */
  | { readonly kind: "skill"; readonly suggestion: string }
  /** Does nothing: the person now knows. */
  | { readonly kind: "hint" };

/** The text that the person is shown for a finding, and its action. */
export interface PatternSuggestion {
  /** One or two sentences, in the person's language. */
  readonly text: string;
  /** Priority, 0 to 1. */
  readonly priority: number;
  /** What a yes leads to. */
  readonly action: PatternAction;
}

/** Finds one kind of pattern. Source: docs/patterns.md, "A detector of your own". */
export interface PatternDetector<Data extends JsonValue = JsonValue> {
  /** Name, unique in a list of detectors, as `time_routine`. */
  readonly name: string;
  /**
   * Looks for the pattern in one person's entries.
   * Contract: pure. The same entries and moment give the same result; it reads no clock and changes nothing.
   * @param entries Oldest first.
   */
  detect(
    entries: readonly PatternEntry[],
    moment: PatternMoment,
  ): FoundPattern<Data> | readonly FoundPattern<Data>[] | null;
  /** Returns the suggestion for a finding. Contract: pure, as `detect`. */
  suggest(found: FoundPattern<Data>): PatternSuggestion;
}

/** A finding of `detectPatterns`. */
export interface Detection extends FoundPattern {
  /** Name of the detector. */
  readonly detector: string;
  /** Detector and subject. Identifies the finding when it is detected again. */
  readonly key: string;
  /** What to tell the person. */
  readonly suggestion: PatternSuggestion;
}

/** Priority of a suggestion: 0.55 to 0.9, rising with confidence. */
export function priorityOf(confidence: number): number {
  return Math.round((0.55 + 0.35 * confidence) * 100) / 100;
}
