import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import type { Store } from "../store/index.ts";
import { wakeBackoffMs } from "./backoff.ts";
import { createDueHeap } from "./due-heap.ts";
import type { Due } from "./due-heap.ts";
import type { Engine } from "./port.ts";
import { createWakeLog } from "./wake-log.ts";
import type { PendingKey, Wake } from "./wake-log.ts";

/** Options of `embeddedEngine`. */
export interface EmbeddedEngineOptions {
  /** Stores the wakes, under `engine/wakes/`. The engine is as durable as this store. */
  readonly store: Store;
  /** Tells when a key is due, and waits for it. */
  readonly clock: Clock;
  /**
   * Called for every throw of a handler (with its key) and for every failed write that no caller waits for. Default:
   * no call.
   */
  readonly onError?: (error: unknown, key: string | undefined) => void;
  /**
   * Milliseconds that a key waits after its handler threw `failures` times in a row. Default: 1 s, 5 s, 25 s, … at
   * most 5 minutes.
   */
  readonly backoffMs?: (failures: number) => number;
  /**
   * Number of records from which the log of wakes is replaced by a snapshot of pending wakes, if it also holds four
   * times as many as the snapshot. Default 4096.
   */
  readonly rotateRecords?: number;
}

/**
 * Longest timer. A wake further away is checked once a minute, so that it is at most that late after the host slept
 * or the clock was set.
 */
const LOOK_AGAIN_MS = 60_000;
/** A clock that reads this much less than before was set back; a smaller difference is drift. */
const SET_BACK_MS = 1000;

const DONE: Promise<void> = Promise.resolve();

type AskedWake = Wake;

interface Flight {
  readonly wake: AskedWake;
  readonly written: Promise<void>;
}

interface KeyState extends Due {
  readonly key: string;
  /** Durable wakes that no started handler answers. */
  wakes: AskedWake[];
  /** Wakes that are being written. */
  flights: Flight[];
  /** Wakes that the handler that runs (or is about to run) answers. */
  answering: readonly AskedWake[];
  /**
   * A wake was merged into another one since the last start, so a write that its caller made together with it may not
   * be readable yet.
   */
  joined: boolean;
  busy: boolean;
  controller: AbortController | undefined;
  nudged: boolean;
  failures: number;
  /** The key waits until then, after a throw. */
  notBeforeMs: number;
  /** End of the back-off before a new wake brought it forward; 0 if none did. */
  broughtForwardFromMs: number;
}

/**
 * Creates the engine that runs in this process: wakes are a log in the store, times are timers of the clock.
 *
 * A wake is written in the tick in which it is asked for, so `Promise.all([store.append(…), engine.wake(key)])` costs
 * one durable write on a store that commits in groups. Keys run in parallel without a limit; one timer waits for the
 * earliest of all times.
 *
 * Source: docs/decisions/0002-engine-only-wakes-keys.md.
 */
