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

/** Entries of memory that are read, the newest. */
const MAX_ENTRIES = 500;

export interface LookForPatternsDeps {
  readonly evidence: Pick<Evidence, "read">;
  readonly findings: Pick<Findings, "raise" | "standing">;
  readonly memory: Pick<MemoryApi, "list">;
  /** Tells a person of a finding. Contract: resolved = durable; the same finding is told once. */
  tell(user: string, finding: OpenFinding, home: EvidenceHome): Promise<void>;
  readonly withdraw: Withdraw;
  /** Of a memory's user. */
  timezoneOf(userId: string): string;
  readonly clock: Pick<Clock, "now">;
}

export interface LookForPatternsOptions {
  /** Default: those that come with Wakeful. */
  readonly detectors?: readonly PatternDetector[] | undefined;
  /** Whether jobs can be made: else none is offered. */
  readonly jobs: boolean;
  /** Whether something can be kept in memory: else that is not offered. */
  readonly remembers: boolean;
  /** Where what is learnt as skills is kept. Default: no skill is offered. */
  readonly suggestions?: Pick<Suggestions, "get">;
}

/**
 * @returns What looks for patterns in all that a person said and did, and tells them of what it finds; what is known is not told again. It gives the time from which
 * another look is worth its while though nothing happens, in milliseconds since the epoch.
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

  /** What people stated, among which are their commitments, and the traces of their tasks. */
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

  /** Without what nothing could be done about, and what the person heard of as a suggestion of a skill. */
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
    // What is told here is put off there.
    return known.offeredAt.length === 0 || (known.offeredIn === undefined && told.includes(action.suggestion));
  }

  return lookAt;
}
