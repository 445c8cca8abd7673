import { DAY_MS, timeOf } from "./entries.ts";
import type { Detection, PatternDetector, PatternEntry } from "./pattern.ts";
import { repeatedQuestion } from "./repeated-question.ts";
import { staleCommitment } from "./stale-commitment.ts";
import { timeRoutine } from "./time-routine.ts";
import { toolFailurePattern } from "./tool-failure.ts";
import { workflowSequence } from "./workflow-sequence.ts";

/** The same finding is not raised again for so long. */
export const RAISE_AGAIN_MS = 14 * DAY_MS;
/** Share of a finding's evidence that another one has already said something about. */
const SAME_EVIDENCE = 0.5;

/** The detectors that come with Wakeful. What an earlier one says of an entry a later one does not say again. */
export const PATTERN_DETECTORS: readonly PatternDetector[] = [
  staleCommitment,
  toolFailurePattern,
  workflowSequence,
  timeRoutine,
  repeatedQuestion,
];

/** Options of `detectPatterns`. */
export interface DetectPatternsOptions {
  /** A number is milliseconds since the epoch. Default: the time of the newest entry. */
  readonly now?: Date | number;
  /** IANA zone of the person. Default `UTC`. */
  readonly tz?: string;
  /** When findings were raised, milliseconds since the epoch, by their keys: for 14 days they are left out. Default none. */
  readonly seen?: Readonly<Record<string, number>>;
}

/**
 * What one person asks for again and again, what keeps failing, and what was promised and not done. A finding whose evidence is mostly that of an earlier detector's
 * finding is left out.
 *
 * Source: docs/patterns.md.
 *
 * @param entries Memory entries, or what is like them, of one person, in any order.
 * @param detectors Default: the five that come with Wakeful.
 * @returns In the order of the detectors, the surest first.
 */
export function detectPatterns(
  entries: readonly PatternEntry[],
  detectors: readonly PatternDetector[] = PATTERN_DETECTORS,
  { now: given, tz = "UTC", seen = {} }: DetectPatternsOptions = {},
): Detection[] {
  const now = Number(given ?? entries.reduce((newest, entry) => Math.max(newest, timeOf(entry)), 0));
  const sorted = entries
    .filter((entry) => timeOf(entry) <= now)
    .sort((one, other) => timeOf(one) - timeOf(other) || (one.id < other.id ? -1 : 1));
  const detections: Detection[] = [];
  const said = new Set<string>();
  for (const detector of detectors) {
    const found = [detector.detect(sorted, { now, tz }) ?? []].flat();
    const fresh = found.filter(
      ({ evidenceIds }) =>
        evidenceIds.filter((id) => said.has(id)).length < SAME_EVIDENCE * Math.max(1, evidenceIds.length),
    );
    for (const { evidenceIds } of fresh) for (const id of evidenceIds) said.add(id);
    const named = fresh.map((one) => ({ ...one, detector: detector.name, key: `${detector.name}:${one.subject}` }));
    detections.push(
      ...named
        .filter(({ key }) => !isRecent(seen[key], now))
        .sort((one, other) => other.confidence - one.confidence || (one.key < other.key ? -1 : 1))
        .map((one) => ({ ...one, suggestion: detector.suggest(one) })),
    );
  }
  return detections;
}

/** A time to come was noted before the clock was set back. */
function isRecent(raisedAt: number | undefined, now: number): boolean {
  return raisedAt !== undefined && now - raisedAt < RAISE_AGAIN_MS;
}
