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

/** A store that takes longer than this is not waited for. */
export const INITIATIVE_OPTIONS: HookOptions = { timeoutMs: 1000 };
/** After that words alone decide, in time for `INITIATIVE_OPTIONS`; the embedder has a limit of its own. */
const LIKENESS_MS = 500;
/** Injections of one task, at most. */
const MAX_INJECTIONS = 2;
/** What the person's answers have made less sure is not brought up. */
const MIN_CONFIDENCE = 0.35;
/** For how long nothing is looked for after a person had neither goals nor findings. */
const NOTHING_MS = 60_000;
const MAX_PEOPLE = 10_000;
/** Tasks that began and have not ended, at least. */
const MAX_TASKS = 1000;

export interface InitiativeHookDeps {
  /** Absent: people have no goals. */
  readonly goals?: Pick<GoalFiles, "shown"> | undefined;
  readonly findings: Pick<Findings, "standing" | "mention">;
  /** Absent: words alone say which goal a task serves. */
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
  /** Share of tasks that run without it, 0 to 1. Default 0. */
  readonly holdout?: number | undefined;
  /** Tokens of history that prompts show. Default 16 000. */
  readonly historyTokens?: number | undefined;
}

/**
 * Before a turn of a person's direct chat: at most two of what it touches of their goals, drives and open findings, unless the prompt shows it already. A finding is
 * brought up once a week. Nothing for who has neither, in groups, and in turns that nobody asked for.
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
    // Skills are offered by those who learn them.
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

  /** What chance could make is at most `SERVES`; `undefined` where words alone decide. */
  async function likenessOf(
    userId: string,
    text: string,
    worked: readonly Pick<Goal, "currentFocus">[],
  ): Promise<InitiativeProfile["likenessTo"]> {
    const focuses = worked.flatMap(({ currentFocus }) => currentFocus ?? []);
    if (beyondChance === undefined || focuses.length === 0) return undefined;
    // What recall asked for too, whose embedding is kept.
    const asked = beyondChance(userId, spoken(text), focuses);
    const beyond = await withTimeout(clock, LIKENESS_MS, asked, () => undefined);
    return (focus) => {
      const share = beyond?.get(focus);
      return share === undefined ? undefined : SERVES + (1 - SERVES) * share;
    };
  }

  /** Without findings that the model was told of in the week before. Only those that would be shown are noted as told. */
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
    // One finding a task is enough to ask about.
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
