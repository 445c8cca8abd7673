import { estimateTokenCount } from "tokenx";
import { type Goal, type GoalFiles, type KeyResult, type KeptGoals, progressOf } from "../../goals/index.ts";
import type { MemorySpeaker, Sessions } from "../../session/index.ts";
import type { ModelRedactor } from "../../telemetry/index.ts";
import type { HookOptions } from "../hook-registry.ts";
import type { HookContext, HookTask, Injections, ProactiveHook } from "../hook.ts";
import { visibleIn } from "../memory/visible.ts";

/** A store that takes longer than this is not waited for. */
export const GOAL_CONTEXT_OPTIONS: HookOptions = { timeoutMs: 1000 };
/** Tokens that goals may take before a message, estimated. */
export const DEFAULT_GOAL_TOKENS = 200;

export interface GoalContextDeps {
  readonly files: Pick<GoalFiles, "shown">;
  /** Brings the reviews of goals that were changed by other hands. */
  notice(userId: string, found: KeptGoals): void;
  memoryUserOf(speaker: MemorySpeaker): string;
  readonly sessions: Pick<Sessions, "load">;
  /** Replaces secrets. */
  readonly redact: ModelRedactor;
}

export interface GoalContextOptions {
  /** Default `DEFAULT_GOAL_TOKENS`. */
  readonly maxTokens?: number | undefined;
  /** Tokens of history that prompts show. Default 16 000. */
  readonly historyTokens?: number | undefined;
}

/**
 * Before a turn of a person's direct chat: what they work on now, unless the prompt shows it already. Nothing for those who have no goals, in groups, and in turns that
 * nobody asked for.
 *
 * Source: docs/goals.md, "What the model knows".
 */
export function goalContext(deps: GoalContextDeps, options: GoalContextOptions = {}): ProactiveHook {
  const { files, notice, memoryUserOf, sessions, redact } = deps;
  const { maxTokens = DEFAULT_GOAL_TOKENS, historyTokens } = options;
  async function workedOn(task: HookTask, { sessionKey, dryRun }: HookContext): Promise<Injections> {
    const userId = memoryUserOf(task);
    const found = await files.shown(userId);
    if (found === null) return [];
    if (!dryRun) notice(userId, found);
    const content = redact(textOf(found.goals.goals, maxTokens));
    if (content === "") return [];
    const visible = visibleIn(await sessions.load(sessionKey), [task.text], historyTokens);
    return visible.has({ content, slots: {} }) ? [] : [{ type: "goal", content, source: "goals.yaml", priority: 1 }];
  }

  return {
    name: "goal-context",
    onTaskStart: (task, context) =>
      task.source === "message" && task.peer.kind === "direct" ? workedOn(task, context) : [],
  };
}

/** A line for each goal that the person works on now; for each goal when they have said of none. Those that fit, each whole. */
function textOf(goals: readonly Goal[], maxTokens: number): string {
  const focused = goals.filter(({ currentFocus }) => currentFocus !== undefined);
  let text = "";
  for (const goal of focused.length > 0 ? focused : goals) {
    const longer = `${text}${text === "" ? "" : "\n"}${lineOf(goal)}`;
    if (estimateTokenCount(longer) <= maxTokens) text = longer;
  }
  return text;
}

function lineOf({ objective, currentFocus, keyResults }: Goal): string {
  const focus = currentFocus === undefined ? "" : `; now: ${currentFocus}`;
  return `${objective}${focus}${keyResults.map((result) => `; ${resultText(result)}`).join("")}`;
}

function resultText(result: KeyResult): string {
  const { metric, target, current } = result;
  const progress = progressOf(result);
  const share = progress === undefined ? "" : ` (${Math.round(progress * 100)}%)`;
  return current === undefined ? `${metric}: target ${target}` : `${metric}: ${current} of ${target}${share}`;
}
