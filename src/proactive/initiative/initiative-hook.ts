import QuickLRU from "quick-lru";
import type { Clock } from "../../clock.ts";
import type { EventBus } from "../../events/index.ts";
import type { Goal, GoalFiles } from "../../goals/index.ts";
import { type HybridMemoryStore, spoken } from "../../memory/index.ts";
import type { MemorySpeaker, Sessions } from "../../session/index.ts";
import type { Metrics, ModelRedactor } from "../../telemetry/index.ts";
import { withTimeout } from "../../time-limit.ts";
import type { HookOptions } from "../hook-registry.ts";
import type { HookContext, HookTask, Injections, ProactiveHook } from "../hook.ts";
import { visibleIn } from "../memory/visible.ts";
import type { Findings, OpenFinding } from "../patterns/findings.ts";
import { type Initiative, type InitiativeProfile, SERVES, evaluateInitiative } from "./evaluate-initiative.ts";
import { isHeldOut } from "./held-out.ts";

/** The turn goes on without initiatives if the store takes longer. */
export const INITIATIVE_OPTIONS: HookOptions = { timeoutMs: 1000 };
/**
 * Time limit for semantic similarity, below that of `INITIATIVE_OPTIONS`; after it only words count. The embedder has
 * its own limit.
 */
const LIKENESS_MS = 500;
/** Maximum number of injections per task. */
const MAX_INJECTIONS = 2;
/** Minimum confidence, after the person's answers have been weighed in. */
const MIN_CONFIDENCE = 0.35;
/** How long the result is cached that a person has neither goals nor findings. */
const NOTHING_MS = 60_000;
const MAX_PEOPLE = 10_000;
/** Least capacity of the cache of running tasks. */
const MAX_TASKS = 1000;

export interface InitiativeHookDeps {
  /** Absent if goals are disabled. */
  readonly goals?: Pick<GoalFiles, "shown"> | undefined;
  readonly findings: Pick<Findings, "standing" | "mention">;
  /** Absent: only words decide which goal a task serves. */
  readonly beyondChance?: HybridMemoryStore["beyondChance"] | undefined;
  memoryUserOf(speaker: MemorySpeaker): string;
  readonly sessions: Pick<Sessions, "load">;
  readonly events: Pick<EventBus, "publishAsync" | "has">;
  readonly metrics: Pick<Metrics, "increment">;
  /** Replaces secrets. */
  readonly redact: ModelRedactor;
  readonly clock: Pick<Clock, "now" | "sleep" | "after">;
}

export interface InitiativeHookOptions {
  /** Share of tasks that run without this hook, 0 to 1. Default 0. */
  readonly holdout?: number | undefined;
  /** Maximum tokens of history in prompts. Default 16 000. */
  readonly historyTokens?: number | undefined;
}

/**
 * Before a turn in a direct chat, adds at most two of the person's goals, drives and open findings that the task
 * touches, unless the prompt already shows them. A finding is mentioned once a week at most. Adds nothing if there is
 * none of these, in groups, and in turns that no person asked for.
 *
 * Source: docs/patterns.md, "Initiative".
 */
