import { pickModels } from "../agent/index.ts";
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

/** One that is not configured any more does not count. */
function withFirst(models: TurnAgent["models"], wanted: string): TurnAgent["models"] {
  try {
    return pickModels(models, wanted);
  } catch {
    return models;
  }
}

/** What bounds what a turn may call. */
export function callerBounds({ bounds }: Pick<InRecord, "bounds">): Pick<ToolCaller, "startedBy" | "mayUse"> {
  if (bounds === undefined) return {};
  const { tools, startedBy } = bounds;
  return {
    ...(startedBy && { startedBy }),
    ...(tools && { mayUse: (name: string) => tools.some((one) => isNamed(one, name)) }),
  };
}

function isNamed(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
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
  const calls = steps.reduce((sum, step) => sum + step.calls.length, 0);
  if (tokens >= maxTokens)
    throw new AssistantError("BUDGET_EXCEEDED", `${tokens} of ${maxTokens} tokens are used: give it a larger budget`);
  if (calls > maxToolCalls)
    throw new AssistantError(
      "BUDGET_EXCEEDED",
      `${calls} of ${maxToolCalls} calls of tools are used: give it a larger budget`,
    );
}
