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
  EventMap,
  EventOf,
  EventType,
  GatewayChanged,
  IterationStarted,
  SessionChanged,
  TaskCompleted,
  TaskStarted,
  ToolEnded,
  ToolStarted,
} from "./event-map.ts";
