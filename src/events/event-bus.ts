import { after, type Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import type { Counter, Histogram, Metrics } from "../telemetry/index.ts";
import type { AnyEvent, EventOf, EventType } from "./event-map.ts";
import { createRateLimit } from "./rate-limit.ts";

/** What a handler is told besides the event. */
export interface HandlerContext {
  /** Aborts when the handler's time is over. Made when it is first read. */
  readonly signal: AbortSignal;
}

/** Contract: may throw, reject or take too long; the bus reports it and goes on with the others. */
export type EventHandler<Type extends EventType | "*"> = (
  event: Type extends EventType ? EventOf<Type> : AnyEvent,
  context: HandlerContext,
) => Promise<void> | void;

/** How a handler listens. */
export interface SubscribeOptions {
  /** Who listens, in reports and metrics. Default `unnamed`. */
  readonly name?: string;
  /** Higher ones come first; equal ones in the order of subscription. Default 0. */
  readonly priority?: number;
  /** Milliseconds after which the bus goes on without the handler and aborts its signal. Default 10_000. */
  readonly timeoutMs?: number;
  /** At most so many events in any 60 seconds; the rest are skipped and counted. Default: no limit. */
  readonly maxRatePerMinute?: number;
}

/** A handler that threw or ran out of time. */
export interface EventFailure {
  /** The `name` that the handler subscribed with. */
  readonly handler: string;
  /** Of the event that it was called with. */
  readonly type: EventType;
  /** `timeout`: it may still be running, and its signal is aborted. */
  readonly reason: "threw" | "timeout";
  /** What it threw; of `timeout` the error that its signal was aborted with. */
  readonly error: unknown;
}

/** Tells parts of the program, and the host's code, what happens. Side effects listen; they never stand in the way of a reply. */
export interface EventBus {
  /**
   * Listens to one type of event, or to all with `"*"`.
   * @returns A function that stops listening; what is queued for the handler is dropped.
   * @throws {RangeError} If an option is out of range.
   */
  subscribe<Type extends EventType | "*">(
    type: Type,
    handler: EventHandler<Type>,
    options?: SubscribeOptions,
  ): () => void;
  /** Calls the handlers one after the other and waits for each. Contract: never throws; what failed comes back. */
  publish(event: AnyEvent): Promise<readonly EventFailure[]>;
  /** Returns at once. Each subscriber gets such events one at a time, in the order of publishing. Contract: never throws. */
  publishAsync(event: AnyEvent): void;
  /** Waits until everything from `publishAsync` is handled: at shutdown, and through `waitUntil` on Workers. */
  drain(): Promise<void>;
  /** Does anybody listen? Ask before building a payload that costs something. */
  has(type: EventType): boolean;
}

export interface EventBusOptions {
  readonly clock: Clock;
  /** Told of every failure, also of those that `publishAsync` leads to. Default: nobody is told. */
  readonly onFailure?: (failure: EventFailure, event: AnyEvent) => void;
  /** Counts publications, failures, skipped events and the handlers' time. Default: nothing is counted. */
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

/** A class as its getter must cost nothing on the way of an event whose handler does not ask for a signal. */
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

/** Source: docs/events.md. */
export function createEventBus(options: EventBusOptions): EventBus {
  const { clock, onFailure, metrics } = options;
  let subscribers: readonly Subscriber[] = [];
  /** Who gets an event of a type, in order; made anew when somebody comes or goes. */
  const plans = new Map<string, readonly Subscriber[]>();
  const published = new Map<string, Counter>();
  const timed = metrics !== undefined;
  /** When the last handler that returned no promise ended. */
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
   * Calls one handler. A handler that returns no promise costs no promise here either.
   * @param startedMs When the handler before it, in the same run, ended: reading the clock costs more than most handlers.
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
    // An arrow function may hand back something by accident, such as the new length of a list.
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
      // Most handlers are done a moment later: the timer is for those that are not.
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
    await Promise.resolve(); // the publisher goes on first
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
