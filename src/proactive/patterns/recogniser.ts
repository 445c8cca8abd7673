import type { Clock } from "../../clock.ts";
import type { Engine } from "../../engine/index.ts";
import { ENTRY_TYPES, type MemoryApi, type ReadWriteLock } from "../../memory/index.ts";
import type { MemoryUsers } from "../../session/index.ts";
import type { Suggestions } from "../../skills/index.ts";
import type { ProactiveHook } from "../hook.ts";
import { PATTERN_DETECTORS, detectPatterns } from "./detect-patterns.ts";
import { DAY_MS } from "./entries.ts";
import { EVIDENCE_DAYS, type Evidence, type EvidenceHome } from "./evidence.ts";
import type { Findings, OpenFinding } from "./findings.ts";
import type { Detection, PatternAction, PatternDetector, PatternEntry } from "./pattern.ts";
import { staleTimes } from "./stale-commitment.ts";
import { type Withdraw, findingOf } from "./tell-finding.ts";

const PREFIX = "patterns:";
/** How long after a task it is looked for patterns: by then its traces are in memory. */
export const LOOK_AFTER_MS = 30_000;
/** Entries of memory that are read, the newest. */
const MAX_ENTRIES = 500;

export interface RecogniserDeps {
  readonly evidence: Pick<Evidence, "follow" | "read">;
  readonly findings: Pick<Findings, "raise" | "standing">;
  readonly memory: Pick<MemoryApi, "list">;
  readonly users: Pick<MemoryUsers, "memoryUserOf" | "canonicalUser">;
  /** Tells a person of a finding. Contract: resolved = durable; the same finding is told once. */
  tell(user: string, finding: OpenFinding, home: EvidenceHome): Promise<void>;
  readonly withdraw: Withdraw;
  readonly engine: Pick<Engine, "wake">;
  /** Nothing is looked for while a person is forgotten. */
  readonly lock: Pick<ReadWriteLock, "shared">;
  /** Of a memory's user. */
  timezoneOf(userId: string): string;
  readonly clock: Pick<Clock, "now">;
}

export interface RecogniserOptions {
  /** Default: those that come with Wakeful. */
  readonly detectors?: readonly PatternDetector[] | undefined;
  /** Whether jobs can be made: else none is offered. */
  readonly jobs: boolean;
  /** Whether something can be kept in memory: else that is not offered. */
  readonly remembers: boolean;
  /** What is learnt as skills, and where that is kept. Default: no skill is offered. */
  readonly skills?: { learn(userId: string): Promise<void>; readonly suggestions: Pick<Suggestions, "get"> };
}

/** Looks for patterns in what people say and do. */
export type Recogniser = ReturnType<typeof createRecogniser>;

/**
 * After a task that a person asked for, off the reply's way: reads what they said and what was done, and tells them of what is found. A commitment that turns stale
 * later has a wake at its time; else nothing happens while nothing happens. No model is asked.
 *
 * Source: docs/patterns.md, "When it looks".
 */
export function createRecogniser(deps: RecogniserDeps, options: RecogniserOptions) {
  const { evidence, findings, memory, users, tell, withdraw, engine, lock, timezoneOf, clock } = deps;
  const { detectors = PATTERN_DETECTORS, jobs, remembers, skills } = options;

  const hook: ProactiveHook = {
    name: "patterns",
    async onTaskCompleted(task, { sessionKey, dryRun }) {
      if (dryRun || task.peer.kind !== "direct") return;
      const userId = users.memoryUserOf(task);
      await lock.shared(() => evidence.follow(userId, sessionKey));
      await engine.wake(PREFIX + userId, new Date(clock.now() + LOOK_AFTER_MS));
    },
  };

  /** The handler of `patterns:` keys. May run again at any time: what is known is not told again. */
  async function handle(key: string): Promise<void> {
    const userId = users.canonicalUser(key.slice(PREFIX.length));
    await skills?.learn(userId);
    await lock.shared(() => lookAt(userId));
  }

  async function lookAt(userId: string): Promise<void> {
    const { entries: said, home } = await evidence.read(userId);
    if (!home) return;
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
    if (next < Infinity) await engine.wake(PREFIX + userId, new Date(next));
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
    const known = await skills?.suggestions.get(userId, action.suggestion);
    if (known?.state !== "open") return false;
    // What is told here is put off there.
    return known.offeredAt.length === 0 || (known.offeredIn === undefined && told.includes(action.suggestion));
  }

  return { hook, isKey: (key: string): boolean => key.startsWith(PREFIX), handle };
}
