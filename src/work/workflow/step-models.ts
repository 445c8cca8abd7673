import { AssistantError } from "../../errors.ts";
import type { Usage } from "../../reply.ts";

export interface StepModelsDeps {
  /** The full names of an agent's models. */
  readonly models: {
    modelNamed(agentId: string, wanted: string): string | undefined;
    modelNames(agentId: string): readonly string[];
  };
  /** What these tokens of a model cost; undefined where its price is not known. */
  priceOf(model: string, used: Usage): number | undefined;
}

/** The models that steps name, and their prices. */
export type StepModels = ReturnType<typeof createStepModels>;

export function createStepModels({ models, priceOf }: StepModelsDeps) {
  return {
    /** @throws {AssistantError} `OPTION_INVALID` for a model that the agent has not. */
    check(agentId: string, wanted: string | undefined): void {
      if (wanted === undefined || models.modelNamed(agentId, wanted) !== undefined) return;
      const known = models.modelNames(agentId).join(", ") || "none";
      throw new AssistantError(
        "OPTION_INVALID",
        `model: there is no model ${JSON.stringify(wanted)}: expected ${known}`,
      );
    },
    /** @returns What a turn's tokens cost at the price of the model that is asked first; undefined where that is not known. */
    costOf(used: Usage, agentId: string, wanted: string | undefined): number | undefined {
      const model = wanted === undefined ? models.modelNames(agentId)[0] : models.modelNamed(agentId, wanted);
      return model === undefined ? undefined : priceOf(model, used);
    },
  };
}
