import { AssistantError } from "../errors.ts";
import type { ModelPrice } from "../usage/index.ts";
import type { ModelObject } from "./fold-stream.ts";
import type { ModelFacts, ModelInfo } from "./options.ts";

export type { ModelFacts, ModelInfo, ToolProtocol } from "./options.ts";

export const DEFAULT_CONTEXT_WINDOW = 32_768;

type Named = Pick<ModelObject, "provider" | "modelId">;

/** `provider/modelId`: a model's name in logs, metrics, usage and errors. */
export function modelName({ provider, modelId }: Named): string {
  return `${provider}/${modelId}`;
}

function namesOf({ provider, modelId }: Named): readonly string[] {
  return [`${provider}/${modelId}`, `${provider.split(".", 1)[0]}/${modelId}`, modelId];
}

/** The known facts about a model; empty if there are none. */
export function modelFacts(model: Named, info: ModelInfo = {}): ModelFacts {
  const name = namesOf(model).find((one) => Object.hasOwn(info, one));
  return (name === undefined ? undefined : info[name]) ?? {};
}

/**
 * Context window of a model in tokens. Its own setting wins over the general one.
 *
 * @param options.contextWindow For models without their own. Default 32_768.
 */
export function contextWindowOf(
  model: Named,
  options: { readonly modelInfo?: ModelInfo | undefined; readonly contextWindow?: number | undefined } = {},
): number {
  return modelFacts(model, options.modelInfo).contextWindow ?? options.contextWindow ?? DEFAULT_CONTEXT_WINDOW;
}

/** Prices by the models' full names. Models without a price are left out. */
export function pricesOf(models: readonly Named[], info: ModelInfo = {}): { readonly [model: string]: ModelPrice } {
  return Object.fromEntries(
    models.flatMap((model) => {
      const { price } = modelFacts(model, info);
      return price === undefined ? [] : [[modelName(model), price]];
    }),
  );
}

/**
 * @throws {AssistantError} `OPTION_INVALID` if `modelInfo` names a model that does not exist, because its price
 * or window would have no effect.
 */
export function checkModelInfo(models: readonly Named[], info: ModelInfo = {}): void {
  const known = new Set(models.flatMap(namesOf));
  const stray = Object.keys(info).find((name) => !known.has(name));
  if (stray === undefined) return;
  throw new AssistantError(
    "OPTION_INVALID",
    `Invalid option modelInfo: there is no model ${JSON.stringify(stray)}, only ${models.map(modelName).join(", ")}`,
  );
}

/**
 * The order in which a session asks the models: the wanted one first, then the others in their order.
 *
 * @param wanted `provider/modelId`, optionally without what follows the provider's first dot, or the
 * model's id; in any letter case.
 * @throws {AssistantError} `OPTION_INVALID` that lists the known names.
 */
export function pickModels(models: readonly ModelObject[], wanted: string): readonly ModelObject[] {
  const picked = findModel(models, wanted);
  if (picked === undefined) {
    throw new AssistantError(
      "OPTION_INVALID",
      `There is no model ${JSON.stringify(wanted)}: expected one of ${models.map(modelName).join(", ")}`,
    );
  }
  return [picked, ...models.filter((model) => model !== picked)];
}

/** The model that a name means, with the forms that `pickModels` accepts. */
export function findModel(models: readonly ModelObject[], wanted: string): ModelObject | undefined {
  const name = wanted.trim().toLowerCase();
  return models.find((model) => namesOf(model).some((one) => one.toLowerCase() === name));
}

/**
 * The names of the models, and their prices where given.
 * @throws {AssistantError} As `checkModelInfo`.
 */
export function knownModels(models: readonly Named[], info: ModelInfo | undefined) {
  checkModelInfo(models, info);
  return { models: models.map(modelName), ...(info && { prices: pricesOf(models, info) }) };
}
