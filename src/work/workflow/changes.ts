import type { JsonValue } from "../../store/index.ts";
import {
  PENDING,
  type Spent,
  type StepDefinition,
  type StepPlace,
  type StepState,
  type StepWait,
  type WorkflowRun,
  afterFailure,
  dependentsOf,
  isOver,
  stateOf,
} from "../../workflow/index.ts";
import { NOTHING, sumOf } from "./spent.ts";
import type { StepOutcome } from "./step-work.ts";
import { waitingSteps } from "./waits.ts";

// Pure transitions of a run's document, without a clock or a store.

/**
 * Milliseconds until a step that could not begin is tried again: `ASK_AGAIN_MS` when the owner has too many open
 * questions, `BEGIN_AGAIN_MS` when the run that it continues is just ending.
 */
const ASK_AGAIN_MS = 60_000;
const BEGIN_AGAIN_MS = 1000;

/** Replaces the state of one step, or of one of its items. */
export function withStep(run: WorkflowRun, { id, item }: StepPlace, state: StepState): WorkflowRun {
  if (item === undefined) return { ...run, steps: { ...run.steps, [id]: state } };
  const step = stateOf(run, id);
  const items = (step.items ?? []).map((one, index) => (index === item ? state : one));
  return { ...run, steps: { ...run.steps, [id]: { ...step, items } } };
}

/** Begins a try. A try that is repeated after a crash keeps its number, and so the key of its effect. */
export function begun(run: WorkflowRun, place: StepPlace, now: number): WorkflowRun {
  const state = stateOf(run, place.id, place.item);
  const { attempt, before, child, startedAt = now } = state;
  const next: StepState =
    state.status === "running"
      ? { ...state, startedAt }
      : {
          status: "running",
          attempt: attempt + 1,
          startedAt,
          ...(before !== undefined && { before }),
          ...(child && { child }),
        };
  return { ...withStep(run, place, next), status: "running" };
}

/** Begins a step that runs once for each item. */
export function begunForEach(run: WorkflowRun, id: string, over: StepState["over"] = [], now: number): WorkflowRun {
  const { attempt } = stateOf(run, id);
  const item: StepState = attempt === 0 ? PENDING : { status: "pending", attempt, before: attempt };
  const items = over.map(() => item);
  return withStep(run, { id }, { status: "running", attempt: Math.max(1, attempt), startedAt: now, over, items });
}

/** Applies the outcome of a try. `null`: a newer try exists, so this outcome does not count. */
export function ended(
  run: WorkflowRun,
  { step, place, attempt }: { readonly step: StepDefinition; readonly place: StepPlace; readonly attempt: number },
  outcome: StepOutcome & { readonly kept?: Pick<StepState, "output" | "artifact"> },
  { now, activeMs }: { readonly now: number; readonly activeMs: number },
): WorkflowRun | null {
  const state = stateOf(run, place.id, place.item);
  if (state.attempt !== attempt || isOver(state) || state.status === "pending") return null;
  const { tokens = 0, toolCalls = 0, cost, activeMs: childMs = 0 } = outcome;
  const used = withUse(state, { tokens, toolCalls });
  const { wait, error: _error, answered: _answered, child, ...rest } = used;
  const all = { tokens, toolCalls, activeMs: activeMs + childMs, ...(cost !== undefined && { cost }) };
  const spent = spend(withStep(run, place, nextState()), all);
  return outcome.status === "waiting" ? withEvent(spent, place, outcome.wait) : spent;

  function nextState(): StepState {
    if (outcome.status === "done")
      return { ...rest, status: "done", ...(outcome.kept ?? { output: outcome.output }), endedAt: now };
    if (outcome.status === "waiting")
      return {
        ...rest,
        status: "waiting",
        wait: outcome.wait,
        ...(child?.run === outcome.wait.run && child && { child }),
      };
    if (outcome.status === "pending")
      return {
        ...rest,
        status: "pending",
        attempt: attempt - 1,
        notBefore: now + (outcome.asksLater ? ASK_AGAIN_MS : BEGIN_AGAIN_MS),
        ...(child && { child }),
        ...(outcome.asksLater && { asksLater: true }),
      };
    if (outcome.status === "running") return { ...rest, status: "running", answered: outcome.answered };
    const failure: StepState = { ...rest, ...afterFailure(step, state, outcome.error, now) };
    // A step that is retried automatically starts a new child run.
    if (wait?.run === undefined || failure.status === "pending") return withEnd(failure, now);
    const before = child?.counted ?? NOTHING;
    const counted = sumOf(before, { tokens, toolCalls, activeMs: childMs, ...(cost !== undefined && { cost }) });
    return withEnd({ ...failure, child: { run: wait.run, counted } }, now);
  }
}

