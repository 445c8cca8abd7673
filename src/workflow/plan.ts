import { type Budget, DEFAULT_BACKOFF_SECONDS, type StepDefinition, type WorkflowDefinition } from "./definition.ts";
import { PENDING, type Spent, type StepError, type StepState, type WorkflowRun, isOver } from "./run.ts";

/** A step, or one item of a step with `for_each`. */
export interface StepPlace {
  readonly id: string;
  readonly item?: number;
}

/** What to do next in a run. */
export interface Plan {
  /** Steps that can run now, in the order of the definition. Includes steps that were running when a process ended. */
  readonly ready: readonly StepPlace[];
  /** Steps that are skipped with a step that they need. */
  readonly skip: readonly { readonly id: string; readonly with: string }[];
  /** Steps whose items have all ended. */
  readonly gather: readonly string[];
  /** Waits whose time has come. */
  readonly due: readonly StepPlace[];
  /** Next time at which something is to be done, in milliseconds since the epoch; undefined: none. */
  readonly nextAt?: number;
  /** The step that makes the run fail. */
  readonly failed?: StepPlace;
  /** Whether nothing is left to do or to wait for. */
  readonly isOver: boolean;
}

/**
 * Decides what a run does next. Steps whose needs have ended are ready and run in parallel. A step that needs one
 * skipped by `on_error: skip` is skipped too.
 *
 * @param maxAsked Most of its steps that may wait for the owner's answer at a time.
 *
 * Source: docs/workflows.md, "Order".
 */
export function planRun(run: Pick<WorkflowRun, "definition" | "steps">, now: number, maxAsked = Infinity): Plan {
  const ready: StepPlace[] = [];
  const skip: { id: string; with: string }[] = [];
  const gather: string[] = [];
  const due: StepPlace[] = [];
  const times: number[] = [];
  const asking = placesOf(run).filter(({ id, item }) => stateOf(run, id, item).wait?.approval !== undefined).length;
  let failed: StepPlace | undefined;
  let isDone = true;

  for (const step of run.definition.steps) {
    const { id } = step;
    const state = stateOf(run, id);
    if (isOver(state)) {
      if (state.status === "failed" && (step.onError ?? "fail") === "fail") failed ??= { id };
      continue;
    }
    isDone = false;
    if (state.items !== undefined) {
      lookAtItems(step, state);
      continue;
    }
    if (state.status === "waiting") lookAtWait(state, { id });
    else if (state.status === "running") ready.push({ id });
    else lookAtPending(step, state);
  }
  return {
    ready,
    skip,
    gather,
    due,
    ...(times.length > 0 && { nextAt: Math.min(...times) }),
    ...(failed && { failed }),
    isOver: isDone,
  };

  function lookAtPending({ id, needs = [] }: StepDefinition, state: StepState): void {
    const needed = needs.map((need) => [need, stateOf(run, need)] as const);
    const left = needed.find(([need, one]) => one.status === "skipped" && isLeftOut(run, need, one));
    if (left) {
      skip.push({ id, with: left[1].skippedWith ?? left[0] });
      return;
    }
    if (!needed.every(([, one]) => isOver(one))) return;
    lookAtTry(state, { id });
  }

  function lookAtTry({ notBefore = 0, asksLater = false }: StepState, place: StepPlace): void {
    // An answer to one of the run's own questions wakes the run.
    if (asksLater && asking >= maxAsked) return;
    if (notBefore <= now) ready.push(place);
    else times.push(notBefore);
  }

  function lookAtWait({ wait }: StepState, place: StepPlace): void {
    if (wait?.until === undefined) return;
    if (wait.until <= now) due.push(place);
    else times.push(wait.until);
  }

  function lookAtItems(step: StepDefinition, { items = [] }: StepState): void {
    const { id, onError = "fail" } = step;
    const broken = onError === "fail" ? items.findIndex(({ status }) => status === "failed") : -1;
    // An item that failed for good ends the step: items under way finish, and no other begins.
    const begins = broken === -1;
    for (const [item, state] of items.entries()) {
      if (state.status === "running") ready.push({ id, item });
      else if (state.status === "waiting") lookAtWait(state, { id, item });
      else if (state.status === "pending" && begins) lookAtTry(state, { id, item });
    }
    const isEnded = items.every((state) => isOver(state) || (!begins && state.status === "pending"));
    if (isEnded) gather.push(id);
  }
}

