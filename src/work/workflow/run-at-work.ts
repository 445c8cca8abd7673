import { MAX_OPEN } from "../../approvals/index.ts";
import { type Clock, after } from "../../clock.ts";
import type { Engine } from "../../engine/index.ts";
import { AssistantError, isOfStore, messageOf } from "../../errors.ts";
import type { JsonValue } from "../../store/index.ts";
import { startDeadline } from "../../time-limit.ts";
import {
  type Runs,
  type StepDefinition,
  type StepError,
  type StepPlace,
  type StepState,
  type WorkflowRun,
  afterFailure,
  fillIn,
  gathered,
  isEnded,
  isMet,
  isOver,
  parseCondition,
  parseForEach,
  type Reference,
  planRun,
  stateOf,
  stepOf,
} from "../../workflow/index.ts";
import { begun, begunForEach, ended, spend, withStep } from "./changes.ts";
import { placeName, workflowKeyOf } from "./keys.ts";
import type { Progress } from "./progress.ts";
import type { RunEnds } from "./run-ends.ts";
import type { Spending } from "./spending.ts";
import type { StepOutcome, StepWork } from "./step-work.ts";
import type { Values } from "./values.ts";
import { type Waits, timedOut, waitingSteps } from "./waits.ts";

export interface RunAtWorkDeps {
  readonly runs: Pick<Runs, "find" | "change">;
  readonly work: StepWork;
  readonly values: Values;
  readonly waits: Waits;
  readonly spending: Pick<Spending, "usedUp">;
  readonly ends: RunEnds;
  readonly progress: Pick<Progress, "changed">;
  readonly engine: Pick<Engine, "wake">;
  readonly clock: Clock;
}

/** Most items of a step that runs for each item. */
const MAX_ITEMS = 500;

