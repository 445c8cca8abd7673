import { estimateTokenCount } from "tokenx";
import { type Goal, type GoalFiles, type KeyResult, type KeptGoals, progressOf } from "../../goals/index.ts";
import type { MemorySpeaker, Sessions } from "../../session/index.ts";
import type { ModelRedactor } from "../../telemetry/index.ts";
import type { HookOptions } from "../hook-registry.ts";
import type { HookContext, HookTask, Injections, ProactiveHook } from "../hook.ts";
import { visibleIn } from "../memory/visible.ts";

/** The turn goes on without goals if the store takes longer. */
export const GOAL_CONTEXT_OPTIONS: HookOptions = { timeoutMs: 1000 };
/** Maximum tokens of goals before a message, estimated. */
export const DEFAULT_GOAL_TOKENS = 200;

export interface GoalContextDeps {
  readonly files: Pick<GoalFiles, "shown">;
  /** Updates the review jobs if goals were changed from outside. */
  notice(userId: string, found: KeptGoals): void;
  memoryUserOf(speaker: MemorySpeaker): string;
  readonly sessions: Pick<Sessions, "load">;
  /** Replaces secrets. */
  readonly redact: ModelRedactor;
}

export interface GoalContextOptions {
  /** Default `DEFAULT_GOAL_TOKENS`. */
  readonly maxTokens?: number | undefined;
  /** Maximum tokens of history in prompts. Default 16 000. */
  readonly historyTokens?: number | undefined;
}

/**
 * Before a turn in a direct chat, adds the person's current goals unless the prompt already shows them. Adds nothing if
 * there are no goals, in groups, and in turns that no person asked for.
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

/**
 * Returns a line for each goal with a current focus, or for every goal if none has one. Skips lines that do not fit.
 */
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
