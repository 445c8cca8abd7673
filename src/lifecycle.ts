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
  /** The handler of each kind of key. */
  handle(key: string, signal: AbortSignal): Promise<void>;
  /**
   * Takes up what the last process left, before anything new, and starts the engine: what was half removed goes before anybody sees it. A failure is a
   * failure to start.
   */
  recover(startEngine: () => Promise<void>): Promise<void>;
  /** Ends what still runs when the grace is over. */
  endWork(reason: AssistantError): void;
  /** How it is, for whoever listens to its start and its end. */
  state(): Promise<GatewayChanged>;
  /** What is left to close once nothing is handled any more. */
  close(reason: AssistantError): Promise<void>;
}

const DEFAULT_GRACE_MS = 5000;

/** Start once, stop once: recovery first, and at the end what runs may finish for a while. */
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
  /** Set while the host wants it awake: what it waits for keeps no process alive, as it is found again at the next start. */
  let release: (() => void) | undefined;

  function handleWhileRunning(key: string, signal: AbortSignal): Promise<void> {
    if (phase !== "running" && phase !== "starting") return Promise.reject(stoppedError());
    return track(handle(key, signal));
  }

  /** Work that a stop gives its grace. */
  function track<T>(work: Promise<T>): Promise<T> {
    const tracked: Promise<void> = work.then(noop, noop).finally(() => atWork.delete(tracked));
    atWork.add(tracked);
    return work;
  }

  function start(): Promise<void> {
    if (phase === "stopping" || phase === "stopped") return Promise.reject(stoppedError());
    // A failure is not remembered: what it lacked (a server that was down) may be there at the next try.
    starting ??= begin().catch(async (error: unknown) => {
      // Nothing is handled by what has not started, and an engine that runs starts no second time.
      if (hasEngine) await engine.stop();
      hasEngine = false;
      starting = undefined;
      if (phase === "starting" || phase === "running") phase = "new";
      throw error;
    });
    return starting;
  }

  /** As the host starts it: the process lives until `stop`. */
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