/** A try under way. */
interface UnderWay {
  readonly place: StepPlace;
  readonly attempt: number;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** Signals to a process that works on a run. */
export interface RunSignals {
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
  readonly changes: Pick<Changes, "next">;
}

/** @returns A function that does all that can be done of a run now and returns its new state. */
export function createAdvance(deps: RunAtWorkDeps, { maxParallel }: { readonly maxParallel: number }) {
  return (run: WorkflowRun, signals: RunSignals): Promise<WorkflowRun> =>
    createRunAtWork(deps, maxParallel, signals).advance(run);
}

/** One run that this process works on. */
function createRunAtWork(deps: RunAtWorkDeps, maxParallel: number, { signal, changes }: RunSignals) {
  const { runs, work, values, waits, spending, ends, progress, engine, clock } = deps;
  const underWay = new Map<string, UnderWay>();
  /** Start of the active time that is not counted yet. */
  let countedAt = clock.now();
  let endDeadline = () => {};

  async function advance(given: WorkflowRun): Promise<WorkflowRun> {
    let run = given;
    try {
      for (;;) {
        signal.throwIfAborted();
        const busy = [...underWay.keys()];
        run = (await runs.find(run.id)) ?? run;
        stopOutdated(run);
        if (run.cancel || isEnded(run)) {
          stopAll(new AssistantError("ABORTED", "The workflow was cancelled"));
          await allDone();
          // Read again, with what the tries under way have started.
          return isEnded(run) ? run : await ends.cancelled((await runs.find(run.id)) ?? run);
        }
        const taken = await takeIn(run);
        const plan = planRun(run, clock.now(), MAX_OPEN.session);
        const usedUp = taken === run && plan.ready.length > 0 ? await spending.usedUp(run) : undefined;
        // A try that ended after the run was read is still `running` in it. It must not be taken for one that a crash
        // cut off.
        if (taken !== run || busy.some((name) => !underWay.has(name))) continue;
        if (plan.skip.length > 0 || plan.gather.length > 0 || plan.due.length > 0) {
          await settleSteps(run, plan);
          continue;
        }
        const mayBegin = plan.failed === undefined && usedUp === undefined;
        const ready = plan.ready.filter((place) => !underWay.has(placeName(place)));
        const starting = mayBegin ? ready.slice(0, Math.max(0, maxParallel - underWay.size)) : [];
        if (starting.length > 0) {
          await begin(run, starting);
          continue;
        }
        if (underWay.size === 0) {
          if (plan.failed) return await ends.failed(run, failureOf(run, plan.failed), plan.failed);
          if (plan.isOver) return await finish(run);
          if (usedUp !== undefined && ready.length > 0)
            return await ends.failed(run, { code: "BUDGET_EXCEEDED", message: `The budget is used up: ${usedUp}` });
          return await rest(run, plan.nextAt);
        }
        await somethingHappens(plan.nextAt);
      }
    } finally {
      // After a failure of the store too: stopping the other tries here would end their turns for good.
      await allDone();
      endDeadline();
    }
  }

  /** All steps are over: stores the run's output and ends it. */
  async function finish(run: WorkflowRun): Promise<WorkflowRun> {
    let kept: Awaited<ReturnType<Values["keep"]>>;
    try {
      kept = await values.keep(run, "output", await outputOf(run));
    } catch (error) {
      if (isOfStore(error)) throw error;
      const { code, message } = errorOf(error);
      return ends.failed(run, { code, message: `Its output: ${message}` });
    }
    return ends.done(run, kept);
  }

  /** Waits until a try ends, the run is changed, or the time comes that another step waits for. */
  async function somethingHappens(nextAt: number | undefined): Promise<void> {
    let cancel = () => {};
    const time = new Promise<void>((resolve) => {
      if (nextAt !== undefined) cancel = after(clock, Math.max(0, nextAt - clock.now()), resolve);
    });
    try {
      await Promise.race([time, changes.next(), ...[...underWay.values()].map(({ done }) => done)]);
    } finally {
      cancel();
    }
  }

  /** Nothing can be done now: schedules a wake for the next time, if any, and lets the process go. */
  async function rest(run: WorkflowRun, nextAt: number | undefined): Promise<WorkflowRun> {
    if (nextAt !== undefined) await engine.wake(workflowKeyOf(run.id), new Date(nextAt));
    if (run.status === "waiting") return run;
    const waiting = await runs.change(run.id, (newest) =>
      newest.status === "running" ? { ...newest, status: "waiting" } : null,
    );
    progress.changed(waiting);
    return waiting;
  }

  /** Applies the outcome of a waiting step, if there is one. */
  async function takeIn(run: WorkflowRun): Promise<WorkflowRun> {
    for (const waiting of waitingSteps(run)) {
      const outcome = await waits.outcomeOf(run, waiting);
      if (outcome) return write(run.id, waiting, outcome);
    }
    return run;
  }

  async function settleSteps(run: WorkflowRun, { skip, gather, due }: ReturnType<typeof planRun>): Promise<void> {
    const now = clock.now();
    const next = await runs.change(run.id, (newest) => {
      let after = newest;
      for (const { id, with: skippedWith } of skip)
        after = withStep(after, { id }, { status: "skipped", attempt: 0, endedAt: now, skippedWith });
      for (const id of gather) {
        const state = stateOf(after, id);
        after = withStep(after, { id }, { ...state, ...gathered(stepOf(run, id), state), endedAt: now });
      }
      return after;
    });
    for (const { id } of skip) progress.changed(next, { id });
    for (const id of gather) progress.changed(next, { id });
    for (const place of due) {
      const { attempt, wait } = stateOf(next, place.id, place.item);
      if (wait?.run !== undefined) await ends.stopRun(next, wait.run);
      await write(run.id, { place, step: stepOf(run, place.id), attempt }, timedOut(wait));
    }
  }

  /**
   * Begins tries. All of them are written before any has an effect. A step that has changed since it was planned does
   * not begin.
   */
  async function begin(run: WorkflowRun, places: readonly StepPlace[]): Promise<void> {
    const openings = await Promise.all(
      places.map(async (place) => ({
        place,
        planned: stateOf(run, place.id, place.item),
        open: await opening(run, place),
      })),
    );
    const now = clock.now();
    if (underWay.size === 0) countedAt = now;
    let opened: typeof openings = [];
    const next = await runs.change(run.id, (newest) => {
      opened =
        newest.cancel || isEnded(newest)
          ? []
          : openings.filter(({ place: { id, item }, planned }) => isSameTry(planned, stateOf(newest, id, item)));
      return opened.length === 0 ? null : opened.reduce((after, { open }) => open(after, now), newest);
    });
    for (const { place, planned } of opened) {
      const state = stateOf(next, place.id, place.item);
      progress.changed(next, place);
      if (state.status !== "running" || (place.item === undefined && state.items)) continue;
      start(next, place, state.attempt, planned.status === "running");
    }
    limitTime(next);
  }

  /** Decides how a step begins: it is skipped, it gets items, it cannot begin, or a try begins. */
  async function opening(run: WorkflowRun, place: StepPlace): Promise<(run: WorkflowRun, now: number) => WorkflowRun> {
    const { id, item } = place;
    const step = stepOf(run, id);
    const state = stateOf(run, id, item);
    const isWhole = item === undefined && state.status === "pending";
    if (!isWhole) return (newest, now) => begun(newest, place, now);
    const lookup = values.lookupIn(run, place);
    try {
      const condition = step.if === undefined ? undefined : parseCondition(step.if);
      if (condition !== undefined && typeof condition !== "string" && !(await isMet(condition, lookup)))
        return (newest, now) =>
          withStep(newest, place, { status: "skipped", attempt: state.attempt, startedAt: now, endedAt: now });
      if (step.forEach === undefined) return (newest, now) => begun(newest, place, now);
      const reference = parseForEach(step.forEach);
      const over =
        typeof reference === "string" ? undefined : ((await lookup(reference)) ?? nothingGiven(run, reference));
      if (!Array.isArray(over)) throw new TypeError(`for_each: ${step.forEach} is not a list`);
      if (over.length > MAX_ITEMS)
        throw new TypeError(`for_each: expected at most ${MAX_ITEMS} items, got ${over.length}`);
      return (newest, now) => begunForEach(newest, id, over as readonly JsonValue[], now);
    } catch (error) {
      if (isOfStore(error)) throw error;
      const { before } = state;
      const tried = { attempt: state.attempt + 1, ...(before !== undefined && { before }) };
      const problem = { code: "BAD_VALUE", message: messageOf(error) };
      return (newest, now) => {
        const failure: StepState = { ...tried, ...afterFailure(step, tried, problem, now), startedAt: now };
        return withStep(newest, place, isOver(failure) ? { ...failure, endedAt: now } : failure);
      };
    }
  }

  function start(run: WorkflowRun, place: StepPlace, attempt: number, isAgain: boolean): void {
    const step = stepOf(run, place.id);
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const doing = async () => {
      let outcome: StepOutcome;
      try {
        outcome = await work({ run, step, place, attempt, isAgain, signal: either });
      } catch (error) {
        // The process stops, or the try was superseded: the document has the new state.
        if (signal.aborted || (stop.signal.aborted && !isBudget(stop.signal.reason))) return;
        const reason: unknown = stop.signal.aborted ? stop.signal.reason : error;
        // A store failure is thrown, so that the try is repeated under the same key, as after a crash.
        if (isOfStore(reason)) throw reason;
        outcome = { status: "failed", error: errorOf(reason) };
      }
      await write(run.id, { place, step, attempt }, outcome);
    };
    const name = placeName(place);
    const done = doing().finally(() => underWay.delete(name));
    // Awaited in the race, or at the end.
    done.catch(() => undefined);
    underWay.set(name, { place, attempt, stop, done });
  }

  /** Writes the outcome of a try and what it used. */
  async function write(
    runId: string,
    of: { readonly place: StepPlace; readonly step: StepDefinition; readonly attempt: number },
    given: StepOutcome,
  ): Promise<WorkflowRun> {
    const { place, attempt } = of;
    let outcome: Parameters<typeof ended>[2] = given;
    if (given.status === "done") {
      try {
        const run = await runs.find(runId);
        if (run)
          outcome = {
            ...given,
            kept: await values.keep(run, place, given.output, attempt),
          };
      } catch (error) {
        // Any other failure of the store is thrown: the try is repeated under the same key.
        if (!(error instanceof RangeError)) throw error;
        outcome = { ...given, status: "failed", error: { code: "TOO_LONG", message: messageOf(error) } };
      }
    }
    const now = clock.now();
    const activeMs = underWay.size > 0 ? Math.max(0, now - countedAt) : 0;
    countedAt = now;
    const run = await runs.change(runId, (newest) => {
      const next = ended(newest, of, outcome, { now, activeMs });
      // The use counts even when the outcome does not.
      const { tokens = 0, toolCalls = 0, cost } = given;
      return (
        next ??
        spend(newest, {
          tokens,
          toolCalls,
          activeMs: activeMs + (given.activeMs ?? 0),
          ...(cost !== undefined && { cost }),
        })
      );
    });
    progress.changed(run, place);
    return run;
  }

  /** Stops the tries under way when the run's remaining time is over. */
  function limitTime({ budget, spent }: WorkflowRun): void {
    endDeadline();
    const leftMs = Math.max(0, budget.maxSeconds * 1000 - spent.activeMs - (clock.now() - countedAt));
    const late = () =>
      new AssistantError("BUDGET_EXCEEDED", `The budget is used up: max_seconds: ${budget.maxSeconds}`);
    const deadline = startDeadline(clock, leftMs, late, signal);
    const stop = () => void (isBudget(deadline.signal.reason) && stopAll(deadline.signal.reason));
    deadline.signal.addEventListener("abort", stop, { once: true });
    endDeadline = () => {
      deadline.signal.removeEventListener("abort", stop);
      deadline.end();
    };
  }

  /** Stops tries whose step was reset in the meantime. */
  function stopOutdated(run: WorkflowRun): void {
    for (const { place, attempt, stop } of underWay.values()) {
      const state = stateOf(run, place.id, place.item);
      if (state.status !== "running" || state.attempt !== attempt)
        stop.abort(new AssistantError("ABORTED", "The step is repeated"));
    }
  }

  function stopAll(reason: unknown): void {
    for (const { stop } of underWay.values()) stop.abort(reason);
  }

  async function allDone(): Promise<void> {
    await Promise.allSettled([...underWay.values()].map(({ done }) => done));
  }

  /** The output that the definition describes, else that of the last finished step. */
  async function outputOf(run: WorkflowRun): Promise<JsonValue> {
    const { output, steps } = run.definition;
    if (output !== undefined) return fillIn(output, values.lookupIn(run, { id: "" }));
    const last = steps.findLast(({ id }) => stateOf(run, id).status === "done");
    return last === undefined ? null : ((await values.outputOfStep(run, last.id)) ?? null);
  }

  return { advance };
}

/** A skipped step, or a failed step that does not fail the run, gives no items. */
function nothingGiven(run: WorkflowRun, { step }: Reference): readonly JsonValue[] | undefined {
  const status = step === undefined ? undefined : stateOf(run, step).status;
  return status === "skipped" || status === "failed" ? [] : undefined;
}

/** Whether a step is still in the state in which it was planned. */
function isSameTry(one: StepState, other: StepState): boolean {
  return one.status === other.status && one.attempt === other.attempt;
}

function failureOf(run: WorkflowRun, { id, item }: StepPlace): StepError {
  const { error } = stateOf(run, id, item);
  return { code: error?.code ?? "FAILED", message: `The step ${id} failed: ${error?.message ?? "no reason is known"}` };
}

function errorOf(error: unknown): StepError {
  const code = AssistantError.is(error) ? error.code : "FAILED";
  return { code, message: messageOf(error) };
}

function isBudget(reason: unknown): boolean {
  return AssistantError.is(reason, "BUDGET_EXCEEDED");
}

/** Signals a change to one waiter. A change before the wait is not lost. */
type Changes = ReturnType<typeof createChanges>;

export function createChanges() {
  let tell: () => void = () => {};
  const made = () => new Promise<void>((resolve) => (tell = resolve));
  let change = made();
  return {
    tell: () => tell(),
    async next(): Promise<void> {
      await change;
      change = made();
    },
  };
}
