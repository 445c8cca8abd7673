export { DEFAULT_HISTORY_TOKENS, buildContext, historyWindow } from "./context.ts";
export type { BuiltContext, ContextOptions, ContextPart, Person } from "./context.ts";
export { stepMessages } from "./turn-messages.ts";
export type { PromptMessage } from "./turn-messages.ts";
