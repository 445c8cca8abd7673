import type { ModelObject } from "./fold-stream.ts";
import { AssistantError } from "../errors.ts";

/** @throws {AssistantError} `OPTION_INVALID` for no model, a string, or an invalid object. */
export function modelList(option: string, model: unknown): readonly ModelObject[] {
  const models: readonly unknown[] = Array.isArray(model) ? model : [model];
  if (model === undefined || models.length === 0) {
    throw new AssistantError(
      "OPTION_INVALID",
      `Missing option ${option}: give an AI SDK language model, as openai("…") of @ai-sdk/openai, or offlineModel() of wakeful/models/offline`,
    );
  }
  return models.map((one) => {
    if (typeof one === "string") {
      throw new AssistantError(
        "OPTION_INVALID",
        `Invalid option ${option}: ${JSON.stringify(one)} is a text, which the AI SDK would send to a gateway; give a model object, as openai(${JSON.stringify(one)})`,
      );
    }
    if (!isModel(one))
      throw new AssistantError(
        "OPTION_INVALID",
        `Invalid option ${option}: expected an AI SDK language model (an object with doGenerate and doStream)`,
      );
    return one;
  });
}

function isModel(value: unknown): value is ModelObject {
  if (typeof value !== "object" || value === null) return false;
  const { doGenerate, doStream, specificationVersion } = value as Record<string, unknown>;
  return typeof doGenerate === "function" && typeof doStream === "function" && typeof specificationVersion === "string";
}