export function initiativeHook(deps: InitiativeHookDeps, options: InitiativeHookOptions = {}): ProactiveHook {
  const { goals, findings, beyondChance, memoryUserOf, sessions, events, metrics, redact, clock } = deps;
  const { holdout = 0, historyTokens } = options;
  const nothing = new QuickLRU<string, number>({ maxSize: MAX_PEOPLE });
  const began = new QuickLRU<string, boolean>({ maxSize: MAX_TASKS });

  function lookFor(task: HookTask, context: HookContext): Promise<Injections> | Injections {
    const userId = memoryUserOf(task);
    const ageMs = clock.now() - (nothing.get(userId) ?? -Infinity);
    return ageMs >= 0 && ageMs < NOTHING_MS ? [] : touched(userId, task, context);
  }

  async function touched(userId: string, task: HookTask, { sessionKey, dryRun }: HookContext): Promise<Injections> {
    const { open, weights } = await findings.standing(userId);
    const found = await goals?.shown(userId);
    // The skill learner offers skills itself.
    const patterns = open.filter(({ said, suggestion }) => said && suggestion.action.kind !== "skill");
    const { goals: worked = [], coreDrives: drives = [] } = found?.goals ?? {};
    if (worked.length + drives.length + patterns.length === 0) {
      nothing.set(userId, clock.now());
      return [];
    }
    const likenessTo = await likenessOf(userId, task.text, worked);
    const profile = { goals: worked, drives, patterns, weights, ...(likenessTo && { likenessTo }) };
    const sure = evaluateInitiative(task.text, profile).filter(({ confidence }) => confidence >= MIN_CONFIDENCE);
    if (sure.length === 0) return [];
    const visible = visibleIn(await sessions.load(sessionKey), [task.text], historyTokens);
    const unseen = sure.filter(({ message }) => !visible.has({ content: redact(message), slots: {} }));
    const rested = await rest(userId, task.taskId, unseen, patterns, dryRun);
    const chosen = rested.slice(0, MAX_INJECTIONS);
    if (!dryRun && chosen.length > 0) tell(sessionKey, task.taskId, userId, chosen);
    return chosen.map(({ type, message, confidence }) => ({
      type: type === "goal_alignment" ? "goal" : "suggestion",
      content: redact(type === "pattern_suggestion" ? `${message}\n${HOW_TO_BRING_UP}` : message),
      source: "initiative",
      priority: confidence,
    }));
  }

  /** Maps similarity so that chance level is at most `SERVES`. `undefined` if only words decide. */
  async function likenessOf(
    userId: string,
    text: string,
    worked: readonly Pick<Goal, "currentFocus">[],
  ): Promise<InitiativeProfile["likenessTo"]> {
    const focuses = worked.flatMap(({ currentFocus }) => currentFocus ?? []);
    if (beyondChance === undefined || focuses.length === 0) return undefined;
    // Recall asked for the same text, so its embedding is cached.
    const asked = beyondChance(userId, spoken(text), focuses);
    const beyond = await withTimeout(clock, LIKENESS_MS, asked, () => undefined);
    return (focus) => {
      const share = beyond?.get(focus);
      return share === undefined ? undefined : SERVES + (1 - SERVES) * share;
    };
  }

  /**
   * Removes findings that the model was told of in the last 7 days. Only those that will be shown are noted as
   * mentioned.
   */
  async function rest(
    userId: string,
    turn: string,
    initiatives: readonly Initiative[],
    patterns: readonly OpenFinding[],
    dryRun: boolean,
  ): Promise<readonly Initiative[]> {
    const idOf = new Map(patterns.map(({ key, id }) => [key, id]));
    const isPattern = ({ type }: Initiative) => type === "pattern_suggestion";
    if (!initiatives.some(isPattern)) return initiatives;
    // At most one finding per task.
    const others = initiatives.filter((one) => !isPattern(one)).slice(0, MAX_INJECTIONS - 1);
    for (const one of initiatives.filter(isPattern)) {
      const id = idOf.get(one.driveReference);
      const may = id === undefined ? [] : await findings.mention(userId, turn, [id], { dryRun });
      if (may.length > 0) return [one, ...others];
    }
    return initiatives.filter((one) => !isPattern(one));
  }

  function tell(sessionId: string, taskId: string, userId: string, chosen: readonly Initiative[]): void {
    if (!events.has("proactive.initiative")) return;
    const initiatives = chosen.map(({ type, confidence, driveReference }) => ({ type, confidence, driveReference }));
    const payload = { taskId, userId, initiatives };
    events.publishAsync({ type: "proactive.initiative", sessionId, timestamp: clock.now(), payload });
  }

  return {
    name: "initiative",
    onTaskStart(task, context) {
      if (task.source !== "message" || task.peer.kind !== "direct") return [];
      const isOut = isHeldOut(task.taskId, holdout);
      if (!context.dryRun) began.set(task.taskId, isOut);
      return isOut ? [] : lookFor(task, context);
    },
    onTaskCompleted({ taskId, status }) {
      const isOut = began.get(taskId);
      if (isOut === undefined) return;
      began.delete(taskId);
      metrics.increment("proactive.task_total", { held_out: String(isOut), outcome: status });
    },
  };
}

const HOW_TO_BRING_UP =
  "The person was told of this and has not answered. If it suits the moment, ask them in one sentence at the end of the reply; do not do it without their yes.";
