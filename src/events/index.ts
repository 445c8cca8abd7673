export { createEventBus } from "./event-bus.ts";
export type {
  EventBus,
  EventBusOptions,
  EventFailure,
  EventHandler,
  HandlerContext,
  SubscribeOptions,
} from "./event-bus.ts";
export type {
  AnyEvent,
  ApprovalChanged,
  ContextCompact,
  EventMap,
  EventOf,
  EventType,
  GatewayChanged,
  IterationStarted,
  SessionChanged,
  TaskCompleted,
  TaskStarted,
  ToolCall,
  ToolEnded,
  ToolStarted,
} from "./event-map.ts";
export { publishForInjections } from "./injection.ts";
export type { ActivatedSkill, Inject, Injection, InjectionType } from "./injection.ts";
