export { DEFAULT_HISTORY_TOKENS, buildContext, historyWindow } from "./context.ts";
export type { BuiltContext, ContextOptions, ContextPart, Person } from "./context.ts";
export { DEFAULT_INJECTION_TOKENS, showInjections, withInjections } from "./injections.ts";
export type { ShownInjections } from "./injections.ts";
export { injectedMessage, joinedMessages, stepMessages } from "./turn-messages.ts";
export type { PromptMessage } from "./turn-messages.ts";
