import { modelName } from "../agent/index.ts";
import type { Session } from "../session/index.ts";
import type { UsageRecorder } from "../usage/index.ts";
import { type ModelCalls, type TurnAgent, firstModel } from "./model-calls.ts";

/** Describes a session for `/status`. */
export function createDescribeSession({
  explainContext,
  modelCalls,
  usage,
  agentOf,
}: {
  /** What the next prompt of a session would contain. */
  explainContext(input: { readonly session: string }): Promise<{ readonly totalTokens: number }>;
  readonly modelCalls: Pick<ModelCalls, "windowOf">;
  readonly usage: Pick<UsageRecorder, "summary">;
  agentOf(sessionKey: string): TurnAgent;
}) {
  return async (session: Session) => {
    const asked = { agent: agentOf(session.key), session };
    const { totalTokens } = await explainContext({ session: session.key });
    const model = firstModel(asked);
    const { today } = await usage.summary({ days: 1 });
    return {
      model: model ? modelName(model) : "none",
      tokens: totalTokens,
      windowTokens: modelCalls.windowOf(asked),
      usedToday: today.inputTokens + today.outputTokens,
    };
  };
}
