import type { Usage } from "../../reply.ts";

export interface CostDeps {
  /** The full names of an agent's models. */
  readonly models: {
    modelNamed(agentId: string, wanted: string): string | undefined;
    modelNames(agentId: string): readonly string[];
  };
  /** What these tokens of a model cost; undefined where its price is not known. */
  priceOf(model: string, used: Usage): number | undefined;
}

/** @returns What a turn's tokens cost at the price of the model that is asked first; undefined where that is not known. */
export function createCostOf({ models, priceOf }: CostDeps) {
  return function costOf(used: Usage, agentId: string, wanted: string | undefined): number | undefined {
    const model = wanted === undefined ? models.modelNames(agentId)[0] : models.modelNamed(agentId, wanted);
    return model === undefined ? undefined : priceOf(model, used);
  };
}
