import { AssistantError } from "../errors.ts";
import type { ModelPrice } from "../usage/index.ts";
import type { ModelObject } from "./fold-stream.ts";
import type { ModelFacts, ModelInfo } from "./options.ts";

export type { ModelFacts, ModelInfo, ToolProtocol } from "./options.ts";

export const DEFAULT_CONTEXT_WINDOW = 32_768;

type Named = Pick<ModelObject, "provider" | "modelId">;

/** `provider/modelId`: what a model is called in logs, metrics, usage and errors. */
export function modelName({ provider, modelId }: Named): string {
  return `${provider}/${modelId}`;
}

function namesOf({ provider, modelId }: Named): readonly string[] {
  return [`${provider}/${modelId}`, `${provider.split(".", 1)[0]}/${modelId}`, modelId];
}

/** What is known of a model; nothing, when nobody said anything. */
export function modelFacts(model: Named, info: ModelInfo = {}): ModelFacts {
  const name = namesOf(model).find((one) => Object.hasOwn(info, one));
  return (name === undefined ? undefined : info[name]) ?? {};
}

/**
 * Tokens that a model takes in all: its own window wins over the one of all models.
 *
 * @param options.contextWindow Of models that have none of their own. Default 32_768.
 */
export function contextWindowOf(
  model: Named,
  options: { readonly modelInfo?: ModelInfo | undefined; readonly contextWindow?: number | undefined } = {},
): number {
  return modelFacts(model, options.modelInfo).contextWindow ?? options.contextWindow ?? DEFAULT_CONTEXT_WINDOW;
}

/** The prices of these models, by their full names; those without a price are left out. */
export function pricesOf(models: readonly Named[], info: ModelInfo = {}): { readonly [model: string]: ModelPrice } {
  return Object.fromEntries(
    models.flatMap((model) => {
      const { price } = modelFacts(model, info);
      return price === undefined ? [] : [[modelName(model), price]];
    }),
  );
}

/** @throws {AssistantError} `OPTION_INVALID` when `modelInfo` tells of a model that is not there: a price or a window that nobody gets. */
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
 * The models in the order in which one conversation asks them: the wanted one first, the others behind it as before.
 *
 * @param wanted `provider/modelId`, also without what follows the provider's first dot, or the model's id; in any letter case.
 * @throws {AssistantError} `OPTION_INVALID` that lists the names there are.
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

/** The model of a name as `pickModels` takes it. */
export function findModel(models: readonly ModelObject[], wanted: string): ModelObject | undefined {
  const name = wanted.trim().toLowerCase();
  return models.find((model) => namesOf(model).some((one) => one.toLowerCase() === name));
}

/** The names of the models, and what those cost whose price is given. @throws {AssistantError} As `checkModelInfo`. */
export function knownModels(models: readonly Named[], info: ModelInfo | undefined) {
  checkModelInfo(models, info);
  return { models: models.map(modelName), ...(info && { prices: pricesOf(models, info) }) };
}
