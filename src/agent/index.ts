export { askModel } from "./agent.ts";
export type { AgentOptions, ModelAnswer, ModelCall, OfferedTool, PromptMessage } from "./agent.ts";
export type { DeltaListener, ModelObject } from "./fold-stream.ts";
