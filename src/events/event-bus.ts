import { after, type Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import type { Counter, Histogram, Metrics } from "../telemetry/index.ts";
import type { AnyEvent, EventOf, EventType } from "./event-map.ts";
import { createRateLimit } from "./rate-limit.ts";

/** What a handler receives in addition to the event. */
export interface HandlerContext {
  /** Aborts when the handler's time is over. Created on first access. */
  readonly signal: AbortSignal;
}

/**
 * Handles an event. Contract: may throw, reject or take too long; the bus reports it and continues with the other
 * handlers.
 */
export type EventHandler<Type extends EventType | "*"> = (
  event: Type extends EventType ? EventOf<Type> : AnyEvent,
  context: HandlerContext,
) => Promise<void> | void;

/** Options of a subscription. */
export interface SubscribeOptions {
  /** Name of the handler in reports and metrics. Default `unnamed`. */
  readonly name?: string;
  /** Handlers with a higher priority are called first, equal ones in the order of subscription. Default 0. */
  readonly priority?: number;
  /** Milliseconds after which the bus aborts the handler's signal and continues without it. Default 10_000. */
  readonly timeoutMs?: number;
  /** Maximum number of events in any 60 seconds; further events are skipped and counted. Default: no limit. */
  readonly maxRatePerMinute?: number;
}

/** A handler that threw or timed out. */
export interface EventFailure {
  /** The `name` that the handler subscribed with. */
  readonly handler: string;
  /** Type of the event that it was called with. */
  readonly type: EventType;
  /** `timeout`: the handler may still be running, and its signal is aborted. */
  readonly reason: "threw" | "timeout";
  /** What the handler threw; for `timeout` the error that its signal was aborted with. */
  readonly error: unknown;
}

/**
 * Announces events to other parts of the program and to the host program's code. Side effects subscribe here, so they
 * never delay a reply.
 */
export interface EventBus {
  /**
   * Subscribes to one type of event, or to all with `"*"`.
   * @returns A function that unsubscribes; events queued for the handler are dropped.
   * @throws {RangeError} If an option is out of range.
   */
  subscribe<Type extends EventType | "*">(
    type: Type,
    handler: EventHandler<Type>,
    options?: SubscribeOptions,
  ): () => void;
  /** Calls the handlers one after the other and waits for each. Contract: never throws; it returns the failures. */
  publish(event: AnyEvent): Promise<readonly EventFailure[]>;
  /**
   * Queues an event and returns at once. Each subscriber gets such events one at a time, in the order of publishing.
   * Contract: never throws.
   */
  publishAsync(event: AnyEvent): void;
  /** Waits until everything from `publishAsync` is handled: at shutdown, and through `waitUntil` on Workers. */
  drain(): Promise<void>;
  /** Whether the type has a subscriber. Check it before building an expensive payload. */
  has(type: EventType): boolean;
}

export interface EventBusOptions {
  readonly clock: Clock;
  /** Called for every failure, including those after `publishAsync`. Default: no call. */
  readonly onFailure?: (failure: EventFailure, event: AnyEvent) => void;
  /** Counts publications, failures, skipped events and the handlers' time. Default: no metrics. */
  readonly metrics?: Metrics;
}

interface Subscriber {
  readonly name: string;
  readonly type: EventType | "*";
  readonly handler: EventHandler<"*">;
  readonly priority: number;
  readonly timeoutMs: number;
  readonly mayPass: ((nowMs: number) => boolean) | undefined;
  readonly latency: Histogram | undefined;
  active: boolean;
  queue: AnyEvent[];
  draining: boolean;
}

type Outcome = EventFailure | undefined;

const NO_FAILURES: Promise<readonly EventFailure[]> = Promise.resolve([]);

/** A class, because its getter costs nothing for an event whose handler does not read the signal. */
class LazyContext implements HandlerContext {
  #controller: AbortController | undefined;
  #reason: unknown;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

/**
 * Creates an event bus.
 *
 * Source: docs/events.md.
 */
export function createEventBus(options: EventBusOptions): EventBus {
  const { clock, onFailure, metrics } = options;
  let subscribers: readonly Subscriber[] = [];
  /** Subscribers of each type, in order; cleared when a subscription changes. */
  const plans = new Map<string, readonly Subscriber[]>();
  const published = new Map<string, Counter>();
  const timed = metrics !== undefined;
  /** End of the last handler that returned no promise, in milliseconds. */
  let endedMs = 0;
  let draining = 0;
  const onDrained: (() => void)[] = [];

  function planOf(type: string): readonly Subscriber[] {
    let plan = plans.get(type);
    if (plan === undefined) {
      plan = subscribers.filter((subscriber) => subscriber.type === type || subscriber.type === "*");
      plans.set(type, plan);
    }
    return plan;
  }

  function count(type: string): void {
    if (metrics === undefined) return;
    let counter = published.get(type);
    if (counter === undefined)
      published.set(type, (counter = metrics.counter("event.bus.publish_total", { event_type: type })));
    counter.increment();
  }

  function subscribe<Type extends EventType | "*">(
    type: Type,
    handler: EventHandler<Type>,
    given?: SubscribeOptions,
  ): () => void {
    const { name = "unnamed", priority = 0, timeoutMs = 10_000, maxRatePerMinute } = given ?? {};
    if (typeof handler !== "function") throw new TypeError(`Cannot subscribe ${name} as its handler is no function`);
    if (!Number.isFinite(priority)) {
      throw new RangeError(
        `Cannot subscribe ${name} as priority must be a finite number: current value is ${priority}`,
      );
    }
    if (!(timeoutMs > 0)) {
      throw new RangeError(`Cannot subscribe ${name} as timeoutMs must be above 0: current value is ${timeoutMs}`);
    }
    if (maxRatePerMinute !== undefined && !(Number.isInteger(maxRatePerMinute) && maxRatePerMinute > 0)) {
      throw new RangeError(
        `Cannot subscribe ${name} as maxRatePerMinute must be a whole number of 1 or more: current value is ${maxRatePerMinute}`,
      );
    }
    const subscriber: Subscriber = {
      name,
      type,
      handler: handler as EventHandler<"*">, // the plan of a type holds only handlers of that type and of "*"
      priority,
      timeoutMs,
      mayPass: maxRatePerMinute === undefined ? undefined : createRateLimit(maxRatePerMinute),
      latency: metrics?.histogram("event.bus.handler_latency_seconds", { handler_name: name }),
      active: true,
      queue: [],
      draining: false,
    };
    const place = subscribers.findIndex((other) => other.priority < priority);
    subscribers = place === -1 ? [...subscribers, subscriber] : subscribers.toSpliced(place, 0, subscriber);
    plans.clear();
    return () => {
      if (!subscriber.active) return;
      subscriber.active = false;
      subscriber.queue = [];
      subscribers = subscribers.filter((other) => other !== subscriber);
      plans.clear();
    };
  }

  /**
   * Calls one handler. For a handler that returns no promise, no promise is created here either.
   * @param startedMs End of the previous handler of the same run: reading the clock costs more than most handlers.
   */
  function deliver(
    subscriber: Subscriber,
    event: AnyEvent,
    startedMs = timed ? clock.now() : 0,
  ): Outcome | Promise<Outcome> {
    if (!subscriber.active) return undefined;
    const { mayPass, latency } = subscriber;
    if (mayPass !== undefined && !mayPass(timed ? startedMs : clock.now())) {
      metrics?.increment("event.bus.handler_skipped_total", { handler_name: subscriber.name });
      return undefined;
    }
    const context = new LazyContext();
    let result: Promise<void> | void;
    try {
      result = subscriber.handler(event, context);
    } catch (error) {
      return failure(subscriber, event, "threw", error);
    }
    // An arrow function may return a value by accident, such as the new length of a list.
    if (typeof result !== "object") {
      if (latency !== undefined) latency.observe(((endedMs = clock.now()) - startedMs) / 1000);
      return undefined;
    }
    return settle(subscriber, event, context, result, startedMs);
  }

  function settle(
    subscriber: Subscriber,
    event: AnyEvent,
    context: LazyContext,
    result: Promise<void>,
    startedMs: number,
  ): Promise<Outcome> {
    return new Promise((resolve) => {
      let settled = false;
      let cancel: (() => void) | undefined;
      const end = (outcome: Outcome): void => {
        settled = true;
        cancel?.();
        subscriber.latency?.observe((clock.now() - startedMs) / 1000);
        resolve(outcome);
      };
      Promise.resolve(result).then(
        () => settled || end(undefined),
        (error: unknown) => settled || end(failure(subscriber, event, "threw", error)),
      );
      // Most handlers finish within two microtasks; the timer is only for the others.
      void Promise.resolve()
        .then(noop)
        .then(() => {
          if (settled) return;
          cancel = after(clock, subscriber.timeoutMs, () => {
            const error = new DOMException(
              `The handler ${subscriber.name} of ${event.type} took longer than ${subscriber.timeoutMs} ms`,
              "TimeoutError",
            );
            end(failure(subscriber, event, "timeout", error));
            context.abort(error);
          });
        });
    });
  }

  function failure(
    subscriber: Subscriber,
    event: AnyEvent,
    reason: EventFailure["reason"],
    error: unknown,
  ): EventFailure {
    const failed: EventFailure = { handler: subscriber.name, type: event.type, reason, error };
    metrics?.increment("event.bus.handler_error_total", { handler_name: subscriber.name });
    try {
      onFailure?.(failed, event);
    } catch {
      // A reporter that throws must not stop the other handlers.
    }
    return failed;
  }

  function publish(event: AnyEvent): Promise<readonly EventFailure[]> {
    if (!isEvent(event)) return Promise.reject(noEvent("publish", event));
    count(event.type);
    const plan = planOf(event.type);
    let failures: EventFailure[] | undefined;
    if (timed && plan.length > 0) endedMs = clock.now();
    for (let index = 0; index < plan.length; index++) {
      const outcome = deliver(plan[index] as Subscriber, event, endedMs);
      if (outcome === undefined) continue;
      if (outcome instanceof Promise) return publishRest(plan, index + 1, event, outcome, failures ?? []);
      (failures ??= []).push(outcome);
    }
    return failures === undefined ? NO_FAILURES : Promise.resolve(failures);
  }

  async function publishRest(
    plan: readonly Subscriber[],
    from: number,
    event: AnyEvent,
    running: Promise<Outcome>,
    failures: EventFailure[],
  ): Promise<readonly EventFailure[]> {
    const first = await running;
    if (first !== undefined) failures.push(first);
    for (let index = from; index < plan.length; index++) {
      const delivered = deliver(plan[index] as Subscriber, event);
      const outcome = delivered instanceof Promise ? await delivered : delivered;
      if (outcome !== undefined) failures.push(outcome);
    }
    return failures;
  }

  function publishAsync(event: AnyEvent): void {
    if (!isEvent(event)) throw noEvent("publishAsync", event);
    count(event.type);
    for (const subscriber of planOf(event.type)) {
      subscriber.queue.push(event);
      if (!subscriber.draining) void drainQueue(subscriber);
    }
  }

  async function drainQueue(subscriber: Subscriber): Promise<void> {
    subscriber.draining = true;
    draining++;
    await Promise.resolve(); // the publisher continues first
    while (subscriber.queue.length > 0) {
      const batch = subscriber.queue;
      subscriber.queue = [];
      for (const event of batch) await deliver(subscriber, event);
    }
    subscriber.draining = false;
    draining--;
    if (draining === 0) for (const resolve of onDrained.splice(0)) resolve();
  }

  return {
    subscribe,
    publish,
    publishAsync,
    drain: () => (draining === 0 ? Promise.resolve() : new Promise((resolve) => onDrained.push(resolve))),
    has: (type) => planOf(type).length > 0,
  };
}

const noop = () => {};

function isEvent(event: { readonly type?: unknown } | null | undefined): boolean {
  return typeof event?.type === "string";
}

function noEvent(call: string, event: unknown): AssistantError {
  return new AssistantError(
    "OPTION_INVALID",
    `Invalid event for events.${call}(): expected an object with a type, got ${JSON.stringify(event)}`,
  );
}
