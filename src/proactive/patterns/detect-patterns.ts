import { DAY_MS, timeOf } from "./entries.ts";
import type { Detection, PatternDetector, PatternEntry } from "./pattern.ts";
import { repeatedQuestion } from "./repeated-question.ts";
import { staleCommitment } from "./stale-commitment.ts";
import { timeRoutine } from "./time-routine.ts";
import { toolFailurePattern } from "./tool-failure.ts";
import { workflowSequence } from "./workflow-sequence.ts";

/** Minimum time before the same finding is raised again: 14 days. */
export const RAISE_AGAIN_MS = 14 * DAY_MS;
/** Share of a finding's evidence that an earlier finding must already use for the finding to be left out. */
const SAME_EVIDENCE = 0.5;

/** The built-in detectors, in order of precedence: a later one does not report what an earlier one reported. */
export const PATTERN_DETECTORS: readonly PatternDetector[] = [
  staleCommitment,
  toolFailurePattern,
  workflowSequence,
  timeRoutine,
  repeatedQuestion,
];

/** Options of `detectPatterns`. */
export interface DetectPatternsOptions {
  /** Date, or milliseconds since the epoch. Default: the time of the newest entry. */
  readonly now?: Date | number;
  /** IANA time zone of the person. Default `UTC`. */
  readonly tz?: string;
  /**
   * Times at which findings were raised, by their keys, in milliseconds since the epoch. Such findings are left out for
   * 14 days. Default none.
   */
  readonly seen?: Readonly<Record<string, number>>;
}

/**
 * Finds what one person asks for repeatedly, which tools keep failing, and which commitments were not kept. Leaves out
 * a finding if at least half of its evidence belongs to findings of earlier detectors.
 *
 * Source: docs/patterns.md.
 *
 * @param entries Memory entries, or objects of the same shape, of one person, in any order.
 * @param detectors Default: the five built-in ones.
 * @returns Findings in the order of the detectors, those with the highest confidence first.
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

/** A time in the future counts as recent: it was stored before the clock was set back. */
function isRecent(raisedAt: number | undefined, now: number): boolean {
  return raisedAt !== undefined && now - raisedAt < RAISE_AGAIN_MS;
}
