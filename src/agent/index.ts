export { askModel } from "./agent.ts";
export type { AgentOptions, ModelFailure } from "./agent.ts";
export { DEFAULT_MODEL_TIMEOUT_MS } from "./ask-once.ts";
export type { ModelAnswer, ModelCall, OfferedTool, PromptMessage } from "./ask-once.ts";
export { createCoolDowns } from "./cool-down.ts";
export type { ModelObject } from "./fold-stream.ts";
export {
  DEFAULT_CONTEXT_WINDOW,
  checkModelInfo,
  contextWindowOf,
  knownModels,
  modelFacts,
  modelName,
  findModel,
  pickModels,
  pricesOf,
} from "./model-info.ts";
export { modelList } from "./model-list.ts";
export type { ModelFacts, ModelInfo, ToolProtocol } from "./model-info.ts";
export { NOT_TAKEN, takesFile, withoutFiles } from "./show-files.ts";
export { withThoughtsApart } from "./thoughts.ts";
