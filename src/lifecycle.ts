import type { Clock } from "./clock.ts";
import type { Engine } from "./engine/index.ts";
import { AssistantError } from "./errors.ts";
import type { EventBus, GatewayChanged } from "./events/index.ts";
import type { Platform } from "./platform.ts";
import { withTimeout } from "./time-limit.ts";

export interface LifecycleParts {
  readonly engine: Engine;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly keepAlive: Platform["keepAlive"];
  /** Handles a wake of any kind of key. */
  handle(key: string, signal: AbortSignal): Promise<void>;
  /**
   * Recovers what the last process left, before anything new, and starts the engine. Interrupted removals finish before
   * the data becomes visible. A failure fails the start.
   */
  recover(startEngine: () => Promise<void>): Promise<void>;
  /** Aborts the work that still runs when the grace is over. */
  endWork(reason: AssistantError): void;
  /** The assistant's state, for listeners to its start and its end. */
  state(): Promise<GatewayChanged>;
  /** Closes the rest once no key is handled any more. */
  close(reason: AssistantError): Promise<void>;
}

const DEFAULT_GRACE_MS = 5000;

/** Starts once and stops once. A start recovers first; a stop gives running work a grace. */
export function createLifecycle({
  engine,
  events,
  clock,
  keepAlive,
  handle,
  recover,
  endWork,
  state,
  close,
}: LifecycleParts) {
  const ending = new AbortController();
  let phase: "new" | "starting" | "running" | "stopping" | "stopped" = "new";
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;
  let hasEngine = false;
  const atWork = new Set<Promise<void>>();
  /** Set while the host keeps it awake. Pending work alone keeps no process alive, since the next start finds it again. */
  let release: (() => void) | undefined;

  function handleWhileRunning(key: string, signal: AbortSignal): Promise<void> {
    if (phase !== "running" && phase !== "starting") return Promise.reject(stoppedError());
    return track(handle(key, signal));
  }

  /** Registers work that a stop waits for during its grace. */
  function track<T>(work: Promise<T>): Promise<T> {
    const tracked: Promise<void> = work.then(noop, noop).finally(() => atWork.delete(tracked));
    atWork.add(tracked);
    return work;
  }

  function start(): Promise<void> {
    if (phase === "stopping" || phase === "stopped") return Promise.reject(stoppedError());
    // A failure is not cached: its cause (a server that was down) may be gone at the next try.
    starting ??= begin().catch(async (error: unknown) => {
      // An assistant that has not started must handle nothing, and a running engine cannot start twice.
      if (hasEngine) await engine.stop();
      hasEngine = false;
      starting = undefined;
      if (phase === "starting" || phase === "running") phase = "new";
      throw error;
    });
    return starting;
  }

  /** The start by the host: keeps the process alive until `stop`. */
  async function startAwake(): Promise<void> {
    const starting = start();
    if (phase === "starting" || phase === "running") release ??= keepAlive();
    await starting.catch((error: unknown) => {
      letGo();
      throw error;
    });
  }

  function letGo(): void {
    release?.();
    release = undefined;
  }

  async function begin(): Promise<void> {
    phase = "starting";
    await recover(async () => {
      await engine.start(handleWhileRunning);
      hasEngine = true;
    });
    if (phase === "starting") phase = "running";
    await publish("gateway.startup");
  }

  function stop(options?: { readonly graceMs?: number } | null): Promise<void> {
    stopping ??= end(options ?? {});
    return stopping;
  }

  async function end({ graceMs = DEFAULT_GRACE_MS }: { readonly graceMs?: number }): Promise<void> {
    const wasRunning = phase === "running" || phase === "starting";
    phase = "stopping";
    if (wasRunning) {
      await starting?.catch(noop);
      await withTimeout(clock, graceMs, Promise.all(atWork), noop);
      endWork(stoppedError());
    }
    ending.abort(stoppedError());
    if (wasRunning) await engine.stop();
    await publish("gateway.shutdown");
    await events.drain();
    phase = "stopped";
    await close(stoppedError()).finally(letGo);
  }

  async function publish(type: "gateway.startup" | "gateway.shutdown"): Promise<void> {
    if (!events.has(type)) return;
    await events.publish({ type, sessionId: null, timestamp: clock.now(), payload: await state() });
  }

  return { start, startAwake, stop, track, ending: ending.signal, phase: () => phase };
}

function stoppedError(): AssistantError {
  return new AssistantError("STOPPED", "The assistant has stopped; what it accepted is answered after its next start");
}

function noop(): void {}
