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
  /** Where wakes are kept, under `engine/wakes/`. The engine is as durable as this store. */
  readonly store: Store;
  /** Tells when a key is due, and waits for it. */
  readonly clock: Clock;
  /** Told of every throw of a handler (with its key) and of every failed write that no caller waits for. Default: nothing is told. */
  readonly onError?: (error: unknown, key: string | undefined) => void;
  /** How long a key waits after its handler threw `failures` times in a row, in milliseconds. Default: 1 s, 5 s, 25 s, … at most 5 minutes. */
  readonly backoffMs?: (failures: number) => number;
  /** The log of wakes is replaced by a snapshot of what still waits once it holds so many records (and four times what waits). Default 4096. */
  readonly rotateRecords?: number;
}

/** A wake further away is looked at once a minute, so that a host that slept, or whose clock was set, is at most that late. */
const LOOK_AGAIN_MS = 60_000;
/** A clock that reads so much less than before was set back; less than that is drift. */
const SET_BACK_MS = 1000;

const DONE: Promise<void> = Promise.resolve();

type AskedWake = Wake;

interface Flight {
  readonly wake: AskedWake;
  readonly written: Promise<void>;
}

interface KeyState extends Due {
  readonly key: string;
  /** Durable, and no handler that answers them has started. */
  wakes: AskedWake[];
  /** Being written. */
  flights: Flight[];
  /** What the handler that runs (or is about to) answers. */
  answering: readonly AskedWake[];
  /** A wake was merged into another one since the last start: what its caller wrote beside it may not be readable yet. */
  joined: boolean;
  busy: boolean;
  controller: AbortController | undefined;
  nudged: boolean;
  failures: number;
  /** Until then the key waits, after a throw. */
  notBeforeMs: number;
  /** Until then it would wait, had a new wake not brought it forward; 0 when none did. */
  broughtForwardFromMs: number;
}

/**
 * The engine that lives in this process: wakes are a log in the store, times are timers of the clock.
 *
 * A wake is written in the tick in which it is asked for, so `Promise.all([store.append(…), engine.wake(key)])` costs one durable write on a
 * store that commits in groups. Keys run side by side without a limit; one timer waits for the earliest of all times.
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
  /** Handlers and writes that `stop` waits for. */
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
    // "Now" is kept as the beginning of time, so that it stays due when the clock is set back.
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

  /** Starts the key's handler if it is due, or sees to it that it is started when it will be. */
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

  /** A time of day waits for the new clock to reach it; a short wait and a back-off are durations, and begin anew at the most. */
  function clockWasSetBack(nowMs: number): void {
    for (const state of states.values()) {
      if (state.place === -1) continue;
      if (state.failures > 0) state.notBeforeMs = Math.min(state.notBeforeMs, nowMs + backoffMs(state.failures));
      state.wakes = state.wakes.map((wake) => noLater(wake, nowMs));
      schedule(state);
    }
  }

  /** A short wait takes no longer from now on than it was asked to take. */
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
    // A merged wake cost no write, so what was appended in its tick may still be on its way to the disk: one durable write waits for all of it.
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
      // A handler that `stop` aborted may have returned early: the next start looks again.
      () => ended(state, state.nudged || !controller.signal.aborted),
      (error: unknown) => failed(state, error),
    );
  }

  function failed(state: KeyState, error: unknown): void {
    if (phase !== "running") return ended(state, false);
    if (!state.nudged) {
      const nowMs = clock.now();
      // Many wakes that come while a cause lasts must not add up to a wait that outlasts it: the next try stays where it was.
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
    // Before the start nothing is known yet of what the last run left.
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
      throw new TypeError("Cannot start the engine as it runs already: stop it first");
    }
    phase = "starting";
    try {
      await adoptLeft();
    } catch (error) {
      if (phase === "starting") phase = "new";
      throw error;
    }
    if (phase !== "starting") return; // stopped meanwhile
    phase = "running";
    handle = handler;
    for (const state of states.values()) {
      state.notBeforeMs = 0;
      state.broughtForwardFromMs = 0;
      schedule(state);
    }
  }

  /** @returns The keys of what other runs of the program left: they are this run's now. */
  async function adoptLeft(): Promise<readonly KeyState[]> {
    const found = (await log.load()).map(({ key, wakes, failures }) => ({
      key,
      failures,
      // The clock may have been set back since they were asked for.
      wakes: wakes.map((wake) => noLater({ ...wake, number: ++lastNumber }, clock.now())),
    }));
    // Known before they are written, so that a snapshot that is made meanwhile holds them.
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
