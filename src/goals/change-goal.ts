import { AssistantError } from "../errors.ts";
import { type Goal, type KeyResult, type PersonGoals, isSameName } from "./goals.ts";

/** Changes to one goal. Omitted fields stay; an empty text removes a field. */
export interface GoalChange {
  /** Name of the goal. An unknown one is added. */
  readonly objective: string;
  /** Key results by metric. A new one needs a target. */
  readonly keyResults?:
    | readonly (Pick<KeyResult, "metric"> & {
        readonly target?: KeyResult["target"] | undefined;
        readonly current?: KeyResult["current"] | undefined;
      })[]
    | undefined;
  readonly currentFocus?: string | undefined;
  readonly reviewCadence?: string | undefined;
  /** Whether to remove the named key results, or the goal if none is named. */
  readonly remove?: boolean | undefined;
}

/**
 * Returns the goals with one of them changed.
 * @throws {AssistantError} `NOT_FOUND` when the goal or key result to remove does not exist; `OPTION_INVALID` for a new
 * key result without a target.
 */
export function changeGoal(goals: PersonGoals, change: GoalChange): PersonGoals {
  const known = findGoal(goals, change.objective);
  if (change.remove === true) return removed(goals, known, change);
  const goal = changed(known ?? { objective: change.objective, keyResults: [] }, change);
  return {
    ...goals,
    goals: known ? goals.goals.map((one) => (one === known ? goal : one)) : [...goals.goals, goal],
  };
}

/** Ignores letter case and white space. */
export function findGoal({ goals }: PersonGoals, objective: string): Goal | undefined {
  return goals.find((goal) => isSameName(goal.objective, objective));
}

function changed(goal: Goal, { keyResults = [], currentFocus, reviewCadence }: GoalChange): Goal {
  const { currentFocus: focus, reviewCadence: cadence, ...rest } = goal;
  const newFocus = currentFocus ?? focus ?? "";
  const newCadence = reviewCadence ?? cadence ?? "";
  let results = rest.keyResults;
  for (const given of keyResults) {
    const known = results.find(({ metric }) => isSameName(metric, given.metric));
    const target = given.target ?? known?.target;
    const current = given.current ?? known?.current;
    if (target === undefined)
      throw new AssistantError(
        "OPTION_INVALID",
        `The key result ${JSON.stringify(given.metric)} is new: it needs a target`,
      );
    const result = { metric: known?.metric ?? given.metric, target, ...(current !== undefined && { current }) };
    results = known ? results.map((one) => (one === known ? result : one)) : [...results, result];
  }
  return {
    ...rest,
    keyResults: results,
    ...(newFocus !== "" && { currentFocus: newFocus }),
    ...(newCadence !== "" && { reviewCadence: newCadence }),
  };
}

function removed(goals: PersonGoals, known: Goal | undefined, { objective, keyResults = [] }: GoalChange): PersonGoals {
  if (known === undefined) throw new AssistantError("NOT_FOUND", `There is no goal ${JSON.stringify(objective)}`);
  if (keyResults.length === 0) return { ...goals, goals: goals.goals.filter((goal) => goal !== known) };
  const missing = keyResults.find(({ metric }) => !known.keyResults.some((one) => isSameName(one.metric, metric)));
  if (missing) throw new AssistantError("NOT_FOUND", `There is no key result ${JSON.stringify(missing.metric)}`);
  const isOver = ({ metric }: KeyResult) => keyResults.some((one) => isSameName(one.metric, metric));
  const goal = { ...known, keyResults: known.keyResults.filter((one) => !isOver(one)) };
  return { ...goals, goals: goals.goals.map((one) => (one === known ? goal : one)) };
}
