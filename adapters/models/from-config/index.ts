/**
 * Models from the configuration file and the environment. For the command line; programs pass any AI SDK model
 * themselves.
 *
 * @module
 */
export { checkModel } from "./check-model.ts";
export type { CheckModelOptions, ModelCheck } from "./check-model.ts";
export { DEFAULT_OPENAI_MODEL, modelsFromEnvironment } from "./from-environment.ts";
export type { Environment } from "./from-environment.ts";
export { loadEmbedder, loadModel } from "./load-model.ts";
export type { LoadModelOptions } from "./load-model.ts";
