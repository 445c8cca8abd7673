import { pickModels } from "../agent/index.ts";
import type { ContextOptions } from "../channel.ts";
import { AssistantError } from "../errors.ts";
import type { InRecord, StepRecord, TurnBounds } from "../session/index.ts";
import type { ToolCaller } from "../tools/index.ts";
import type { TurnAgent } from "./model-calls.ts";

// What bounds turns of work that has sessions of its own: steps of workflows, sub-agents. Other turns have no bounds, and pay nothing.

/** The agent as a bounded turn has it. */
export function boundedAgent(agent: TurnAgent, { maxSeconds, model }: TurnBounds): TurnAgent {
  return {
    ...agent,
    ...(maxSeconds !== undefined && { maxTurnSeconds: maxSeconds }),
    ...(model !== undefined && { models: withFirst(agent.models, model) }),
  };
}

/** The options of a bounded turn. */
export function boundedOptions(options: ContextOptions, { withoutTools = [] }: TurnBounds): ContextOptions {
  const { excludeTools = [] } = options;
  return withoutTools.length === 0 ? options : { ...options, excludeTools: [...excludeTools, ...withoutTools] };
}

/** One that is not configured any more does not count. */
function withFirst(models: TurnAgent["models"], wanted: string): TurnAgent["models"] {
  try {
    return pickModels(models, wanted);
  } catch {
    return models;
  }
}

/** What bounds what a turn may call. */
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

/** Calls that do not begin, as with them there would be more than the turn may make. */
export const TOO_MANY_CALLS = { code: "BUDGET_EXCEEDED", message: "Not run: the task may make no more calls" };

/** Would a turn with these steps make more calls than it may? The step that asks for them is the last. */
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
 * May a turn take another step? Its logged steps are counted, so one that was taken up again counts on.
 * @throws {AssistantError} `BUDGET_EXCEEDED` saying which bound, what was used, and what to do.
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