/**
 * Whether a step was skipped because it failed, or because of one that failed. A step that its `if` skipped blocks
 * nothing.
 */
function isLeftOut({ definition }: Pick<WorkflowRun, "definition">, id: string, state: StepState): boolean {
  if (state.skippedWith !== undefined) return true;
  return state.error !== undefined && definition.steps.find((step) => step.id === id)?.onError === "skip";
}

/** @throws {RangeError} When the definition has no such step. */
export function stepOf({ definition }: Pick<WorkflowRun, "definition">, id: string): StepDefinition {
  const step = definition.steps.find((one) => one.id === id);
  if (!step) throw new RangeError(`The workflow ${definition.name} has no step ${id}`);
  return step;
}

/** All steps of a run; for a step with `for_each`, each of its items. */
export function placesOf(run: Pick<WorkflowRun, "definition" | "steps">): readonly StepPlace[] {
  return run.definition.steps.flatMap(({ id }): readonly StepPlace[] => {
    const { items } = stateOf(run, id);
    return items ? items.map((_, item) => ({ id, item })) : [{ id }];
  });
}

export function stateOf({ steps }: Pick<WorkflowRun, "steps">, id: string, item?: number): StepState {
  // A step can be named `constructor`.
  const state = (Object.hasOwn(steps, id) ? steps[id] : undefined) ?? PENDING;
  return item === undefined ? state : (state.items?.[item] ?? PENDING);
}

/** The outcome of a step with `for_each`. */
export function gathered(
  { onError = "fail" }: StepDefinition,
  { items = [] }: StepState,
): Pick<StepState, "status" | "error"> {
  const broken = items.find(({ status }) => status === "failed");
  if (broken && onError === "fail") return { status: "failed", ...(broken.error && { error: broken.error }) };
  return { status: "done" };
}

/** The items whose outputs make up the step's list; undefined: the step has no list, or none yet. */
export function itemsGiven(
  run: Pick<WorkflowRun, "definition" | "steps">,
  id: string,
): readonly StepState[] | undefined {
  const { status, items } = stateOf(run, id);
  if (status !== "done" || items === undefined) return undefined;
  return stepOf(run, id).onError === "skip" ? items.filter((item) => item.status === "done") : items;
}

/** The state after a failed try: a later retry, or the end of the step. */
export function afterFailure(
  { retry, onError = "fail" }: Pick<StepDefinition, "retry" | "onError">,
  { attempt, before = 0 }: Pick<StepState, "attempt" | "before">,
  error: StepError,
  now: number,
): Pick<StepState, "status" | "error" | "notBefore"> {
  const { max = 0, backoffSeconds = DEFAULT_BACKOFF_SECONDS } = retry ?? {};
  const tries = attempt - before;
  if (tries <= max && !FINAL.includes(error.code))
    return { status: "pending", error, notBefore: now + backoffSeconds * 1000 * 2 ** (tries - 1) };
  return { status: onError === "skip" ? "skipped" : "failed", error };
}

/** Errors that a retry does not fix, or that must not be repeated without asking. */
const FINAL: readonly string[] = [
  "DENIED",
  "INTERRUPTED",
  "ABORTED",
  "BUDGET_EXCEEDED",
  "NOT_APPROVED",
  "UNKNOWN_TOOL",
  "TOO_LONG",
];

/** The used-up part of a run's budget; undefined: none. */
export function budgetUsedUp(budget: Budget, spent: Spent): string | undefined {
  if (spent.tokens >= budget.maxTokens) return `max_tokens: ${spent.tokens} of ${budget.maxTokens} tokens are used`;
  if (spent.activeMs >= budget.maxSeconds * 1000)
    return `max_seconds: ${Math.floor(spent.activeMs / 1000)} of ${budget.maxSeconds} seconds are used`;
  if (spent.toolCalls >= budget.maxToolCalls)
    return `max_tool_calls: ${spent.toolCalls} of ${budget.maxToolCalls} calls are used`;
  return undefined;
}

/** Steps that depend on a step, directly or indirectly. */
export function dependentsOf({ steps }: WorkflowDefinition, id: string): readonly string[] {
  const found = new Set<string>();
  for (let grew = true; grew;) {
    grew = false;
    for (const step of steps) {
      if (found.has(step.id) || !(step.needs ?? []).some((need) => need === id || found.has(need))) continue;
      found.add(step.id);
      grew = true;
    }
  }
  return [...found];
}
