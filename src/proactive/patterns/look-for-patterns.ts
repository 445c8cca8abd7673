import type { Clock } from "../../clock.ts";
import { ENTRY_TYPES, type MemoryApi } from "../../memory/index.ts";
import type { Suggestions } from "../../skills/index.ts";
import { PATTERN_DETECTORS, detectPatterns } from "./detect-patterns.ts";
import { DAY_MS } from "./entries.ts";
import { EVIDENCE_DAYS, type Evidence, type EvidenceHome } from "./evidence.ts";
import type { Findings, OpenFinding } from "./findings.ts";
import type { Detection, PatternAction, PatternDetector, PatternEntry } from "./pattern.ts";
import { staleTimes } from "./stale-commitment.ts";
import { type Withdraw, findingOf } from "./tell-finding.ts";

/** Maximum number of memory entries to read, newest first. */
const MAX_ENTRIES = 500;

export interface LookForPatternsDeps {
  readonly evidence: Pick<Evidence, "read">;
  readonly findings: Pick<Findings, "raise" | "standing">;
  readonly memory: Pick<MemoryApi, "list">;
  /** Tells a person of a finding. Contract: resolved = durable; repeated calls tell the same finding once. */
  tell(user: string, finding: OpenFinding, home: EvidenceHome): Promise<void>;
  readonly withdraw: Withdraw;
  /** The time zone of a memory user. */
  timezoneOf(userId: string): string;
  readonly clock: Pick<Clock, "now">;
}

export interface LookForPatternsOptions {
  /** Default: the built-in ones. */
  readonly detectors?: readonly PatternDetector[] | undefined;
  /** Whether jobs can be created. If not, no job is suggested. */
  readonly jobs: boolean;
  /** Whether memory can store entries. If not, no answer is offered for storage. */
  readonly remembers: boolean;
  /** The suggestions of the skill learner. Default: no skill is suggested. */
  readonly suggestions?: Pick<Suggestions, "get">;
}

/**
 * Creates the function that looks for patterns in a person's messages and traces and tells the person of new findings.
 *
 * @returns The function. It returns when a commitment next turns stale, in milliseconds since the epoch: the time of
 * the next look if nothing else happens.
 */
export function createLookForPatterns(deps: LookForPatternsDeps, options: LookForPatternsOptions) {
  const { evidence, findings, memory, tell, withdraw, timezoneOf, clock } = deps;
  const { detectors = PATTERN_DETECTORS, jobs, remembers, suggestions } = options;

  async function lookAt(userId: string): Promise<number | undefined> {
    const { entries: said, home } = await evidence.read(userId);
    if (!home) return undefined;
    const entries = [...said, ...(await remembered(userId))];
    const ids = new Set(entries.map(({ id }) => id));
    const tz = timezoneOf(userId);
    const detections = await possible(userId, detectPatterns(entries, detectors, { now: clock.now(), tz }));
    for (const finding of await findings.raise(userId, detections, (id) => ids.has(id)))
      await tell(userId, finding, home);
    const { open } = await findings.standing(userId);
    await withdraw(userId, (notice) => {
      const told = findingOf(notice);
      return told !== undefined && !open.some(({ id }) => id === told);
    });
    const next = Math.min(...staleTimes(entries, tz).filter((at) => at > clock.now()));
    return next < Infinity ? next : undefined;
  }

  /** Returns the person's statements, commitments among them, and the traces of their tasks. */
  async function remembered(userId: string): Promise<readonly PatternEntry[]> {
    const entries: PatternEntry[] = [];
    const since = new Date(clock.now() - EVIDENCE_DAYS * DAY_MS);
    const slots = { type: [ENTRY_TYPES.statement, ENTRY_TYPES.workflowTrace] };
    for await (const entry of memory.list(userId, { slots, since })) {
      entries.push(entry);
      if (entries.length >= MAX_ENTRIES) break;
    }
    return entries;
  }

  /** Drops detections whose action is not possible now, and skills that the model has already suggested. */
  async function possible(userId: string, detections: readonly Detection[]): Promise<readonly Detection[]> {
    const { open } = await findings.standing(userId);
    const told = open.flatMap(({ suggestion: { action } }) => (action.kind === "skill" ? [action.suggestion] : []));
    const kept: Detection[] = [];
    for (const detection of detections)
      if (await isPossible(userId, detection.suggestion.action, told)) kept.push(detection);
    return kept;
  }

  async function isPossible(userId: string, action: PatternAction, told: readonly string[]): Promise<boolean> {
    if (action.kind === "job") return jobs;
    if (action.kind === "remember") return remembers;
    if (action.kind === "hint") return true;
    const known = await suggestions?.get(userId, action.suggestion);
    if (known?.state !== "open") return false;
    // `createTellFinding` puts a suggestion off, which sets `offeredAt` but not `offeredIn`.
    return known.offeredAt.length === 0 || (known.offeredIn === undefined && told.includes(action.suggestion));
  }

  return lookAt;
}
