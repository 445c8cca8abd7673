import type { JsonValue } from "../../store/index.ts";

/** What of a memory entry a pattern is found in; a `MemoryEntry` is one. */
export interface PatternEntry {
  /** Of the entry; findings name it as their evidence. */
  readonly id: string;
  /** The entry's text. */
  readonly content: string;
  /** When it was made; a number is milliseconds since the epoch, a text ISO 8601. */
  readonly createdAt: Date | number | string;
  /** What the entry says of itself. Default nothing. */
  readonly slots?: Readonly<Record<string, JsonValue>>;
  /** Whose memory it is in. Default: not known, and all entries are of one person. */
  readonly userId?: string;
}

/** When and where entries are looked at. */
export interface PatternMoment {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA zone in which the person's days begin. */
  readonly tz: string;
}

/** What a detector has found. */
export interface FoundPattern<Data extends JsonValue = JsonValue> {
  /** What it is about: the same for the same habit, however many entries show it. */
  readonly subject: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** Ids of the entries that show it, oldest first. */
  readonly evidenceIds: readonly string[];
  /** How often it was seen; a merged entry counts as often as it was made. */
  readonly frequency: number;
  /** The language that the person speaks in the evidence. */
  readonly language: "en" | "zh";
  /** What `suggest` needs besides. */
  readonly data: Data;
}

/** What is done when the person says yes. */
export type PatternAction =
  /** Makes a job. `schedule`: five fields of cron, or words as `tomorrow at 09:00`. */
  | { readonly kind: "job"; readonly schedule: string; readonly tz: string; readonly task: string }
  /** Keeps the answer to a question in memory. */
  | { readonly kind: "remember"; readonly question: string; readonly answer?: string }
  /** Accepts a suggestion of a skill, by its id. */
  | { readonly kind: "skill"; readonly suggestion: string }
  /** Nothing: the person knows now. */
  | { readonly kind: "hint" };

/** What the person is told of a finding. */
export interface PatternSuggestion {
  /** One or two sentences, in the person's language. */
  readonly text: string;
  /** 0 to 1. */
  readonly priority: number;
  /** What a yes leads to. */
  readonly action: PatternAction;
}

/** Finds one kind of pattern. Source: docs/patterns.md, "A detector of your own". */
export interface PatternDetector<Data extends JsonValue = JsonValue> {
  /** Unique in a list of detectors, as `time_routine`. */
  readonly name: string;
  /**
   * Looks for the pattern in what one person said and did.
   * Contract: the same for the same entries and moment; it reads no clock and changes nothing.
   * @param entries Oldest first.
   */
  detect(
    entries: readonly PatternEntry[],
    moment: PatternMoment,
  ): FoundPattern<Data> | readonly FoundPattern<Data>[] | null;
  /** Says what could be done about it. Contract: as `detect`. */
  suggest(found: FoundPattern<Data>): PatternSuggestion;
}

/** A finding of `detectPatterns`. */
export interface Detection extends FoundPattern {
  /** Name of the detector. */
  readonly detector: string;
  /** Detector and subject: by it the same finding is known again. */
  readonly key: string;
  /** What the person could be told. */
  readonly suggestion: PatternSuggestion;
}

/** How much a suggestion matters: enough to be told, and more the surer it is. */
export function priorityOf(confidence: number): number {
  return Math.round((0.55 + 0.35 * confidence) * 100) / 100;
}