/**
 * Gives a run an event. Every step that waits for it gets it. So does a step that waits for it later, unless it depends
 * on a step that already got it.
 */
export function told(run: WorkflowRun, event: string, data: JsonValue): WorkflowRun {
  const events = { ...run.events, [event]: data };
  let next: WorkflowRun = { ...run, events, heard: { ...run.heard, [event]: [] } };
  for (const { place, wait } of waitingSteps(run))
    if (wait.event === event && wait.data === undefined) next = withEvent(next, place, wait);
  return next;
}

/** Gives a waiting step an event that was signalled, unless a step that it depends on already got it. */
function withEvent(run: WorkflowRun, place: StepPlace, wait: StepWait): WorkflowRun {
  const { event } = wait;
  const { events = {}, heard = {}, definition } = run;
  if (event === undefined || !Object.hasOwn(events, event)) return run;
  const by = (Object.hasOwn(heard, event) ? heard[event] : undefined) ?? [];
  if (by.some((step) => dependentsOf(definition, step).includes(place.id))) return run;
  const state = stateOf(run, place.id, place.item);
  const next = withStep(run, place, { ...state, wait: { ...wait, data: events[event] ?? null } });
  return { ...next, heard: { ...heard, [event]: [...new Set([...by, place.id])] } };
}

function withUse(state: StepState, used: { readonly tokens: number; readonly toolCalls: number }): StepState {
  const tokens = (state.tokens ?? 0) + used.tokens;
  const toolCalls = (state.toolCalls ?? 0) + used.toolCalls;
  return { ...state, ...(tokens > 0 && { tokens }), ...(toolCalls > 0 && { toolCalls }) };
}

function withEnd(state: StepState, now: number): StepState {
  return isOver(state) ? { ...state, endedAt: now } : state;
}

/** Adds use to a run. */
export function spend(run: WorkflowRun, used: Spent): WorkflowRun {
  return { ...run, spent: sumOf(run.spent, used) };
}

/** Reopens a run: steps that failed or were cut off are tried again; finished steps stay. */
export function resumed(run: WorkflowRun): WorkflowRun {
  const steps = run.definition.steps.map(({ id, onError = "fail" }): [string, StepState] => {
    const state = stateOf(run, id);
    const isOpen = !isOver(state) || (state.status === "failed" && onError === "fail");
    if (!isOpen) return [id, state];
    if (state.items === undefined) return [id, anew(state)];
    const items = state.items.map((item) => (item.status === "done" || item.status === "skipped" ? item : anew(item)));
    const { endedAt: _endedAt, error: _error, ...rest } = state;
    return [id, { ...rest, status: "running", items }];
  });
  return open({ ...run, steps: Object.fromEntries(steps) });
}

/** Reopens a run in which one step, and all that depend on it, are done again. */
export function retried(run: WorkflowRun, step: string): WorkflowRun {
  const again = [step, ...dependentsOf(run.definition, step)];
  const steps = Object.fromEntries(
    Object.entries(run.steps).map(([id, state]) => [id, again.includes(id) ? withoutChild(anew(state)) : state]),
  );
  return open(resumed({ ...run, steps }));
}

/** Resets a step. Its attempts count on, as they are part of effect keys. A plain wait continues. */
function anew({ status, attempt, before, wait, child: known, startedAt, items }: StepState): StepState {
  if (status === "waiting" && wait?.approval === undefined && wait?.run === undefined)
    return { status, attempt, ...(startedAt !== undefined && { startedAt }), ...(wait && { wait }) };
  // The highest attempt of any item counts for all items.
  const tried = Math.max(attempt, ...(items ?? []).map((item) => item.attempt));
  const child = childOf({ ...(wait && { wait }), ...(known && { child: known }) });
  if (status === "pending") return { status, attempt: tried, ...(before !== undefined && { before }), ...child };
  return { status: "pending", attempt: tried, before: tried, ...child };
}

/** The child run of a step, also when the step no longer waits for it. */
export function childOf({ wait, child }: Pick<StepState, "wait" | "child">): Pick<StepState, "child"> {
  if (wait?.run !== undefined && wait.run !== child?.run) return { child: { run: wait.run, counted: NOTHING } };
  return child ? { child } : {};
}

function withoutChild({ child: _child, ...state }: StepState): StepState {
  return state;
}

function open({
  cancel: _cancel,
  error: _error,
  summary: _summary,
  endedAt: _endedAt,
  told: _told,
  output: _output,
  artifact: _artifact,
  ...run
}: WorkflowRun): WorkflowRun {
  return { ...run, status: "running" };
}