export function embeddedEngine(options: EmbeddedEngineOptions): Engine {
  const { store, clock, onError, backoffMs = wakeBackoffMs, rotateRecords = 4096 } = options;
  const states = new Map<string, KeyState>();
  const waiting = createDueHeap<KeyState>();
  const log = createWakeLog({ store, clock, pending, rotateRecords, onError: (error) => report(error, undefined) });
  let handle: ((key: string, signal: AbortSignal) => Promise<void>) | undefined;
  let phase: "new" | "starting" | "running" | "stopped" = "new";
  let takingUp: Promise<void> | undefined;
  let lastNumber = 0;
  let lastLookMs = 0;
  let timer: { readonly atMs: number; readonly cancel: () => void } | undefined;
  /** Number of running handlers and writes. `stop` waits for them. */
  let unsettled = 0;
  const onSettled: (() => void)[] = [];

  function report(error: unknown, key: string | undefined): void {
    try {
      onError?.(error, key);
    } catch {
      // A reporter that throws must not stop the key it reports about.
    }
  }

  function stateOf(key: string): KeyState {
    let state = states.get(key);
    if (state === undefined) {
      state = {
        key,
        wakes: [],
        flights: [],
        answering: [],
        joined: false,
        busy: false,
        controller: undefined,
        nudged: false,
        failures: 0,
        notBeforeMs: 0,
        broughtForwardFromMs: 0,
        dueMs: 0,
        place: -1,
      };
      states.set(key, state);
    }
    return state;
  }

  function* pending(): Generator<PendingKey> {
    for (const { key, wakes, flights, answering, failures } of states.values()) {
      yield { key, wakes: [...answering, ...wakes, ...flights.map((flight) => flight.wake)], failures };
    }
  }

  function begun(): void {
    unsettled++;
  }

  function settled(): void {
    unsettled--;
    if (unsettled > 0) return;
    for (const resolve of onSettled.splice(0)) resolve();
  }

  function wake(key: string, at?: Date): Promise<void> {
    const nowMs = clock.now();
    const dueMs = at === undefined ? nowMs : Math.max(nowMs, at.getTime());
    if (Number.isNaN(dueMs)) {
      return Promise.reject(new RangeError(`Cannot wake ${key} as its time is not a valid date`));
    }
    const state = stateOf(key);
    for (const { atMs } of state.wakes) {
      if (atMs > dueMs) continue;
      state.joined = true;
      if (state.notBeforeMs > dueMs) {
        state.broughtForwardFromMs ||= state.notBeforeMs;
        state.notBeforeMs = dueMs;
        schedule(state);
      }
      return DONE;
    }
    for (const { wake: flying, written } of state.flights) {
      if (flying.atMs > dueMs) continue;
      state.joined = true;
      return written;
    }
    // "Now" is stored as 0, so that the wake stays due when the clock is set back.
    const waitMs = dueMs - nowMs;
    return write(state, {
      number: ++lastNumber,
      atMs: waitMs === 0 ? 0 : dueMs,
      ...(waitMs <= LOOK_AGAIN_MS && { waitMs }),
    });
  }

  function write(state: KeyState, asked: AskedWake): Promise<void> {
    begun();
    const written = log.wake(state.key, asked).then(
      () => {
        landed(state, flight);
        state.wakes.push(asked);
        schedule(state);
      },
      (error: unknown) => {
        landed(state, flight);
        forgetWhenIdle(state);
        throw error;
      },
    );
    const flight: Flight = { wake: asked, written };
    state.flights.push(flight);
    return written;
  }

  function landed(state: KeyState, flight: Flight): void {
    state.flights.splice(state.flights.indexOf(flight), 1);
    settled();
  }

  function forgetWhenIdle(state: KeyState): void {
    if (!state.busy && state.wakes.length === 0 && state.flights.length === 0) states.delete(state.key);
  }

  /** Starts the key's handler if it is due; otherwise sets the timer. */
  function schedule(state: KeyState): void {
    if (phase !== "running" || state.busy) return;
    if (state.wakes.length === 0) {
      waiting.remove(state);
      forgetWhenIdle(state);
      return;
    }
    let dueMs = Infinity;
    for (const { atMs } of state.wakes) dueMs = Math.min(dueMs, atMs);
    dueMs = Math.max(dueMs, state.notBeforeMs);
    if (dueMs <= clock.now()) {
      begin(state);
    } else {
      waiting.set(state, dueMs);
      arm();
    }
  }

  function arm(): void {
    const first = waiting.first();
    if (first === undefined) {
      timer?.cancel();
      timer = undefined;
      return;
    }
    const atMs = Math.min(first.dueMs, clock.now() + LOOK_AGAIN_MS);
    if (timer !== undefined && timer.atMs <= atMs) return;
    timer?.cancel();
    lastLookMs = Math.max(lastLookMs, clock.now());
    timer = { atMs, cancel: clock.at(atMs, onTimer) };
  }

  function onTimer(): void {
    timer = undefined;
    if (phase !== "running") return;
    const nowMs = clock.now();
    if (nowMs < lastLookMs - SET_BACK_MS) clockWasSetBack(nowMs);
    lastLookMs = nowMs;
    for (let first = waiting.first(); first !== undefined && first.dueMs <= nowMs; first = waiting.first())
      begin(first);
    arm();
  }

  /**
   * A time of day waits until the new clock reaches it. A short wait and a back-off are durations: from now they take at
   * most their full length.
   */
  function clockWasSetBack(nowMs: number): void {
    for (const state of states.values()) {
      if (state.place === -1) continue;
      if (state.failures > 0) state.notBeforeMs = Math.min(state.notBeforeMs, nowMs + backoffMs(state.failures));
      state.wakes = state.wakes.map((wake) => noLater(wake, nowMs));
      schedule(state);
    }
  }

  /** Limits a short wait to its original duration, counted from now. */
  function noLater(wake: AskedWake, nowMs: number): AskedWake {
    return wake.waitMs === undefined ? wake : { ...wake, atMs: Math.min(wake.atMs, nowMs + wake.waitMs) };
  }

  function begin(state: KeyState): void {
    waiting.remove(state);
    const nowMs = clock.now();
    const [only] = state.wakes;
    if (state.wakes.length === 1 && only !== undefined && only.atMs <= nowMs) {
      state.answering = state.wakes;
      state.wakes = [];
    } else {
      state.answering = state.wakes.filter(({ atMs }) => atMs <= nowMs);
      state.wakes = state.wakes.filter(({ atMs }) => atMs > nowMs);
    }
    state.busy = true;
    begun();
    if (!state.joined) return run(state);
    // A merged wake caused no write, so what was appended in its tick may not be on disk yet. One durable write waits
    // for all of it.
    state.joined = false;
    log.barrier().then(
      () => run(state),
      (error: unknown) => failed(state, error),
    );
  }

  function run(state: KeyState): void {
    if (handle === undefined || phase !== "running") return ended(state, false);
    const controller = new AbortController();
    state.controller = controller;
    let handling: Promise<void>;
    try {
      handling = Promise.resolve(handle(state.key, controller.signal));
    } catch (error) {
      handling = Promise.reject(error);
    }
    handling.then(
      // A handler that `stop` aborted may have returned early, so its wakes stay for the next start.
      () => ended(state, state.nudged || !controller.signal.aborted),
      (error: unknown) => failed(state, error),
    );
  }

  function failed(state: KeyState, error: unknown): void {
    if (phase !== "running") return ended(state, false);
    if (!state.nudged) {
      const nowMs = clock.now();
      // Many wakes during one failure must not add up to a wait that outlasts it, so the next try keeps its time.
      const isBroughtForward = state.broughtForwardFromMs > nowMs;
      if (!isBroughtForward) state.failures++;
      const againMs = nowMs + backoffMs(state.failures);
      state.notBeforeMs = isBroughtForward ? Math.min(state.broughtForwardFromMs, againMs) : againMs;
      state.broughtForwardFromMs = 0;
      if (!isBroughtForward) track(log.failed(state.key, state.failures));
      report(error, state.key);
    }
    ended(state, false);
  }

  function ended(state: KeyState, answered: boolean): void {
    if (answered) {
      state.failures = 0;
      state.notBeforeMs = 0;
      state.broughtForwardFromMs = 0;
      track(log.answered(state.key, state.answering));
    } else {
      state.wakes.push(...state.answering);
    }
    state.answering = [];
    state.controller = undefined;
    state.nudged = false;
    state.busy = false;
    schedule(state);
    settled();
  }

  async function compact(isGone: (key: string) => boolean = () => false): Promise<void> {
    // Before the start, the wakes that the last run left are not loaded yet.
    if (phase === "new") await adoptLeft();
    for (const state of states.values()) {
      if (state.busy || !isGone(state.key)) continue;
      state.wakes = [];
      schedule(state);
    }
    return log.compact();
  }

  function track(mark: Promise<void>): void {
    begun();
    void mark.then(settled);
  }

  async function start(handler: (key: string, signal: AbortSignal) => Promise<void>): Promise<void> {
    if (phase === "starting" || phase === "running") {
      throw new TypeError("Cannot start the engine as it is already running: stop it first");
    }
    phase = "starting";
    try {
      await adoptLeft();
    } catch (error) {
      if (phase === "starting") phase = "new";
      throw error;
    }
    if (phase !== "starting") return; // stopped in the meantime
    phase = "running";
    handle = handler;
    for (const state of states.values()) {
      state.notBeforeMs = 0;
      state.broughtForwardFromMs = 0;
      schedule(state);
    }
  }

  /** Loads the wakes that earlier runs of the program left and makes them this run's. @returns Their keys. */
  async function adoptLeft(): Promise<readonly KeyState[]> {
    const found = (await log.load()).map(({ key, wakes, failures }) => ({
      key,
      failures,
      // The clock may have been set back since the wakes were asked for.
      wakes: wakes.map((wake) => noLater({ ...wake, number: ++lastNumber }, clock.now())),
    }));
    // Added to the state before they are written, so that a snapshot made in the meantime contains them.
    const adopted = found.map(({ key, wakes, failures }) => {
      const state = stateOf(key);
      state.wakes.push(...wakes);
      state.failures = Math.max(state.failures, failures);
      return state;
    });
    await log.adopt(found);
    return adopted;
  }

  function takeUp(): Promise<void> {
    takingUp ??= adoptLeft()
      .then((states) => states.forEach(schedule))
      .finally(() => (takingUp = undefined));
    return takingUp;
  }

  function nudge(key: string): void {
    const state = states.get(key);
    if (state?.controller === undefined) return;
    state.nudged = true;
    state.controller.abort(new AssistantError("ABORTED", `Nudged: ${key} has something newer to look at`));
  }

  async function stop(): Promise<void> {
    phase = "stopped";
    timer?.cancel();
    timer = undefined;
    const reason = new AssistantError("STOPPED", "The engine stops: the key is handled again at the next start");
    for (const state of states.values()) state.controller?.abort(reason);
    if (unsettled > 0) await new Promise<void>((resolve) => onSettled.push(resolve));
  }

  return { start, wake, takeUp, nudge, compact, stop };
}
