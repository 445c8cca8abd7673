export { createEventBus } from "./event-bus.ts";
export type { EventBus, EventFailure, EventHandler, HandlerContext, SubscribeOptions } from "./event-bus.ts";
export type {
  AnyEvent,
  EventMap,
  EventOf,
  EventType,
  GatewayChanged,
  IterationStarted,
  TaskCompleted,
  TaskStarted,
  ToolEnded,
} from "./event-map.ts";
export { publishForInjections } from "./injection.ts";
export type { ActivatedSkill, Inject, Injection, InjectionType } from "./injection.ts";
