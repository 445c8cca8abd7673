import { AssistantError } from "../../errors.ts";
import type { Reply, Usage } from "../../reply.ts";
import type { Spent } from "../../workflow/index.ts";
import { NOTHING } from "./spent.ts";

export interface StepModelsDeps {
  /** Resolves the name of an agent's model to its full name, and lists the full names. */
  readonly models: {
    modelNamed(agentId: string, wanted: string): string | undefined;
    modelNames(agentId: string): readonly string[];
  };
  /** The cost of this use of a model; undefined when its price is unknown. */
  priceOf(model: string, used: Usage): number | undefined;
  /** What sub-agents have used for a turn of a conversation, or for a call. */
  handedOn(sessionKey: string, work: string): Promise<Spent>;
}

/** Use of one turn of a step. */
export interface StepUse {
  readonly tokens: number;
  readonly toolCalls: number;
  readonly cost?: number;
}

/** Checks the models of steps and counts their use. */
export type StepModels = ReturnType<typeof createStepModels>;

export function createStepModels({ models, priceOf, handedOn }: StepModelsDeps) {
  return {
    handedOn,
    /** @throws {AssistantError} `OPTION_INVALID` for a model that the agent does not have. */
    check(agentId: string, wanted: string | undefined): void {
      if (wanted === undefined || models.modelNamed(agentId, wanted) !== undefined) return;
      const known = models.modelNames(agentId).join(", ") || "none";
      throw new AssistantError(
        "OPTION_INVALID",
        `model: there is no model ${JSON.stringify(wanted)}: expected ${known}`,
      );
    },
    /**
     * What a turn used, including tokens and calls of its sub-agents. The cost covers the turn's own tokens, at the
     * price of the model that is asked first, if known.
     * @param wanted The model that the step names.
     */
    async usedBy(
      { usage, toolCalls, turnId }: Pick<Reply, "usage" | "toolCalls" | "turnId">,
      { sessionKey, agentId, model: wanted }: { sessionKey: string; agentId: string; model: string | undefined },
    ): Promise<StepUse> {
      const model = wanted === undefined ? models.modelNames(agentId)[0] : models.modelNamed(agentId, wanted);
      const cost = model === undefined ? undefined : priceOf(model, usage);
      const others = toolCalls.length === 0 ? NOTHING : await handedOn(sessionKey, turnId);
      return {
        tokens: usage.inputTokens + usage.outputTokens + others.tokens,
        toolCalls: toolCalls.length + others.toolCalls,
        ...(cost !== undefined && { cost }),
      };
    },
  };
}
