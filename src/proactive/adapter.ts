import type { AnyEvent, EventBus, HandlerContext, Inject, SubscribeOptions } from "../events/index.ts";
import type { HookContext, Injections, ProactiveHook } from "./hook.ts";

/**
 * Subscribes a hook's functions to the bus, which applies order, time limit, rate and isolation.
 * @returns A function that unsubscribes them.
 */
export function subscribeHook(
  events: Pick<EventBus, "subscribe">,
  hook: ProactiveHook,
  options: SubscribeOptions,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): () => void {
  const about = (event: AnyEvent, context: HandlerContext) =>
    new LazyHookContext(event.sessionId ?? "", dryRun, context);
  const stops: (() => void)[] = [];
  if (hook.onTaskStart) {
    stops.push(
      events.subscribe(
        "task.started",
        (event, context) =>
          hand(hook, hook.onTaskStart?.(event.payload, about(event, context)), event.payload.inject, context),
        options,
      ),
    );
  }
  if (hook.onIterationStart) {
    stops.push(
      events.subscribe(
        "iteration.started",
        (event, context) =>
          hand(hook, hook.onIterationStart?.(event.payload, about(event, context)), event.payload.inject, context),
        options,
      ),
    );
  }
  if (hook.onToolCompleted) {
    stops.push(
      events.subscribe(
        "tool.completed",
        (event, context) =>
          hand(hook, hook.onToolCompleted?.(event.payload, about(event, context)), event.payload.inject, context),
        options,
      ),
    );
  }
  if (hook.onTaskCompleted) {
    stops.push(
      events.subscribe(
        "task.completed",
        (event, context) => hook.onTaskCompleted?.(event.payload, about(event, context)),
        options,
      ),
    );
  }
  return () => {
    for (const stop of stops) stop();
  };
}

/** A class with a getter: an object literal with its own accessor for each call costs more than all else here. */
class LazyHookContext implements HookContext {
  readonly sessionKey: string;
  readonly dryRun: boolean;
  readonly #handler: HandlerContext;

  constructor(sessionKey: string, dryRun: boolean, handler: HandlerContext) {
    this.sessionKey = sessionKey;
    this.dryRun = dryRun;
    this.#handler = handler;
  }

  get signal(): AbortSignal {
    return this.#handler.signal;
  }
}

/**
 * Injects what a hook returned. Drops what arrives after the hook's time limit, even if other hooks are still running.
 */
function hand(
  hook: ProactiveHook,
  returned: Promise<Injections> | Injections,
  inject: Inject,
  context: HandlerContext,
): Promise<void> | void {
  if (!(returned instanceof Promise)) return injectAll(hook, returned, inject);
  return returned.then((injections) => {
    if (!context.signal.aborted) injectAll(hook, injections, inject);
  });
}

function injectAll({ name }: ProactiveHook, injections: Injections, inject: Inject): void {
  if (injections === undefined || injections === null) return;
  if (!Array.isArray(injections)) {
    throw new TypeError(
      `Cannot use what the hook ${name} returned: expected a list of injections, or nothing; got a ${typeof injections}`,
    );
  }
  for (const injection of injections) inject(injection);
}
