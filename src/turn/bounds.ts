import { pickModels } from "../agent/index.ts";
import type { ContextOptions } from "../channel.ts";
import { AssistantError } from "../errors.ts";
import type { InRecord, StepRecord, TurnBounds } from "../session/index.ts";
import type { ToolCaller } from "../tools/index.ts";
import type { TurnAgent } from "./model-calls.ts";

// Limits for turns of work that has sessions of its own: steps of workflows, and sub-agents. Other turns skip this.

/** The agent with the limits of a bounded turn. */
export function boundedAgent(agent: TurnAgent, { maxSeconds, model }: TurnBounds): TurnAgent {
  return {
    ...agent,
    ...(maxSeconds !== undefined && { maxTurnSeconds: maxSeconds }),
    ...(model !== undefined && { models: withFirst(agent.models, model) }),
  };
}

/** The options with the limits of a bounded turn. */
export function boundedOptions(options: ContextOptions, { withoutTools = [] }: TurnBounds): ContextOptions {
  const { excludeTools = [] } = options;
  return withoutTools.length === 0 ? options : { ...options, excludeTools: [...excludeTools, ...withoutTools] };
}

/** Ignores a model that is no longer configured. */
function withFirst(models: TurnAgent["models"], wanted: string): TurnAgent["models"] {
  try {
    return pickModels(models, wanted);
  } catch {
    return models;
  }
}

/** The limits of a turn's tool calls. */
export function callerBounds({
  bounds,
}: Pick<InRecord, "bounds">): Pick<ToolCaller, "startedBy" | "onlyTools" | "speakers" | "unattended" | "askForMs"> {
  if (bounds === undefined) return {};
  const { tools: onlyTools, startedBy, speakers, unattended, askForMs } = bounds;
  return {
    ...(startedBy && { startedBy }),
    ...(onlyTools && { onlyTools }),
    ...(speakers && { speakers }),
    ...(unattended && { unattended }),
    ...(askForMs !== undefined && { askForMs }),
  };
}

/** Result of calls that do not begin because the turn would exceed its number of calls. */
export const TOO_MANY_CALLS = { code: "BUDGET_EXCEEDED", message: "Not run: the task may make no more calls" };

/** Whether a turn with these steps would exceed its number of calls. The last step is the one that asks for more. */
export function isOverCalls(
  { maxToolCalls = Infinity }: TurnBounds,
  steps: readonly Pick<StepRecord, "calls">[],
): boolean {
  return callsOf(steps) > maxToolCalls;
}

function callsOf(steps: readonly Pick<StepRecord, "calls">[]): number {
  return steps.reduce((sum, { calls }) => sum + calls.length, 0);
}

/**
 * Checks that a turn may take another step. Counts its logged steps, so a resumed turn continues its count.
 * @throws {AssistantError} `BUDGET_EXCEEDED`, naming the limit, the usage and what to do.
 */
export function checkBounds(
  bounds: TurnBounds | undefined,
  steps: readonly Pick<StepRecord, "usage" | "calls">[],
): void {
  if (bounds === undefined) return;
  const { maxTokens = Infinity, maxToolCalls = Infinity } = bounds;
  const tokens = steps.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0);
  const calls = callsOf(steps);
  if (tokens >= maxTokens)
    throw new AssistantError("BUDGET_EXCEEDED", `${tokens} of ${maxTokens} tokens are used: give it a larger budget`);
  if (calls > maxToolCalls)
    throw new AssistantError(
      "BUDGET_EXCEEDED",
      `${calls} of ${maxToolCalls} calls of tools are used: give it a larger budget`,
    );
}
